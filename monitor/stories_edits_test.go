package monitor_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

// What the user changes counts at once, and costs no site more than it should.

// midCycle is five searches of one host, the first of which is being checked.
func (w *world) midCycle() (urls []string, first string) {
	w.t.Helper()
	urls = w.five()
	w.start()
	w.cycles(2)
	w.portal.asked()
	for len(w.portal.at("")) == 0 {
		time.Sleep(100 * time.Millisecond)
	}
	return urls, w.portal.asked()[0]
}

func TestPausedSearchLeavesTheCycle(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls, first := w.midCycle()
		var paused []string
		for _, url := range urls {
			if url != first {
				paused = append(paused, url)
			}
		}
		for _, url := range paused[1:] {
			w.mon.PauseSearch(url, true)
		}
		if v := w.view(); v.Total != 2 {
			t.Errorf("%d checks in this cycle, want 2", v.Total)
		}
		w.cycle()
		if got := w.portal.asked(); !slices.Equal(got, paused[:1]) {
			t.Errorf("asked %q, want %q", got, paused[:1])
		}
	})
}

// Nobody asks again for a search that was deleted while its browser died.
func TestDeletedSearchIsNotCheckedAgain(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls, first := w.midCycle()
		w.portal.fail(first, fmt.Errorf("%w: crashed", monitor.ErrBrowser))
		w.settings.Searches = slices.DeleteFunc(slices.Clone(w.settings.Searches), func(s monitor.Search) bool { return s.URL == first })
		w.reload()
		w.cycle()
		if got := w.portal.asked(); len(got) != len(urls)-1 || slices.Contains(got, first) {
			t.Errorf("asked %q after %s was deleted", got, first)
		}
	})
}

func TestPauseIsNotLongerForAClockSetBack(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 10)...)
		w.start()
		w.cycles(2)
		w.mon.Pause(w.wall().Add(time.Hour))
		w.pass(10 * time.Minute)
		w.sleepFor(-5 * time.Hour)
		w.pass(2 * time.Second)
		if left := w.view().PausedUntil.Sub(w.wall()); left > time.Hour {
			t.Errorf("paused for %v more", left)
		}
		w.portal.asked()
		w.pass(time.Hour + 10*time.Second)
		if n := len(w.portal.asked()); n != 1 {
			t.Errorf("%d checks after the pause", n)
		}
	})
}

func TestShorterIntervalCountsAtOnce(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Jitter = 0
		w.settings.Interval = 12 * time.Hour
		w.search("P", urlP)
		w.show(urlP, ids(1, 10)...)
		w.start()
		w.cycles(2)
		time.Sleep(10 * time.Second)
		w.settings.Interval = 30 * time.Second
		w.portal.asked()
		w.reload()
		w.pass(2 * time.Minute)
		if at := w.portal.at(urlP); len(at) != 4 {
			t.Errorf("checked at %v in the two minutes after the edit, want every 30 s", at)
		}
		w.settings.Interval = 12 * time.Hour // and no sooner again
		w.reload()
		w.portal.asked()
		w.pass(6 * time.Hour)
		if n := len(w.portal.asked()); n != 1 {
			t.Errorf("%d checks in six hours, want the one that was due", n)
		}
	})
}

// The interval is edited while a check of it is on its way.
func TestShorterIntervalCountsInTheMiddleOfACycle(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Jitter = 0
		w.settings.Interval = 12 * time.Hour
		w.search("P", urlP)
		w.show(urlP, ids(1, 10)...)
		w.portal.slow(urlP, 20*time.Second, true)
		w.start()
		time.Sleep(10 * time.Second)
		w.settings.Interval = 30 * time.Second
		w.reload()
		w.pass(25 * time.Second)
		if n := len(w.portal.at(urlP)); n != 2 {
			t.Errorf("%d checks in 35 s, want 2", n)
		}
	})
}

