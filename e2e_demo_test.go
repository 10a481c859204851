//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"notifio.app/notifio/monitor"
)

// Somebody starts Notifio and has configured nothing: there is a file to edit now,
// a baseline of the demo portal, then a new room, its banner, and its email on disk.
func TestNewcomerSeesTheDemoAtWork(t *testing.T) {
	w := newWorld(t)
	// The demo publishes its first room five seconds after the first look: a click
	// right after that has to wait for longer.
	w.timing.Floor = 6 * time.Second
	p := w.watching(1)
	text, err := os.ReadFile(w.configFile())
	if err != nil || string(text) != example {
		t.Errorf("the first configuration is not the example (%v)", err)
	}
	w.row("Demo", "baseline saved")
	w.desk.AwaitItem("Set up email…")
	w.banner("Notifio is watching a demonstration")
	w.checkNow()
	found := p.awaitLog("Demo: new:", 1)[0]
	w.desk.AwaitItem("New listings (1)")
	w.banner("€")
	letter := w.letter()
	_, link, _ := strings.Cut(found, "url=")
	link = strings.TrimSpace(link)
	if !monitor.OnThisMachine(link) || !strings.Contains(letter, link) {
		t.Errorf("the log names %q, and the letter is\n%s", link, letter)
	}
	p.awaitLog(`Told 1 listing" to="mail folder"`, 1)
	if n := len(w.inbox.State().Connections); n != 0 {
		t.Errorf("%d connections to a mail server that nobody has named", n)
	}
}

// letter waits for the first message in the mail folder.
func (w *world) letter() string {
	w.t.Helper()
	folder := filepath.Join(w.data(), "mail", "new")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		w.t.Fatal(err)
	}
	changes, err := fsnotify.NewWatcher()
	if err == nil {
		err = changes.Add(folder)
	}
	if err != nil {
		w.t.Fatal(err)
	}
	defer changes.Close()
	late := time.After(patience)
	for {
		if names, _ := filepath.Glob(filepath.Join(folder, "*")); len(names) > 0 {
			text, err := os.ReadFile(names[0])
			if err != nil {
				w.t.Fatal(err)
			}
			return string(text)
		}
		select {
		case <-changes.Events:
		case err := <-changes.Errors:
			w.t.Fatal(err)
		case <-late:
			w.t.Fatal("there is no letter in the mail folder")
		}
	}
}
