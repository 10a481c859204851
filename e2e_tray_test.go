//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/internal/fake/portal"
)

// Twenty clicks while the first of them is still at work are one check.
func TestBurstOfClicksIsOneCheck(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("10m", wanted{"Rooms", rooms.URL()}))
	w.watching(1)
	gate := portal.NewGate()
	rooms.Next(gate.Answer)
	before := len(w.portal.Requests("a"))
	w.desk.AwaitMenu("an enabled Check now", func(menu desktop.Node) bool {
		n := menu.Find("Check now")
		return n != nil && n.Enabled
	})
	id := w.desk.AwaitItem("Check now").ID
	for range 20 {
		w.desk.ClickItem(id)
	}
	w.portal.AwaitRequests(t.Context(), "a", before+1)
	gate.Open()
	w.checkNow() // when that one is over; had another been waiting, it would be the third
	w.portal.AwaitRequests(t.Context(), "a", before+2)
	w.desk.AwaitMenu("the end of the check", func(menu desktop.Node) bool {
		n := menu.Find("Check now")
		return n != nil && n.Enabled
	})
	if n := len(w.portal.Requests("a")) - before; n != 2 {
		t.Errorf("%d requests after a burst of clicks and one more, want 2", n)
	}
}

// One search is put aside and the other goes on, also after a restart.
func TestOneSearchIsPausedFromTheMenu(t *testing.T) {
	w := newWorld(t)
	quiet, rooms := w.rooms("a", 20), w.rooms("b", 20)
	w.configure(w.file("10m", wanted{"Quiet", quiet.URL()}, wanted{"Rooms", rooms.URL()}))
	p := w.watching(2)
	w.desk.Click("Quiet", "Pause this search")
	w.row("Quiet", "paused")
	w.desk.AwaitItem("Watching 1 search")
	w.desk.Click("Quit")
	p.exit()

	before, others := len(w.portal.Requests("a")), len(w.portal.Requests("b"))
	w.start()
	w.desk.AwaitIcon()
	w.row("Quiet", "paused")
	w.portal.AwaitRequests(t.Context(), "b", others+1)
	w.row("Rooms", "20 listings") // a cycle in flight would go on without the other
	w.desk.AwaitItem("Watching 1 search")
	if n := len(w.portal.Requests("a")); n != before {
		t.Errorf("a paused search was asked %d times", n-before)
	}
	w.desk.Click("Quiet", "Resume this search")
	w.portal.AwaitRequests(t.Context(), "a", before+1)
	w.row("Quiet", "listings")
}

// The checkbox is the system's own entry, which starts this very program.
func TestStartAtLoginIsTheSystemsEntry(t *testing.T) {
	w := newWorld(t)
	w.configure(w.file("10m", wanted{"Rooms", w.rooms("a", 20).URL()}))
	w.watching(1)
	marked := func(want bool) {
		t.Helper()
		w.desk.AwaitMenu("the checkbox", func(menu desktop.Node) bool {
			n := menu.Find("Start at login")
			return n != nil && n.Checked == want
		})
	}
	marked(false)
	w.desk.Click("Start at login")
	marked(true)
	entry := filepath.Join(w.home, "config", "autostart", "notifio.desktop")
	text, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	program, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(strings.Split(string(text), "\n"), "Exec="+program+" --at-login") {
		t.Errorf("the entry starts something else:\n%s", text)
	}
	if err := os.Remove(entry); err != nil { // in the desktop's own settings
		t.Fatal(err)
	}
	w.desk.OpenMenu()
	marked(false)
}
