package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"
)

func TestPathFollowsTheEnvironment(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	if want := filepath.Join(dir, "notifio", "notifio.toml"); Path() != want {
		t.Errorf("%s, not %s", Path(), want)
	}
}

func TestCreateWritesOnceForTheUserAlone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "made", "notifio", "notifio.toml")
	if created, err := Create(file, example(t)); !created || err != nil {
		t.Fatal(created, err)
	}
	for name, want := range map[string]fs.FileMode{file: 0o600, filepath.Dir(file): 0o700} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if runtime.GOOS != "windows" && info.Mode().Perm() != want {
			t.Errorf("%s has mode %o", name, info.Mode().Perm())
		}
	}
	if c, err := Load(file); err != nil || len(c.Warnings) > 0 {
		t.Errorf("%v %v", err, c.Warnings)
	}
	os.WriteFile(file, []byte(one), 0o600)
	if created, err := Create(file, example(t)); created || err != nil {
		t.Error(created, err)
	}
	if data, _ := os.ReadFile(file); string(data) != one {
		t.Errorf("overwritten: %s", data)
	}
	if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
}

func TestCreateLeavesEverythingElseAlone(t *testing.T) {
	for name, make := range map[string]func(file string) error{
		"a folder":        func(file string) error { return os.Mkdir(file, 0o700) },
		"a dangling link": func(file string) error { return os.Symlink("nowhere", file) },
		"an empty file":   func(file string) error { return os.WriteFile(file, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "notifio.toml")
			if err := make(file); err != nil {
				t.Skip(err)
			}
			if created, err := Create(file, example(t)); created || err != nil {
				t.Error(created, err)
			}
			if _, err := Load(file); err == nil {
				t.Error("loaded")
			}
		})
	}
}

func TestCreateByTwoAtOnceHappensOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notifio.toml")
	var mu sync.Mutex
	var wg sync.WaitGroup
	times := 0
	for range 20 {
		wg.Go(func() {
			created, err := Create(file, one)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				t.Error(err)
			}
			if created {
				times++
			}
		})
	}
	wg.Wait()
	if times != 1 {
		t.Errorf("created %d times", times)
	}
}

func TestPlaceWithoutHardLinks(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notifio.toml")
	// A name that cannot be linked makes place go the other way.
	if created, err := place(filepath.Join(dir, "missing"), file, one); !created || err != nil {
		t.Fatal(created, err)
	}
	if data, _ := os.ReadFile(file); string(data) != one {
		t.Errorf("%q", data)
	}
	if created, err := place(filepath.Join(dir, "missing"), file, "other"); created || err != nil {
		t.Error(created, err)
	}
}

func TestCreateInAFileInsteadOfAFolder(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "notifio"), nil, 0o600)
	file := filepath.Join(dir, "notifio", "notifio.toml")
	if created, err := Create(file, one); created || err == nil || !strings.Contains(err.Error(), file) {
		t.Error(created, err)
	}
}

func TestLoadSaysWhatIsInTheWay(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	os.Mkdir(at("folder"), 0o700)
	if err := os.Symlink(at("nowhere"), at("link")); err != nil {
		t.Skip(err)
	}
	os.WriteFile(at("large"), []byte(strings.Repeat("# x\n", maxSize/4+1)), 0o600)
	for _, c := range []struct{ name, want string }{
		{"missing", "missing: is not there: put it back, or start Notifio again for a new one"},
		{"folder", "folder: is a folder: put the file of that name in its place"},
		{"large", "large: is larger than 256 KB, which no list of searches needs: is it the right file?"},
		{"link", "link: is a link to a file that is not there: put that file back, or remove the link"},
	} {
		_, err := Load(at(c.name))
		var ps Problems
		if !errors.As(err, &ps) || err.Error() != c.want {
			t.Errorf("%s: %v", c.name, err)
		}
		if errors.Is(err, fs.ErrNotExist) != (c.name == "missing" || c.name == "link") {
			t.Errorf("%s: cause of %v", c.name, err)
		}
	}
}

const withPassword = one + "[mail]\nhost = \"smtp.example.com\"\nusername = \"me@example.com\"\nto = \"me@example.com\"\npassword = \"hunter2\"\n"

func TestLoadWarnsOfAPasswordThatOthersCanRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the mode bits say nothing here")
	}
	file := filepath.Join(t.TempDir(), "notifio.toml")
	for mode, want := range map[fs.FileMode]int{0o600: 0, 0o400: 0, 0o640: 1, 0o604: 1, 0o644: 1} {
		os.Remove(file)
		os.WriteFile(file, []byte(withPassword), 0o600)
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		c, err := Load(file)
		if err != nil || len(c.Warnings) != want {
			t.Errorf("%o: %v %v", mode, err, c.Warnings)
		}
		for _, w := range c.Warnings {
			if w.Line != 8 || strings.Contains(w.Text, "hunter2") || !strings.Contains(w.Text, "chmod 600") {
				t.Error(w)
			}
		}
	}
	os.WriteFile(file, []byte(one), 0o600)
	os.Chmod(file, 0o644)
	if c, err := Load(file); err != nil || len(c.Warnings) != 0 {
		t.Errorf("without a password: %v %v", err, c.Warnings)
	}
}

func TestLoadWarnsOfABrowserThatIsNotThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "notifio.toml")
	chrome := filepath.Join(dir, "chrome")
	os.WriteFile(chrome, nil, 0o700)
	for executable, want := range map[string]int{chrome: 0, chrome + "2": 1, dir: 1, "no-such-browser-anywhere": 1} {
		os.WriteFile(file, []byte(one+"[browser]\nexecutable = '"+executable+"'\n"), 0o600)
		c, err := Load(file)
		if err != nil || len(c.Warnings) != want || c.Browser.Executable != executable {
			t.Errorf("%s: %v %v", executable, err, c.Warnings)
		}
		for _, w := range c.Warnings {
			if w.Line != 5 {
				t.Error(w)
			}
		}
	}
}
