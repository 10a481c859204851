package monitor_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// What may move the beat, and what may not.

// slowDisk takes its time for everything that is written.
type slowDisk struct {
	ledger
	takes time.Duration
}

func (d slowDisk) Save(ctx context.Context, c monitor.Change) error {
	time.Sleep(d.takes)
	return d.ledger.Save(ctx, c)
}

// The first half of story 43: every save takes seven seconds for half an hour.
func TestSlowDiskIsNoSleepAndLeavesTheBeat(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.settings.Jitter = 0
		w.disk = func(l ledger) ledger { return slowDisk{l, 7 * time.Second} }
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.portal.asked()
		w.pass(30 * time.Minute)
		if n := len(w.portal.at(urlP)); n != 60 {
			t.Errorf("%d checks in half an hour, want 60", n)
		}
		if strings.Contains(w.lines.text(), "Awake again") {
			t.Error("the disk was taken for sleep")
		}
	})
}

// The clock on the wall is set by a few seconds, again and again: the beat goes by the
// other one.
func TestClockThatIsPutRightLeavesTheBeat(t *testing.T) {
	for _, by := range []time.Duration{-5 * time.Second, 5 * time.Second} {
		t.Run(by.String(), func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.settings.Jitter = 0
				w.search("P", urlP)
				w.show(urlP, ids(1, 20)...)
				w.start()
				w.cycles(2)
				w.portal.asked()
				for range 60 {
					w.pass(10 * time.Second)
					w.sleepFor(by)
				}
				if n := len(w.portal.at(urlP)); n != 20 {
					t.Errorf("%d checks in ten minutes, want 20", n)
				}
			})
		})
	}
}

// What a cycle took cannot be negative, but where the clock of our waits goes back.
func TestWaitIsNeverLongerThanItsTarget(t *testing.T) {
	timing := monitor.DefaultTiming()
	for elapsed, want := range map[time.Duration]time.Duration{
		-5 * time.Second: 30 * time.Second, 0: 30 * time.Second, 10 * time.Second: 20 * time.Second, time.Minute: 5 * time.Second,
	} {
		if got := timing.Wait(30*time.Second, elapsed); got != want {
			t.Errorf("after %v: %v, want %v", elapsed, got, want)
		}
	}
}
