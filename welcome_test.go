package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/config"
)

func TestWelcomeSaysWhereTheMenuIs(t *testing.T) {
	p := place{config: "/home/ana/.config/notifio/notifio.toml"}
	for _, c := range []struct {
		goos  string
		shown bool
		want  string
	}{
		{"linux", true, "in the system tray"},
		{"windows", true, "beside the clock"},
		{"darwin", true, "in the menu bar"},
		{"linux", false, p.config},
	} {
		b := welcome(p, c.shown, c.goos)
		if !strings.Contains(b.Title, "demonstration") || !strings.Contains(b.Body, c.want) {
			t.Errorf("%s, tray %v: %q %q", c.goos, c.shown, b.Title, b.Body)
		}
		if again := running(p, c.shown, c.goos); c.shown != strings.Contains(again.Body, c.want) {
			t.Errorf("%s, tray %v: a second start is told %q", c.goos, c.shown, again.Body)
		}
	}
}

func TestEmailIsFoundInTheFile(t *testing.T) {
	lines := strings.Split(example, "\n")
	n := mailSection([]byte(example))
	if lines[n-1] != "#[mail]" {
		t.Errorf("the first file opens at line %d: %q", n, lines[n-1])
	}
	for text, want := range map[string]int{
		"": 1, "[poll]\n": 1, "[poll]\n\n  [mail]\nhost = 'x'": 3, "# about [mail]\n[mail]": 2, "\n#  [mail] # old": 2,
	} {
		if got := mailSection([]byte(text)); got != want {
			t.Errorf("%q opens at line %d, want %d", text, got, want)
		}
	}
}

// At login the same files are worked on as now, the usual ones need no words, and
// Notifio knows that it was not started by hand.
func TestLoginStartsWithTheSameFiles(t *testing.T) {
	usual := place{config: config.Path(), data: defaultData()}
	if e, err := usual.atLogin(); err != nil || !slices.Equal(e.Args, []string{"--at-login"}) || !filepath.IsAbs(e.Program) {
		t.Errorf("%+v, %v", e, err)
	}
	other := place{config: "/a b/notifio.toml", data: "/c"}
	e, err := other.atLogin()
	if want := []string{"--at-login", "--config", "/a b/notifio.toml", "--data", "/c"}; err != nil || !slices.Equal(e.Args, want) {
		t.Errorf("arguments %q, want %q; %v", e.Args, want, err)
	}
}
