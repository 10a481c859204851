//go:build linux

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/internal/fake/inbox"
)

// The file is edited while Notifio runs: a search is added, then a mistake, then
// the file is gone, then all is well again.
func TestEditsAreFollowedAndMistakesChangeNothing(t *testing.T) {
	w := newWorld(t)
	first, second := w.rooms("a", 20), w.rooms("b", 20)
	one := wanted{"First", first.URL()}
	both := w.file("1s", one, wanted{"Second", second.URL()})
	w.configure(w.file("1s", one))
	p := w.watching(1)

	w.configure(both)
	edited := p.logged(p.awaitLog("Configuration read", 1)[0])
	w.portal.AwaitRequests(t.Context(), "b", 1)
	asked := 0
	for _, r := range w.portal.All() {
		if r.Host == "b" {
			break
		}
		if r.At.After(edited) {
			asked++
		}
	}
	if asked > 2 { // in the cycle that was in flight, and in the next one
		t.Errorf("the new search waited for %d cycles", asked)
	}
	w.row("Second", "20 listings", "baseline saved")

	// The mistake is in line 3, and in the line that is added.
	w.configure(strings.Replace(both, first.URL(), "ftp://a.localhost/", 1) + "colour = \"red\"\n")
	w.trouble(p, "notifio.toml:3:")
	w.asked("a", 2)
	w.asked("b", 2)

	w.configure(both)
	w.noTrouble()
	if err := os.Remove(w.configFile()); err != nil {
		t.Fatal(err)
	}
	w.trouble(p, "notifio.toml")
	w.asked("a", 2)
	w.configure(both)
	w.noTrouble()

	if n := len(p.lines("baseline saved")); n != 2 {
		t.Errorf("%d baselines for two searches: an edit made one forget its own", n)
	}
	w.lastNews(1, first.ShowRange(21, 1), 21)
	w.lastNews(2, second.ShowRange(21, 1), 21)
}

// trouble waits until the menu, a banner and the log say that the file is wrong.
func (w *world) trouble(p *program, where string) {
	w.t.Helper()
	w.desk.AwaitMenu("a line about "+where, func(menu desktop.Node) bool { return complains(menu, where) })
	w.desk.Await("a banner about "+where, func() bool {
		return slices.ContainsFunc(w.desk.Banners(), func(b desktop.Banner) bool { return strings.Contains(b.Body, where) })
	})
	p.awaitLog(where, 1)
}

func (w *world) noTrouble() {
	w.t.Helper()
	w.desk.AwaitMenu("a menu without a trouble", func(menu desktop.Node) bool { return !complains(menu, "notifio.toml") })
}

func complains(menu desktop.Node, where string) bool {
	return slices.ContainsFunc(menu.Children, func(n desktop.Node) bool { return n.Visible && strings.Contains(n.Label, where) })
}

// One of two recipients could not be told when Notifio ended. It starts with a file
// that is wrong, says so, and knows nobody to tell; once the file is mended, without
// another restart, the one who waits is told, and the other one not again.
func TestWrongFileAtTheStartLosesNoEmail(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	good := strings.Replace(w.file("10m", wanted{"Rooms", rooms.URL()}), `to = [`, `to = ["bob@example.com", `, 1)
	w.configure(good)
	p := w.watching(1)
	w.inbox.Fail(inbox.AtRecipient, inbox.Fault{Reply: "451 4.3.0 come back later", For: "bob@"})
	rooms.ShowRange(21, 1)
	w.checkNow()
	w.lastNews(1, rooms, 21)
	p.awaitLog("[notify] Failed to send", 1)
	w.desk.Click("Quit")
	if code := p.exit(); code != exitFine {
		t.Errorf("exit %d", code)
	}

	w.inbox.Heal()
	w.configure(good + "tls = \"starttls\"\n") // a second one
	again := w.start()
	w.desk.AwaitItem("No search to watch yet")
	w.trouble(again, "notifio.toml:")
	w.configure(good)
	again.awaitLog("Told 1 listing", 2)
	w.noTrouble()
	w.row("Rooms", "21 listings")
	mail := w.mails(2)[1]
	w.tells(mail, rooms.Link(21))
	if !slices.Equal(mail.To, []string{"bob@example.com"}) {
		t.Errorf("the second email went to %v", mail.To)
	}
	rooms.ShowRange(22, 1)
	w.checkNow()
	for _, mail := range w.mails(4)[2:] { // one for each
		w.tells(mail, rooms.Link(22))
	}
	if _, err := os.Stat(filepath.Join(w.data(), "mail")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("there is a mail folder that nobody has asked for (%v)", err)
	}
}
