package monitor_test

import (
	"runtime"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// A month of uptime: a new home every hour, one let every other hour, a refusal
// every night, a mail server that fails for an hour a day, a laptop that sleeps at
// noon. Every home is told once, and nothing piles up.
func TestMonthOfUptime(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Interval, w.settings.Jitter = 10*time.Minute, time.Minute
		w.timing.Pulse = time.Minute
		w.timing.Asleep = 3 * time.Minute
		w.search("P", urlP)
		page := ids(1, 20)
		w.show(urlP, page...)
		w.start()
		w.cycles(2)
		told, next := map[string]int{}, 1000
		var early int
		for hour := range 30 * 24 {
			next++
			page = append([]int{next}, page...)
			if hour%2 == 0 {
				page = page[:len(page)-1]
			}
			w.show(urlP, page[:min(25, len(page))]...)
			switch hour % 24 {
			case 2:
				w.portal.set(urlP, refused(0))
			case 9:
				w.inbox.down()
			case 10:
				w.inbox.up()
			case 12:
				w.sleepFor(20 * time.Minute)
			}
			w.pass(time.Hour)
			for _, l := range w.inbox.take() {
				for _, a := range l.Alerts {
					if a.Kind == monitor.New {
						told[a.Listing.ID]++
					}
				}
			}
			w.portal.asked()
			w.forgetViews()
			if hour == 3*24 {
				early = runtime.NumGoroutine()
			}
		}
		w.pass(2 * time.Hour)
		for _, l := range w.inbox.take() {
			for _, a := range l.Alerts {
				told[a.Listing.ID]++
			}
		}
		for _, n := range ids(1001, next) {
			if got := told[home(n).ID]; got != 1 {
				t.Errorf("home %d was told %d times", n, got)
			}
		}
		if now := runtime.NumGoroutine(); now > early {
			t.Errorf("%d goroutines after a month, %d after three days", now, early)
		}
		if v := w.view(); len(v.Recent) > 10 || v.Pending != 0 || len(v.Troubles) != 0 {
			t.Errorf("recent %d, pending %d, troubles %v", len(v.Recent), v.Pending, v.Troubles)
		}
	})
}
