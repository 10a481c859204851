//go:build !windows && !darwin

package login

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/adrg/xdg"
)

// inFolder makes an empty folder the user's configuration, and returns a program.
func inFolder(t *testing.T) (e Entry, autostart string) {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", filepath.Join(dir, "config"))
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	e = Entry{Program: filepath.Join(dir, "a b%c", "notifio")}
	if err := os.MkdirAll(filepath.Dir(e.Program), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(e.Program, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	return e, filepath.Join(dir, "config", "autostart", "notifio.desktop")
}

func set(t *testing.T, e Entry, on bool) {
	t.Helper()
	if err := e.Set(on); err != nil {
		t.Fatal(err)
	}
	if e.On() != on {
		t.Errorf("on is %v after it was set to %v", e.On(), on)
	}
}

func TestSwitchedOnAndOff(t *testing.T) {
	e, file := inFolder(t)
	if e.On() {
		t.Error("on in an empty folder")
	}
	set(t, e, false) // nothing to remove
	set(t, e, true)
	set(t, e, true)
	set(t, e, false)
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// The user has a desktop that hides the entry instead of deleting it, or an old
// entry of a program that was moved.
func TestTheTruthIsWhatTheSystemWillDo(t *testing.T) {
	e, file := inFolder(t)
	write := func(text string) {
		t.Helper()
		if err := replace(file, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	write("[Desktop Entry]\nExec=/nowhere/notifio\n")
	if e.On() {
		t.Error("on, though another program is started")
	}
	set(t, e, true)
	text := string(desktopFile(e))
	write(text + "Hidden=true\n")
	if e.On() {
		t.Error("on, though the entry is hidden")
	}
	link := filepath.Join(filepath.Dir(file), "link")
	if err := os.Symlink(e.Program, link); err != nil {
		t.Fatal(err)
	}
	write("[Desktop Entry]\nExec=" + link + " --terminal\n")
	if !e.On() {
		t.Error("off, though a link to the program is started")
	}
}

func TestFolderThatCannotBeWrittenIsAnError(t *testing.T) {
	e, file := inFolder(t)
	if err := os.MkdirAll(filepath.Dir(filepath.Dir(file)), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Dir(file), nil, 0o600); err != nil { // a file in the folder's place
		t.Fatal(err)
	}
	if err := e.Set(true); err == nil {
		t.Error("written into a file")
	}
	if e.On() {
		t.Error("on")
	}
}

// An earlier Notifio wrote the entry without an argument that this one wants.
func TestOnlyAnUntouchedEntryIsReplaced(t *testing.T) {
	old, file := inFolder(t)
	now := Entry{Program: old.Program, Args: []string{"--at-login"}}
	other := Entry{Program: filepath.Join(filepath.Dir(old.Program), "other")}
	ours := string(desktopFile(old))
	for _, c := range []struct {
		name, before string
		replaced     bool
	}{
		{"as it was written", ours, true},
		{"as it is written today", string(desktopFile(now)), false},
		{"with a delay of the user's", ours + "X-GNOME-Autostart-Delay=20\n", false},
		{"with an argument of the user's", string(desktopFile(Entry{Program: old.Program, Args: []string{"--terminal"}})), false},
		{"switched off by the desktop", ours + "Hidden=true\n", false},
		{"of another program", string(desktopFile(other)), false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := replace(file, []byte(c.before)); err != nil {
				t.Fatal(err)
			}
			want := c.before
			if c.replaced {
				want = string(desktopFile(now))
			}
			if done, err := now.Replace(old); done != c.replaced || err != nil {
				t.Errorf("replaced: %v, %v", done, err)
			}
			if text, err := os.ReadFile(file); string(text) != want {
				t.Errorf("the entry is now\n%s%v", text, err)
			}
		})
	}
	set(t, now, false)
	if done, err := now.Replace(old); done || err != nil || now.On() {
		t.Errorf("replaced what was not there: %v, %v", done, err)
	}
}
