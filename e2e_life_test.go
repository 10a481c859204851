//go:build linux

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/internal/fake/portal"
)

// The browser is killed in the middle of a check. The next cycle is ten minutes
// away: it is this one that has the news.
func TestKilledBrowserCostsACheckNoCycle(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("10m", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	rooms.ShowRange(21, 1).Next(portal.Hang)
	w.checkNowAsks("a")
	tree := descendants(p.cmd.Process.Pid)
	if err := syscall.Kill(chromium(t, tree).pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	p.awaitLog("Rooms: browser trouble, checking again", 1)
	w.lastNews(1, rooms, 21)
	w.row("Rooms", "21 listings")
	if hung := served(w.portal.All(), "a", "hang"); len(hung) != 1 {
		t.Errorf("%d requests hung, want one", len(hung))
	}
	if lines := p.lines("does not answer"); len(lines) > 0 {
		t.Errorf("the host was blamed: %s", lines)
	}
	awaitEnds(t, tree) // of the old browser nothing is left
}

// Check now is the timer's tick: there is one cycle at a time. Pause ends it in the
// middle of a page load, and keeps no email back.
func TestPauseInTheMiddleOfAPageLoad(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("10m", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	w.inbox.Down()
	rooms.ShowRange(21, 1)
	w.checkNow()
	p.awaitLog("[notify] Failed to send", 1)

	gate := portal.NewGate()
	rooms.ShowRange(22, 1).Next(gate.Answer)
	w.checkNowAsks("a")
	checking := w.desk.AwaitItem("Check now")
	w.desk.AwaitItem("Checking 1 of 1…")
	if now := w.desk.AwaitItem("Check now"); now.Enabled {
		t.Error("Check now is enabled during a cycle")
	}
	w.desk.ClickItem(checking.ID) // by a panel with an old picture of the menu

	clicked := time.Now()
	w.desk.Click("Pause")
	w.desk.AwaitItem("Paused")
	if took := time.Since(clicked); took > 2*time.Second { // one, and what a busy machine adds
		t.Errorf("Pause took %v", took)
	}
	if now := w.desk.AwaitItem("Check now"); now.Enabled {
		t.Error("Check now is enabled during a pause")
	}
	gate.Open()
	before := len(w.portal.Requests("a"))
	w.inbox.Up(t)
	w.lastNews(1, rooms, 21)

	w.desk.Click("Resume")
	w.lastNews(2, rooms, 22)
	if n := len(w.portal.Requests("a")); n != before+1 {
		t.Errorf("%d requests in and after the pause, want the one after it", n-before)
	}
}

// Quit in the middle of a page load: the program is gone within a moment, and
// everything that it has started.
func TestQuitLeavesNothingBehind(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("10m", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	rooms.Next(portal.Hang)
	w.checkNowAsks("a")
	tree := descendants(p.cmd.Process.Pid)
	if len(tree) < 4 {
		t.Errorf("only %d processes: driver, browser and its children should be more", len(tree))
	}
	clicked := time.Now()
	w.desk.Click("Quit")
	if code := p.exit(); code != exitFine {
		t.Errorf("exit %d", code)
	}
	took := time.Since(clicked)
	t.Logf("Quit took %v", took)
	if took > 5*time.Second { // two, and what a busy machine adds
		t.Errorf("Quit took %v", took)
	}
	awaitEnds(t, tree)
	if len(p.lines("Notifio ends")) != 1 {
		t.Error("the log does not say that Notifio ended")
	}
}

// Notifio is killed while an email cannot be sent. The room was on the page for one
// check only; after the restart it is told, once, and what was told before is not.
func TestKilledNotifioLosesNothingAndTellsNothingTwice(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("10m", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	rooms.ShowRange(21, 1)
	w.checkNow()
	w.lastNews(1, rooms, 21)
	p.awaitLog("Told 1 listing", 1)

	w.inbox.Down()
	rooms.ShowRange(22, 1)
	w.checkNow()
	p.awaitLog("[notify] Failed to send", 1)
	w.lastBanner(2, 22)
	rooms.ShowRange(21, 1)
	p.kill()

	w.inbox.Up(t)
	again := w.start()
	w.lastNews(2, rooms, 22)
	again.awaitLog("Told 1 listing", 2)
	w.row("Rooms", "21 listings")
	rooms.ShowRange(23, 1)
	w.checkNow()
	w.lastNews(3, rooms, 23)
	w.lastBanner(3, 23)
}

// Notifio is killed while the mail server's last answer is on its way. Whether the
// email has arrived cannot be known: the very same one goes again, so that mail
// programs can tell that they are one.
func TestKilledBeforeTheAnswerSendsTheSameEmailAgain(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("10m", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	w.inbox.Fail(inbox.AtEnd, inbox.Fault{Silent: true, Keep: true})
	rooms.ShowRange(21, 1)
	w.checkNow()
	w.lastNews(1, rooms, 21)
	rooms.ShowRange(22, 1) // is news of its own
	p.kill()

	w.inbox.Heal()
	w.start()
	w.lastNews(3, rooms, 22)
	// A server that fails ends its lines in another way than one that does not.
	text := func(m inbox.Message) string {
		return strings.TrimSpace(strings.ReplaceAll(string(m.Raw), "\r\n", "\n"))
	}
	mails := w.inbox.Messages()
	if once, again := text(mails[0]), text(mails[1]); mails[0].ID() != mails[1].ID() || once != again {
		t.Errorf("the email that went again is another one:\n%s\nafter\n%s", again, once)
	}
}

// A second Notifio on the same data makes the first one show itself, and a check
// beside it is refused.
func TestSecondStartMakesTheFirstOneShowItself(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("10m", wanted{"Rooms", rooms.URL()}))
	w.watching(1)
	if code, out := w.run(); code != exitFine || !strings.Contains(out, "running already") {
		t.Errorf("exit %d, %q", code, out)
	}
	if b := w.banner("Notifio is running"); !strings.Contains(b.Body, "tray") {
		t.Errorf("the banner does not say where the icon is: %q", b.Body)
	}
	before := len(w.portal.All())
	if code, out := w.run("check", "--json"); code != exitRunning || !strings.Contains(out, "--data") {
		t.Errorf("exit %d, %q", code, out)
	}
	if n := len(w.portal.All()); n != before {
		t.Errorf("the second one made %d requests", n-before)
	}
}

// Without a panel the same monitor runs in the terminal and says why; Ctrl-C ends
// it as Quit does.
func TestTerminalInsteadOfATray(t *testing.T) {
	w := newWorld(t)
	w.desk.StopPanel()
	rooms := w.rooms("a", 20)
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	rooms.ShowRange(21, 1)
	w.lastNews(1, rooms, 21)
	tree := descendants(p.cmd.Process.Pid)
	if err := p.cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if code := p.exit(); code != exitFine {
		t.Errorf("exit %d", code)
	}
	awaitEnds(t, tree)
	for _, want := range []string{"There is no tray icon: ", "Rooms: baseline saved, 20 listings", "New: € 1000 per month", rooms.Link(21)} {
		if !strings.Contains(p.out.String(), want) {
			t.Errorf("the terminal does not say %q:\n%s", want, p.out.String())
		}
	}
}

// A panel that comes late, or comes back, gets the icon.
func TestIconFollowsThePanel(t *testing.T) {
	w := newWorld(t)
	w.desk.StopPanel()
	rooms := w.rooms("a", 20)
	w.configure(w.file("10m", wanted{"Rooms", rooms.URL()}))
	w.watching(1)
	for range 2 {
		w.desk.StartPanel()
		w.row("Rooms", "20 listings")
		w.desk.AwaitMenu("a menu that can be clicked", func(menu desktop.Node) bool {
			n := menu.Find("Check now")
			return n != nil && n.Enabled
		})
		w.desk.StopPanel()
	}
}
