package monitor_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Hosts that refuse, hang or take their time.

// Host A refuses three searches for twenty minutes: it is asked once, and then once
// for each rung. Host B is checked as ever. What came meanwhile is told, all of it.
func TestOneRequestForEachRung(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.timing.LadderJitter = 0
		w.seldom(time.Minute)
		onA := []string{"https://a.example/1", "https://a.example/2", "https://a.example/3"}
		onB := []string{"https://b.example/1", "https://b.example/2"}
		for i, url := range slices.Concat(onA, onB) {
			w.search(fmt.Sprint("S", i), url)
			w.show(url, ids(1, 20)...)
		}
		w.start()
		w.cycles(2)
		w.all(onA, refused(0))
		w.portal.asked()
		begin := time.Now()
		w.pass(20 * time.Minute)
		var rungs []string
		for _, r := range w.portal.requestsTo(onA) {
			rungs = append(rungs, r.Sub(begin).Truncate(time.Minute).String())
		}
		if want := 5; len(rungs) != want { // at once, and after 1, 2, 5 and 10 minutes more
			t.Errorf("asked after %q, want %d requests", rungs, want)
		}
		if n := len(w.portal.requestsTo(onB)); n < 34 {
			t.Errorf("the other host was asked %d times in twenty minutes", n)
		}
		w.all(onA, results(homes(ids(1, 23)...)...))
		w.pass(40 * time.Minute)
		w.told("21 22 23")
		w.logged("Recovered 1 site(s), checking 2 held search(es)")
		if row := w.row("S0"); row.State != monitor.RowFine || !row.RetryAt.IsZero() {
			t.Errorf("row %+v", row)
		}
	})
}

// requestsTo are when these pages were asked for, in order.
func (p *portal) requestsTo(urls []string) []time.Time {
	p.mu.Lock()
	defer p.mu.Unlock()
	var at []time.Time
	for _, r := range p.requests {
		if slices.Contains(urls, r.url) {
			at = append(at, r.at)
		}
	}
	return at
}

// One portal of fifteen takes the connection and never answers; the fourteen others
// are checked as often as ever.
func TestHostThatNeverAnswersHoldsUpNobody(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		var others []string
		for n := range 15 {
			url := fmt.Sprintf("https://h%d.example/rooms", n)
			w.search(fmt.Sprint("S", n), url)
			w.show(url, ids(1, 10)...)
			if n > 0 {
				others = append(others, url)
			}
		}
		w.start()
		w.cycles(2)
		silent := "https://h0.example/rooms"
		w.portal.set(silent, timeout())
		w.portal.slow(silent, 25*time.Second, true)
		w.portal.asked()
		w.pass(4 * time.Minute)
		for _, url := range others {
			at := w.portal.at(url)
			if len(at) < 5 {
				t.Errorf("%s was checked %d times in four minutes", url, len(at))
			}
			for i := 1; i < len(at); i++ {
				if gap := at[i].Sub(at[i-1]); gap > 45*time.Second {
					t.Errorf("%s was left alone for %v", url, gap)
				}
			}
		}
		w.show(silent, ids(1, 11)...)
		w.portal.slow(silent, 0, false)
		w.pass(15 * time.Minute)
		w.told("11")
	})
}

// A page that takes a minute and a half, of a search that is due every half minute:
// never two checks of it at a time, and no queue of those that were missed.
func TestSlowPageIsNeverCheckedTwiceAtATime(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Jitter = 0
		w.timing.Stuck = 2 * time.Minute // the browser gives up sooner
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 10)...)
		w.show(urlQ, ids(1, 10)...)
		w.portal.slow(urlP, 90*time.Second, true)
		w.start()
		w.pass(30 * time.Minute)
		if _, clash := w.portal.crowd(); clash {
			t.Error("two checks of one host at a time")
		}
		at := w.portal.at(urlP)
		for i := 1; i < len(at); i++ {
			if gap := at[i].Sub(at[i-1]); gap < 95*time.Second {
				t.Errorf("checked again after %v", gap)
			}
		}
		w.portal.slow(urlP, 0, false)
		w.pass(2 * time.Minute)
		w.portal.asked()
		w.pass(5 * time.Minute)
		if n := len(w.portal.at(urlP)); n < 9 || n > 11 {
			t.Errorf("%d checks in the five minutes after it", n)
		}
	})
}
