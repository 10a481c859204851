package monitor_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Stories 25 to 34: mishaps of a long life.

func TestStory25YesterdaysBackup(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		if err := w.ledger.Backup(context.Background(), w.wall()); err != nil {
			t.Fatal(err)
		}
		w.pass(20 * time.Hour)
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.told("21")
		w.damage = func() {
			if err := os.Truncate(filepath.Join(w.dir, "notifio.db"), 5000); err != nil {
				t.Fatal(err)
			}
			os.Remove(filepath.Join(w.dir, "notifio.db-wal"))
		}
		w.restart()
		w.show(urlP, ids(1, 22)...)
		w.cycles(3)
		var told []string
		for _, l := range w.inbox.take() {
			told = append(told, idsOf(l.Alerts)...)
		}
		if !slices.Contains(told, "22") || slices.Contains(told, "20") {
			t.Errorf("told %q: 22 is news, 20 is known from the backup, 21 may come twice", told)
		}
	})
}

func TestStory26ClockSetBack(t *testing.T) {
	for name, story := range map[string]struct {
		asked, most time.Duration
	}{
		"during a minute":                  {0, 67 * time.Second},
		"during an hour that it asked for": {time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP)
				w.show(urlP, ids(1, 10)...)
				w.start()
				w.cycles(2)
				w.portal.set(urlP, refused(story.asked))
				w.cycle()
				w.sleepFor(-2 * time.Hour)
				w.pass(2 * time.Second)
				if left := w.row("P").RetryAt.Sub(w.wall()); left > story.most {
					t.Errorf("waits %v more, want at most %v", left, story.most)
				}
				w.show(urlP, ids(1, 11)...)
				w.pass(story.most + 45*time.Second)
				w.told("11")
			})
		})
	}
}

func TestStory27BetterKnowledge(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		unnamed := func(l monitor.Listing) monitor.Listing { l.Key, l.ID = l.Canonical, ""; return l }
		var before []monitor.Listing
		for _, l := range homes(ids(1, 20)...) {
			before = append(before, unnamed(l))
		}
		w.portal.set(urlP, results(before...))
		w.start()
		w.cycles(2)
		w.restart()
		w.show(urlP, ids(1, 20)...)
		w.cycles(2)
		w.told()
		w.portal.set(urlP, results(before...)) // and back to the old version
		w.cycles(2)
		w.told()
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.told("21")
	})
}

func TestStory28Promoted(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		paid := func(n int) monitor.Listing { l := home(n); l.Promoted = true; return l }
		w.search("P", urlP)
		w.portal.set(urlP, results(append(homes(ids(1, 10)...), paid(50), paid(51))...))
		w.start()
		w.cycles(2)
		w.portal.set(urlP, results(append(homes(ids(1, 10)...), paid(50), paid(51), paid(52))...))
		w.cycles(2)
		w.told()
		w.portal.set(urlP, results(append(homes(append(ids(1, 10), 51)...), paid(50))...))
		w.cycle()
		w.told("51")
	})
}

func TestStory29GoneAtTheSecondLook(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.night(results(homes(ids(1, 25)...)...), results(homes(append(ids(101, 122), ids(1, 3)...)...)...))
		w.show(urlP, append(ids(102, 122), ids(1, 4)...)...)
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 22 {
			t.Fatalf("letters %v", letters)
		}
		for _, a := range letters[0].Alerts {
			if gone := a.Listing.ID == "101"; a.Gone != gone {
				t.Errorf("%s: gone is %v", a.Listing.ID, a.Gone)
			}
		}
		w.cycles(2)
		w.told()
	})
}

func TestStory30OneBadSearch(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.five()
		w.start()
		w.cycles(2)
		w.portal.set(urls[2], timeout())
		w.cycles(3)
		if left := w.row("C").RetryAt.Sub(w.wall()); left <= 4*time.Minute || left > 5*time.Minute {
			t.Errorf("C waits %v, want its own pace of 5 min", left)
		}
		w.portal.asked()
		w.cycle()
		if got := w.portal.asked(); len(got) != 4 || slices.Contains(got, urls[2]) {
			t.Errorf("asked %q, want the four others", got)
		}
		for _, name := range []string{"A", "B", "D", "E"} {
			if r := w.row(name); !r.RetryAt.IsZero() {
				t.Errorf("%s waits until %v", name, r.RetryAt)
			}
		}
	})
}

