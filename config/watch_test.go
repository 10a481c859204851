package config

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"go.uber.org/goleak"
)

func TestSavesOfEveryEditorAreFollowed(t *testing.T) {
	for name, save := range editors {
		t.Run(name, func(t *testing.T) {
			f := follow(t, configFile(t, search("a")), nil)
			for i := range 3 { // the second save is the one that a watch on the file itself misses
				title := fmt.Sprintf("s%d", i)
				must(t, save(f.file, search(title)))
				f.settlesAt("changed: " + title)
			}
			must(t, editors["nano"](f.file, search("plain")))
			f.settlesAt("changed: plain")
		})
	}
}

func TestBadFileIsToldOnceAndKeepsWhatRuns(t *testing.T) {
	f := follow(t, configFile(t, search("a")), func(w *Watcher) { w.Debounce = 200 * time.Millisecond })
	f.write(search("a") + "enabeld = true\n")
	f.hears(`failed: notifio.toml:4: search "a": "enabeld" is not known: did you mean "enabled"?`)
	f.write(search("a") + "enabeld = true\n# another edit, the same mistake\n")
	time.AfterFunc(time.Second, func() { f.said <- "a second later" })
	f.hears("a second later")
	f.write(search("a") + "\nenabeld = true\n")
	f.hears(`failed: notifio.toml:5: search "a": "enabeld" is not known: did you mean "enabled"?`)
	f.write(search("a"))
	f.hears("changed: a") // the same as what runs: the trouble is over
	must(t, os.Chtimes(f.file, time.Now(), time.Now()))
	f.write(search("a") + search("b"))
	f.hears("changed: a, b")
}

func TestVanishedFileKeepsWhatRuns(t *testing.T) {
	slow := func(w *Watcher) { w.Debounce = 100 * time.Millisecond }
	missing := "failed: notifio.toml: is not there: put it back, or start Notifio again for a new one"
	for name, c := range map[string]struct {
		harm, heal func(file string) error
		says       string
	}{
		"deleted":  {os.Remove, func(string) error { return nil }, missing},
		"emptied":  {func(file string) error { return os.Truncate(file, 0) }, func(string) error { return nil }, "failed: notifio.toml: is empty: write at least one [[search]] with a name and a url"},
		"renamed":  {func(file string) error { return os.Rename(file, file+".old") }, func(string) error { return nil }, missing},
		"a folder": {func(file string) error { return errors.Join(os.Remove(file), os.Mkdir(file, 0o700)) }, os.Remove, "failed: notifio.toml: is a folder: put the file of that name in its place"},
	} {
		t.Run(name, func(t *testing.T) {
			f := follow(t, configFile(t, search("a")), slow)
			must(t, c.harm(f.file))
			f.settlesAt(c.says)
			must(t, c.heal(f.file))
			f.write(search("a"))
			f.settlesAt("changed: a")
			f.write(search("b"))
			f.settlesAt("changed: b")
		})
	}
}

func TestLastOfManyEditsWins(t *testing.T) {
	f := follow(t, configFile(t, search("a")), func(w *Watcher) { w.Debounce = defaultDebounce })
	pause := time.NewTicker(10 * time.Millisecond)
	defer pause.Stop()
	saves := []string{"vim", "nano", "code", "sed -i"}
	for i := range 100 {
		<-pause.C
		must(t, editors[saves[i%len(saves)]](f.file, search(fmt.Sprintf("s%d", i))))
	}
	if n := f.settlesAt("changed: s99"); n > 10 {
		t.Errorf("%d calls before the last", n)
	}
}

func TestLinkedFileIsFollowedByLooking(t *testing.T) {
	target := configFile(t, search("a"))
	link := filepath.Join(t.TempDir(), "notifio.toml")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	f := follow(t, link, func(w *Watcher) { w.Look = 30 * time.Millisecond })
	must(t, editors["sed -i"](target, search("b")))
	f.settlesAt("changed: b")
	other := configFile(t, search("c"))
	must(t, errors.Join(os.Symlink(other, link+".new"), os.Rename(link+".new", link)))
	f.settlesAt("changed: c")
}

