//go:build linux

package main

import (
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/internal/fake/portal"
)

// What is there already is no news, neither at first sight nor after a restart.
func TestFirstCheckAndRestartTellNothing(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	w.row("Rooms", "20 listings", "baseline saved")
	w.asked("a", 2)
	rooms.ShowRange(21, 1)
	w.lastNews(1, rooms, 21)
	p.awaitLog("Told 1 listing", 1)
	w.desk.Click("Quit")
	if code := p.exit(); code != exitFine {
		t.Errorf("exit %d", code)
	}

	w.start()
	w.asked("a", 1)
	w.asked("a", 1)
	w.row("Rooms", "21 listings")
	rooms.ShowRange(22, 1)
	w.lastNews(2, rooms, 22)
	w.lastBanner(2, 22)
}

// The mail server is down for three cycles and more. Meanwhile a room appears, a
// second one, and the first one leaves the page: when the server is back there is
// exactly one email with both, and it says what has become of the first.
func TestMailThatWasDownTellsOnceEvenWhatHasLeftThePage(t *testing.T) {
	w := newWorld(t)
	rooms := w.rooms("a", 20)
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}))
	p := w.watching(1)
	w.inbox.Down()

	rooms.ShowRange(21, 1)
	p.awaitLog("Rooms: new:", 1)
	w.desk.AwaitItem("Email failed")
	rooms.ShowRange(22, 1)
	p.awaitLog("Rooms: new:", 2)
	rooms.Show(append([]int{22}, portal.Range(20, 1)...)...)
	w.asked("a", 3)
	w.desk.AwaitItem("New listings (2)")
	for _, line := range p.awaitLog("[notify] Failed to send", 2) {
		if !strings.Contains(line, "Keeping listings untold, will retry at") || strings.Contains(line, password) {
			t.Errorf("the log says %s", line)
		}
	}

	w.inbox.Up(t)
	mail := w.mails(1)[0]
	w.tells(mail, rooms.Link(21), rooms.Link(22))
	if n := strings.Count(mail.Text(), "No longer on the page"); n != 1 {
		t.Errorf("%d rooms of the email are said to have left, want one:\n%s", n, mail.Text())
	}
	p.awaitLog("Email works again", 1)
	w.desk.AwaitMenu("no word of the trouble any more", func(menu desktop.Node) bool { return menu.Find("Email failed") == nil })
	rooms.ShowRange(23, 1) // 21 is back after a moment: no news
	w.lastNews(2, rooms, 23)
	w.lastBanner(3, 23)
}

// Three hosts show pages that are not to be believed, or not at once.
func TestDoubtfulPagesAreNoNews(t *testing.T) {
	w := newWorld(t)
	twice, thrice, shape := w.rooms("twice", 20), w.rooms("thrice", 20), w.rooms("shape", 10)
	w.configure(w.file("1s", wanted{"Twice", twice.URL()}, wanted{"Thrice", thrice.URL()}, wanted{"Shape", shape.URL()}))
	p := w.watching(3)
	for _, host := range []string{"twice", "thrice", "shape"} {
		w.asked(host, 2) // no first look any more
	}

	twice.Next(portal.Half(9), portal.Half(9))
	thrice.Answer(portal.Half(8))
	shape.Show(append(portal.Range(59, 51), 1)...)

	p.awaitLog("Skipping Twice: only 9 listing(s) vs 20 in baseline (likely partial load)", 2)
	w.row("Twice", "20 listings", "page looked half-loaded")
	p.awaitLog("Thrice has settled at 8 listing(s), down from 20. Using that as the new baseline", 1)
	w.row("Thrice", "re-based after a smaller page")
	p.awaitLog("Shape: page changed shape, 9 of 10 listings are unknown. Re-based without an alert", 1)
	w.row("Shape", "page changed shape, re-based")
	w.desk.AwaitItem("Shape — ", "Home 59") // named, not swallowed
	if n := len(p.lines("Skipping Twice")); n != 2 {
		t.Errorf("the half-loaded page was skipped %d times, want 2", n)
	}
	if n := len(p.lines("Skipping Thrice")); n != 2 {
		t.Errorf("the smaller page was skipped %d times before it was believed, want 2", n)
	}

	thrice.ShowRange(20, 1) // all of them known
	w.row("Thrice", "20 listings")
	w.lastNews(1, twice.ShowRange(21, 1), 21)
	w.lastNews(2, thrice.ShowRange(21, 1), 21)
	w.lastNews(3, shape.Show(append(portal.Range(60, 51), 1)...), 60)
	w.lastBanner(3, 60)
}

// Found by two searches in one cycle: one email, which names both. Found by one of
// them later: nothing more.
func TestTwoSearchesTellOneRoomOnce(t *testing.T) {
	w := newWorld(t)
	a := w.portal.Host("a")
	city, centre := a.Search("/city").ShowRange(20, 1), a.Search("/centre").ShowRange(20, 1)
	w.configure(w.file("10m", wanted{"City", city.URL()}, wanted{"Centre", centre.URL()}))
	w.watching(2)
	city.ShowRange(21, 1)
	centre.ShowRange(21, 1)
	w.checkNow()
	mail := w.mails(1)[0]
	w.tells(mail, city.Link(21))
	for _, name := range []string{"City", "Centre"} {
		if !strings.Contains(mail.Text(), name) {
			t.Errorf("the email does not name %s:\n%s", name, mail.Text())
		}
	}
	city.ShowRange(22, 1)
	w.checkNow()
	w.lastNews(2, city, 22)
	centre.ShowRange(22, 1)
	w.checkNow()
	w.row("Centre", "22 listings")
	city.ShowRange(23, 1)
	w.checkNow()
	w.lastNews(3, city, 23)
}

// The banner does not wait for a page that takes its time, nor the email longer
// than it may.
func TestSlowHostHoldsUpNobodyElse(t *testing.T) {
	w := newWorld(t)
	w.timing.MailDelay = time.Second
	slow, quick := w.rooms("slow", 20), w.rooms("quick", 20)
	w.configure(w.file("10m", wanted{"Slow", slow.URL()}, wanted{"Quick", quick.URL()}))
	p := w.watching(2)
	gate := portal.NewGate()
	slow.Answer(gate.Answer)
	quick.ShowRange(21, 1)
	w.checkNow()
	w.lastBanner(1, 21)
	w.lastNews(1, quick, 21)
	w.desk.AwaitMenu("a cycle that lasts as long as its slow page", func(menu desktop.Node) bool {
		now := menu.Find("Check now")
		return now != nil && !now.Enabled
	})
	gate.Open()
	w.row("Slow", "20 listings")
	found, told := p.logged(p.awaitLog("Quick: new:", 1)[0]), p.logged(p.awaitLog("Told 1 listing", 1)[0])
	if wait := told.Sub(found); wait > w.timing.MailDelay+10*time.Second {
		t.Errorf("the email went after %v, want %v", wait, w.timing.MailDelay)
	}
}
