package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestJudgeLock(t *testing.T) {
	running := func(pid int) bool { return pid == 42 }
	for _, c := range []struct {
		target string
		want   lockState
		pid    int
	}{
		{"here-42", lockHeld, 42},
		{"here-43", lockFree, 43},
		{"there-42", lockStale, 42},
		{"here-with-dashes-42", lockStale, 42},
		{"here-", lockStale, 0},
		{"nonsense", lockStale, 0},
	} {
		if state, pid := judgeLock(c.target, "here", running); state != c.want || pid != c.pid {
			t.Errorf("%s: %v, %d", c.target, state, pid)
		}
	}
}

// Chromium obeys the last of these switches alone, so each may stand there once
// and must repeat Playwright's own values.
func TestSwitchesRepeatWhatTheyOverride(t *testing.T) {
	for _, headless := range []bool{true, false} {
		seen := map[string]string{}
		for _, s := range switches(headless) {
			name, value, _ := strings.Cut(s, "=")
			if _, twice := seen[name]; twice {
				t.Errorf("headless %v: %s is there twice", headless, name)
			}
			seen[name] = value
		}
		if got := strings.Split(seen["--disable-features"], ","); !slices.Contains(got, "HttpsUpgrades") || !slices.Contains(got, "WebUIOmniboxPopup") {
			t.Errorf("headless %v: features %v", headless, got)
		}
		blink := seen["--blink-settings"]
		if headless != strings.Contains(blink, "imagesEnabled=false") {
			t.Errorf("headless %v: blink settings %q", headless, blink)
		}
		if headless && !strings.Contains(blink, "availableHoverTypes=2") {
			t.Errorf("blink settings %q", blink)
		}
	}
}

func TestUsualPlaces(t *testing.T) {
	env := map[string]string{"ProgramFiles": "C:/Programs", "HOME": "/Users/me"}
	for _, c := range []struct{ goos, want string }{
		{"windows", "C:/Programs/Microsoft/Edge/Application/msedge.exe"},
		{"darwin", "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"},
		{"darwin", "/Users/me/Applications/Chromium.app/Contents/MacOS/Chromium"},
		{"linux", "/opt/google/chrome/chrome"},
	} {
		var got []string
		for _, p := range usualPlaces(c.goos, func(k string) string { return env[k] }) {
			got = append(got, filepath.ToSlash(p))
		}
		if !slices.Contains(got, c.want) {
			t.Errorf("%s: no %s in %v", c.goos, c.want, got)
		}
	}
	for _, p := range usualPlaces("windows", func(string) string { return "" }) {
		t.Errorf("without its variables Windows has no usual places, but %s", p)
	}
}

func TestSnapIsRecognised(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if path := write("script", "#!/bin/sh\nexec /snap/bin/chromium \"$@\"\n"); !isSnap(path) {
		t.Error("a script that starts a snap was taken for a browser")
	}
	if path := write("real", "#!/bin/sh\nexec /usr/lib/chromium/chromium\n"); isSnap(path) {
		t.Error("Debian's own script was taken for a snap")
	}
	if path := write("binary", "\x7fELF /snap/bin/"); isSnap(path) {
		t.Error("a program was taken for a snap")
	}
	link := filepath.Join(dir, "chromium")
	if err := os.Symlink(write("snap", "x"), link); err != nil {
		t.Skip(err)
	}
	if !isSnap(link) {
		t.Error("a link to snap was taken for a browser")
	}
}