func TestFolderMadeAnewIsFollowed(t *testing.T) {
	f := follow(t, configFile(t, search("a")), func(w *Watcher) { w.Look = 30 * time.Millisecond })
	for _, remove := range []func(string) error{os.RemoveAll, func(dir string) error { return os.Rename(dir, dir+".old") }} {
		must(t, remove(filepath.Dir(f.file)))
		f.settlesAt("failed: notifio.toml: is not there: put it back, or start Notifio again for a new one")
		must(t, os.MkdirAll(filepath.Dir(f.file), 0o700))
		f.write(search("b"))
		f.settlesAt("changed: b")
	}
}

// TestNoticesComeAgainFromANewFolder: not only the looks go on, the watch does.
func TestNoticesComeAgainFromANewFolder(t *testing.T) {
	file := configFile(t, search("a"))
	dir := filepath.Dir(file)
	var log lines
	f := folder{file: file, open: fsnotify.NewWatcher, log: slog.New(slog.NewTextHandler(&log, nil))}
	t.Cleanup(func() { f.close(); goleak.VerifyNone(t) })
	notice := func() {
		t.Helper()
		must(t, os.WriteFile(file, []byte(search("b")), 0o600))
		for deadline := time.After(20 * time.Second); ; {
			select {
			case e := <-f.events():
				if f.concerns(e) && e.Has(fsnotify.Write) {
					return
				}
			case <-deadline:
				t.Fatal("no notice")
			}
		}
	}
	f.watch()
	notice()
	must(t, os.RemoveAll(dir))
	f.watch()
	must(t, os.Mkdir(dir, 0o700))
	f.watch()
	notice()
	must(t, os.Rename(dir, dir+".old"))
	must(t, os.Mkdir(dir, 0o700))
	f.watch()
	notice()
	above := filepath.Dir(dir)
	must(t, os.Rename(above, above+".old")) // the old watch follows it there, and is told nothing
	must(t, os.MkdirAll(dir, 0o700))
	t.Cleanup(func() { os.RemoveAll(above + ".old") })
	f.watch()
	notice()
	if log.count("gives no notices") != 1 || log.count("at once again") != 1 {
		t.Errorf("log:\n%s", log.b.String())
	}
}

func TestWithoutNoticesTheLooksServe(t *testing.T) {
	f := follow(t, configFile(t, search("a")), func(w *Watcher) {
		w.Look = 30 * time.Millisecond
		w.notices = func() (*fsnotify.Watcher, error) { return nil, errors.New("too many open files") }
	})
	for i := range 3 {
		title := fmt.Sprintf("s%d", i)
		f.write(search(title))
		f.settlesAt("changed: " + title)
	}
	if n := f.log.count("gives no notices"); n != 1 {
		t.Errorf("said %d times in the log", n)
	}
}

func TestFileThatWasBadFromTheStart(t *testing.T) {
	f := follow(t, configFile(t, "nonsense\n"), nil)
	f.write(search("a")) // what Load said is not said again
	f.hears("changed: a")
}

func TestEditSinceLoadIsSeen(t *testing.T) {
	file := configFile(t, search("a"))
	f := follow(t, file, func(w *Watcher) { must(t, os.WriteFile(file, []byte(search("b")), 0o600)) })
	f.hears("changed: b")
}

func TestWarningThatEndsIsAChange(t *testing.T) {
	file := configFile(t, withPassword)
	must(t, os.Chmod(file, 0o644))
	c, err := Load(file)
	if err != nil || len(c.Warnings) == 0 {
		t.Skip("modes mean nothing here")
	}
	f := follow(t, file, nil)
	must(t, os.Chmod(file, 0o600))
	f.hears("changed: Demo")
}
