package monitor_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Every cycle begins exactly when it was to begin, and what was drawn for it lies
// evenly between 25 and 35 s. Nothing here goes by the machine's clock.
func TestBenchStartsOverTwoHundredCycles(t *testing.T) {
	t.Parallel()
	in(t, func(t *testing.T, w *world) {
		for n := range 3 {
			url := fmt.Sprintf("https://site%d.example/search", n)
			w.search(fmt.Sprint("Search ", n), url)
			w.show(url, ids(1, 20)...)
		}
		w.start()
		const cycles = 200
		var targets, off []float64
		begun := time.Now()
		for n := range cycles {
			for i := range 3 {
				w.portal.slow(fmt.Sprintf("https://site%d.example/search", i), among(3*n+i+3), true)
			}
			due := w.nextCheck(t)
			w.portal.asked()
			time.Sleep(time.Until(due) + time.Millisecond)
			starts := w.portal.at("")
			if len(starts) == 0 {
				t.Fatalf("cycle %d did not begin at its time", n)
			}
			targets = append(targets, due.Sub(begun).Seconds())
			off = append(off, float64(starts[0].Sub(due).Abs())/float64(time.Millisecond))
			begun = starts[0]
		}
		// The first one is from the start of the test, not of a cycle.
		targets, off = targets[1:], off[1:]
		if worst := slices.Max(off); worst != 0 {
			t.Errorf("a cycle began %v ms from its target", worst)
		}
		if low, high := slices.Min(targets), slices.Max(targets); low < 25 || high > 35 {
			t.Errorf("targets from %v to %v s, want 25 to 35", low, high)
		}
		d := unevenness(targets, 25, 35)
		// One fair drawing of 199 in ten million is more uneven than this.
		if d > 2.9/math.Sqrt(float64(len(targets))) {
			t.Errorf("the targets lie %v from an even spread", d)
		}
		hand(t, reading{Row: rowPunctual, What: "virtual: how far a cycle begins from its drawn target", Unit: "ms", Ours: off, Aim: &aim{"exact", "worst", 0}})
		hand(t, reading{Row: rowPunctual, What: "virtual: drawn targets", Unit: "s", Ours: targets,
			Note: fmt.Sprintf("%.1f to %.1f s; %.3f from an even spread, 19 fair drawings of 20 are below %.3f",
				slices.Min(targets), slices.Max(targets), d, 1.358/math.Sqrt(float64(len(targets))))})
	})
}

// nextCheck waits for the end of the cycle in flight and says when the next one is
// to begin.
func (w *world) nextCheck(t *testing.T) time.Time {
	t.Helper()
	for range 100 {
		if v := w.view(); v.Phase == monitor.Watching && !v.NextCheck.IsZero() {
			return v.NextCheck
		}
		time.Sleep(250 * time.Millisecond)
	}
	t.Fatal("the cycle does not end")
	return time.Time{}
}

// unevenness is the statistic of Kolmogorov and Smirnov: how far the share of the
// samples below any value is at most from that of an even spread.
func unevenness(samples []float64, low, high float64) float64 {
	s := slices.Sorted(slices.Values(samples))
	worst := 0.0
	for i, v := range s {
		share := (v - low) / (high - low)
		worst = max(worst, math.Abs(share-float64(i)/float64(len(s))), math.Abs(share-float64(i+1)/float64(len(s))))
	}
	return worst
}