// A pace that is over stays over: the host refuses meanwhile, and the clock is set
// back to where the pace still was.
func TestClockSetBackBringsNoOldPaceBack(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.five()
		w.start()
		w.cycles(2)
		w.portal.set(urls[2], timeout())
		w.cycles(3)
		w.pass(5 * time.Minute)
		w.portal.set(urls[2], refused(0))
		for w.row("C").State != monitor.RowRefused {
			w.pass(time.Second)
		}
		w.sleepFor(-70 * time.Minute)
		w.pass(2 * time.Second)
		if c, a := w.row("C"), w.row("A"); !c.RetryAt.Equal(a.RetryAt) || a.RetryAt.IsZero() {
			t.Errorf("C is tried again at %v, and A on the same host at %v", c.RetryAt, a.RetryAt)
		}
	})
}

func TestStory31Quota(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.inbox.failing(&monitor.DeliveryError{Refusal: monitor.Temporary, Err: errors.New("550 5.4.5 daily sending quota exceeded")})
		for n := 21; n <= 26; n++ {
			w.show(urlP, ids(1, n)...)
			w.pass(2 * time.Hour)
		}
		w.told()
		w.inbox.up()
		w.pass(31 * time.Minute)
		w.told("21 22 23 24 25 26")
		w.pass(2 * time.Hour)
		w.told()
	})
}

func TestStory32OneHomeOneTenant(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		page := func(n int) monitor.Page {
			p := of(1, results(home(n)))
			p.NewestFirst = true
			return p
		}
		w.search("P", urlP)
		w.portal.set(urlP, page(1))
		w.start()
		w.cycles(2)
		w.portal.set(urlP, page(2))
		w.cycle()
		w.told("2")
	})
}

func TestStory33Pause(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 10)...)
		w.show(urlQ, ids(1, 10)...)
		w.start()
		w.cycles(2)
		w.inbox.down()
		w.show(urlP, ids(1, 11)...)
		w.cycle()
		w.portal.slow(urlP, 20*time.Second, true)
		w.portal.slow(urlQ, 20*time.Second, true)
		w.portal.asked()
		for len(w.portal.at("")) == 0 {
			time.Sleep(time.Second)
		}
		w.mon.Pause(time.Time{})
		w.pass(time.Second)
		if got := w.view().Phase; got != monitor.Paused {
			t.Errorf("phase %s", got)
		}
		w.portal.mu.Lock()
		for host, n := range w.portal.inFlight {
			if n > 0 {
				t.Errorf("%d checks of %s still running", n, host)
			}
		}
		w.portal.mu.Unlock()
		w.portal.asked()
		w.inbox.up()
		w.pass(time.Hour)
		w.told("11")
		if got := w.portal.asked(); len(got) > 0 {
			t.Errorf("asked %q while paused", got)
		}
		w.mon.Resume()
		w.pass(time.Minute)
		if got := w.portal.asked(); len(got) == 0 {
			t.Error("nothing asked after resuming")
		}
	})
}

func TestStory34EditInTheMiddleOfACycle(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 10)...)
		w.show(urlR, ids(11, 20)...)
		w.start()
		w.cycles(2)
		w.inbox.down()
		w.show(urlP, ids(1, 30)...)
		w.show(urlP, append(ids(1, 10), 31)...)
		w.cycle()
		w.portal.slow(urlP, 20*time.Second, true)
		w.show(urlP, append(ids(1, 10), 31, 32)...)
		w.portal.asked()
		for len(w.portal.at(urlP)) == 0 {
			time.Sleep(time.Second)
		}
		w.settings.Searches = w.settings.Searches[1:]
		w.search("N", "https://c.example/n")
		w.show("https://c.example/n", 41, 42)
		w.reload()
		w.cycle()
		w.portal.asked()
		w.cycle()
		if got := w.portal.asked(); !slices.Contains(got, "https://c.example/n") || slices.Contains(got, urlP) {
			t.Errorf("asked %q", got)
		}
		w.inbox.up()
		w.pass(time.Hour)
		w.told("31")
	})
}
