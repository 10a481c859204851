//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/desktop"
)

// The system starts Notifio: it counts down to its first check, which the user may
// have at once. That Notifio knows who has started it, it owes to an entry that it
// has itself brought up to date.
func TestStartAtLoginCountsDownToItsFirstCheck(t *testing.T) {
	w := newWorld(t)
	w.timing.Interval = 24 * time.Hour // to be within the first minute of that is one chance in a thousand
	rooms := w.rooms("a", 20)
	w.configure(w.file("24h", wanted{"Rooms", rooms.URL()}))
	program, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	entry := filepath.Join(w.home, "config", "autostart", "notifio.desktop")
	byHand := w.watching(1)
	w.desk.Click("Start at login")
	w.desk.AwaitMenu("the checkbox", func(menu desktop.Node) bool {
		n := menu.Find("Start at login")
		return n != nil && n.Checked
	})
	text, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	earlier := strings.Replace(string(text), " --at-login", "", 1)
	if err := os.WriteFile(entry, []byte(earlier), 0o600); err != nil {
		t.Fatal(err)
	}
	byHand.kill()

	before := len(w.portal.Requests("a"))
	p := w.start("--at-login")
	p.awaitLog("Started at login. First poll in ", 1)
	p.awaitLog("The start at login was brought up to date", 1)
	if text, err := os.ReadFile(entry); err != nil || !slices.Contains(strings.Split(string(text), "\n"), "Exec="+program+" --at-login") {
		t.Errorf("the entry starts something else: %v\n%s", err, text)
	}
	w.desk.AwaitItem("Watching 1 search · next check in ")
	w.row("Rooms", "not checked yet")
	if n := len(w.portal.Requests("a")); n != before {
		t.Errorf("%d requests before the countdown was over", n-before)
	}
	w.checkNowAsks("a")
	w.row("Rooms", "20 listings")
}