// A new search is checked as soon as the floor allows, and nothing else is.
func TestNewSearchIsCheckedSoon(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval, w.settings.Jitter = 10*time.Minute, 0
		urls := w.five()
		w.start()
		began := time.Now()
		w.cycle()
		time.Sleep(2 * time.Second)
		w.portal.asked()
		for n := range 5 { // on one host
			url := fmt.Sprintf("https://new.example/%d", n)
			w.search(fmt.Sprint("N", n), url)
			w.show(url, ids(1, 10)...)
		}
		w.reload()
		if next := w.view().NextCheck.Sub(w.wall()); next > 5*time.Second {
			t.Errorf("the next check is in %v", next)
		}
		ended := time.Now().Add(-2 * time.Second)
		w.pass(20 * time.Second)
		if at := w.portal.at("https://new.example/0"); len(at) != 1 || at[0].Sub(ended) != 5*time.Second {
			t.Errorf("checked at %v, want the floor after %v", at, ended)
		}
		if got := w.portal.asked(); !slices.Equal(got, []string{"https://new.example/0"}) {
			t.Errorf("asked %q, want one of the host", got)
		}
		for range 20 { // edited again and again
			w.settings.Searches = w.settings.Searches[:5]
			w.reload()
			for n := range 5 {
				w.search(fmt.Sprint("N", n), fmt.Sprintf("https://new.example/%d", n))
			}
			w.reload()
			w.pass(10 * time.Second)
		}
		if got := w.portal.asked(); len(got) > 0 {
			t.Errorf("asked %q within the interval", got)
		}
		w.pass(10*time.Minute - time.Since(began) + 30*time.Second)
		if got := w.portal.asked(); len(got) != len(urls)+5 {
			t.Errorf("asked %q in the regular cycle", got)
		}
	})
}

// In the middle of a cycle it is checked in that, and never past its host's backoff.
func TestNewSearchAndTheCycleInFlight(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval = 10 * time.Minute
		w.midCycle()
		w.search("N", "https://a.example/n")
		w.show("https://a.example/n", ids(1, 10)...)
		w.reload()
		w.cycle()
		if got := w.portal.asked(); len(got) != 5 || got[0] != "https://a.example/n" {
			t.Errorf("asked %q, want the new one next, and four more", got)
		}
		w.all([]string{"https://a.example/a", "https://a.example/b", "https://a.example/c", "https://a.example/d", "https://a.example/e", "https://a.example/n"}, refused(time.Hour))
		w.cycle()
		w.portal.asked()
		w.search("O", "https://a.example/o")
		w.show("https://a.example/o", ids(1, 10)...)
		w.reload()
		w.pass(5 * time.Minute)
		if got := w.portal.asked(); len(got) > 0 {
			t.Errorf("asked %q of a host that is being left alone", got)
		}
	})
}

// The cycle is busy with another host, and the new search is on one that has just refused.
func TestNewSearchInACycleWaitsForItsHost(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval = 10 * time.Minute
		w.search("P", urlP)
		w.search("R", urlR)
		w.portal.set(urlP, refused(time.Hour))
		w.show(urlR, ids(1, 10)...)
		w.portal.slow(urlR, 20*time.Second, true)
		w.start()
		w.pass(5 * time.Second)
		w.portal.asked()
		w.search("Q", urlQ)
		w.show(urlQ, ids(1, 10)...)
		w.reload()
		w.pass(5 * time.Minute)
		if got := w.portal.asked(); len(got) > 0 {
			t.Errorf("asked %q of a host that is being left alone", got)
		}
	})
}

// One search is paused and resumed by an impatient hand.
func TestResumedSearchIsCheckedSoonOnce(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval, w.settings.Jitter = 10*time.Minute, 0
		urls := w.five()
		w.start()
		w.cycle()
		w.portal.asked()
		for range 20 {
			w.mon.PauseSearch(urls[2], true)
			w.pass(3 * time.Second)
			w.mon.PauseSearch(urls[2], false)
			w.pass(10 * time.Second)
		}
		if got := w.portal.asked(); !slices.Equal(got, urls[2:3]) {
			t.Errorf("asked %q, want %q once", got, urls[2])
		}
	})
}

// A new search on a mistyped host does not make us offline.
func TestNewSearchOnAHostThatIsNotThere(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval = 10 * time.Minute
		w.search("P", urlP)
		w.show(urlP, ids(1, 10)...)
		w.start()
		w.cycle()
		w.search("N", "https://mistyped.example/n")
		w.portal.set("https://mistyped.example/n", unreachable())
		w.reload()
		w.cycle()
		synctest.Wait()
		if v := w.view(); v.Phase != monitor.Watching {
			t.Errorf("phase %s", v.Phase)
		}
	})
}
