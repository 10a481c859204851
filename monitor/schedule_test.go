package monitor_test

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

// first is how long after a start the first check begins.
func (w *world) first() time.Duration {
	w.t.Helper()
	w.portal.asked()
	began := time.Now()
	w.start()
	w.cycle()
	w.stop()
	return w.portal.at("")[0].Sub(began)
}

// Logging in starts many copies in the same second, and nobody waits for them.
func TestStartsAtLoginAreSpreadOverAnInterval(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.atLogin = true
		const starts = 120
		var fifths [5]int // of the 25 s that an interval has at least
		later := 0
		for range starts {
			w.seed++
			switch wait := w.first(); {
			case wait < 0 || wait >= 35*time.Second:
				t.Fatalf("first check after %v", wait)
			case wait >= 25*time.Second:
				later++
			default:
				fifths[wait/(5*time.Second)]++
			}
		}
		// A sixth of them each: 20, deviation 4.
		for i, n := range append(fifths[:], later) {
			if math.Abs(float64(n)-starts/6) > 12 {
				t.Errorf("part %d of the interval was drawn %d times of %d", i, n, starts)
			}
		}
	})
}

// Who asks seldom still hears within the first minute how things stand.
func TestWaitAfterLoginIsShortForALongInterval(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.atLogin = true
		w.settings.Interval, w.settings.Jitter = 6*time.Hour, time.Hour
		for range 20 {
			w.seed++
			if wait := w.first(); wait >= 35*time.Second {
				t.Fatalf("first check after %v", wait)
			}
		}
	})
}

func TestStartByHandChecksAtOnce(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		for range 20 {
			w.seed++
			if wait := w.first(); wait != 0 {
				t.Fatalf("first check after %v", wait)
			}
		}
	})
}

func TestWaitAfterLoginIsShownAndCutShort(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.atLogin = true
		w.start()
		v := w.view()
		if left := v.NextCheck.Sub(v.At); v.Phase != monitor.Watching || left < 2*time.Second {
			t.Fatalf("%s, the next check in %v", v.Phase, left)
		}
		w.logged("Started at login. First poll in ")
		if text := w.row("P").Text; text != "not checked yet" {
			t.Errorf("the row says %q", text)
		}
		w.pass(time.Second)
		if asked := w.portal.asked(); len(asked) != 0 {
			t.Fatalf("asked %q before the countdown was over", asked)
		}
		w.mon.CheckNow()
		synctest.Wait()
		if asked := w.portal.asked(); len(asked) != 1 {
			t.Errorf("asked %q after Check now", asked)
		}
	})
}

// Copies that start together with a FirstWait begin as many cycles in each second
// as if they had been running for long; with one that is uniform over the interval
// they would not.
func TestFirstWaitLeavesNoSpike(t *testing.T) {
	const copies, interval, jitter = 200_000, 30 * time.Second, 5 * time.Second
	busiest := func(first func(r *rand.Rand) time.Duration) float64 {
		r := rand.New(rand.NewPCG(1, 2))
		var seconds [120]int
		for range copies {
			for at := first(r); at < 2*time.Minute; at += monitor.Draw(interval, jitter, r.Float64()) {
				seconds[at/time.Second]++
			}
		}
		most := 0
		for _, n := range seconds {
			most = max(most, n)
		}
		return float64(most) / (copies / interval.Seconds())
	}
	got := busiest(func(r *rand.Rand) time.Duration {
		return monitor.FirstWait(interval, jitter, r.Float64(), r.Float64())
	})
	if got > 1.05 { // the deviation of a second is 0.012
		t.Errorf("the busiest second has %.2f times the mean", got)
	}
	plain := busiest(func(r *rand.Rand) time.Duration { return time.Duration(r.Float64() * float64(interval)) })
	if plain < 1.3 {
		t.Errorf("a plain wait has %.2f times the mean: this test would not notice", plain)
	}
}
