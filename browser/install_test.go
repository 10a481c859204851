package browser

import (
	"errors"
	"reflect"
	"testing"
	"time"
)

func TestChooseBrowser(t *testing.T) {
	gone := errors.New("there is no such program")
	for _, c := range []struct {
		name string
		f    facts
		want choice
	}{
		{"the configured one, whatever else there is", facts{configured: "c", resolved: "/c", installed: "/i"}, useConfigured},
		{"a configured one that is gone is not replaced", facts{configured: "c", problem: gone, installed: "/i"}, rejectConfigured},
		{"an installed one", facts{installed: "/i", downloaded: true, apt: true, root: true}, useInstalled},
		{"an earlier download", facts{downloaded: true, apt: true, root: true}, useDownloaded},
		{"root on Debian", facts{apt: true, root: true}, installByApt},
		{"a user on Debian", facts{apt: true}, askForApt},
		{"root elsewhere", facts{root: true}, download},
		{"a user elsewhere", facts{}, download},
	} {
		if got := choose(c.f); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDebianLike(t *testing.T) {
	for release, want := range map[string]bool{
		"ID=debian\n":                               true,
		"NAME=x\nID=raspbian\nID_LIKE=debian\n":     true,
		"ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n": true,
		"ID=ubuntu\nID_LIKE=debian\n":               false,
		"ID=fedora\n":                               false,
		"ID=opensuse\nID_LIKE=\"suse opensuse\"\n":  false,
		"":                              false,
		"ID_LIKE=\"debianish\"\nID=x\n": false,
		"PRETTY_NAME=\"Debian GNU/Linux\"\nID='debian'": true,
	} {
		if got := debianLike(release); got != want {
			t.Errorf("%q: %v", release, got)
		}
	}
}

func TestNodeMajor(t *testing.T) {
	for out, want := range map[string]int{"v20.20.2\n": 20, "v8.0.0": 8, "24.1.0": 0, "": 0, "vnext": 0} {
		if got := nodeMajor(out); got != want {
			t.Errorf("%q: %d", out, got)
		}
	}
}

func TestInstallLocationIsTheFirst(t *testing.T) {
	out := "Chrome for Testing 156.0 (playwright chromium v1300)\n  Install location:    /home/me/.cache/ms-playwright/chromium-1300\n  Download url: x\n\nFFmpeg\n  Install location:    /home/me/.cache/ms-playwright/ffmpeg-1011\n"
	if got := installLocation(out); got != "/home/me/.cache/ms-playwright/chromium-1300" {
		t.Errorf("got %q", got)
	}
	if got := installLocation("nothing to see"); got != "" {
		t.Errorf("got %q", got)
	}
}

func TestPercentTellsEachStepOnce(t *testing.T) {
	var told []string
	p := &percent{tell: func(s string) { told = append(told, s) }}
	for _, s := range []string{
		"Downloading Chromium\n", "|■       |   0% of 170.1 MiB\r", "|■■      |  10% of 170.1 MiB\r|■■■     |  20% of 170.1 MiB\r",
		"|■■■     |  20% of 170.1 MiB\r", "|■■■■■■■■| 100% of 170.1 MiB\n", "done\n",
	} {
		if _, err := p.Write([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if want := []string{"0 %", "20 %", "100 %"}; !reflect.DeepEqual(told, want) {
		t.Errorf("told %q", told)
	}
	if p.last() != "done" {
		t.Errorf("last words %q", p.last())
	}
}

func TestPausesBetweenAttempts(t *testing.T) {
	pauses := DefaultLimits().Pauses
	for n, want := range []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 5 * time.Minute} {
		if got := step(pauses, n); got != want {
			t.Errorf("after failure %d: %s", n+1, got)
		}
	}
}
