package report

import (
	"testing"
	"time"
)

func TestLengthsOfTime(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 s", 14 * time.Second: "14 s", 59*time.Second + 999*time.Millisecond: "1 min", 3*time.Minute + 20*time.Second: "3 min 20 s",
		59 * time.Minute: "59 min", time.Hour: "1 h", 2*time.Hour + 14*time.Minute: "2 h 14 min", 47 * time.Hour: "47 h", 50 * time.Hour: "2 days",
	} {
		if got := lasting(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

func TestSharesAreNeverRoundedToAllOrNothing(t *testing.T) {
	for _, c := range []struct {
		part, whole int
		want        string
	}{
		{0, 0, "–"}, {0, 9, "0 %"}, {9, 9, "100 %"}, {99999, 100000, "99.9 %"}, {1, 100000, "1 %"}, {1, 2, "50 %"}, {982, 1000, "98.2 %"},
	} {
		if got := percent(c.part, c.whole); got != c.want {
			t.Errorf("%d of %d: %q, want %q", c.part, c.whole, got, c.want)
		}
	}
}

func TestThousandsStandApart(t *testing.T) {
	for n, want := range map[int]string{0: "0", 999: "999", 1000: "1,000", 38412: "38,412", 1234567: "1,234,567"} {
		if got := number(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

func TestAxesHaveWholeNumbers(t *testing.T) {
	for highest, want := range map[int][2]int{0: {1, 1}, 1: {1, 1}, 4: {1, 4}, 5: {2, 6}, 63: {20, 80}, 8500: {5000, 10000}} {
		if step, top := ticks(highest); [2]int{step, top} != want {
			t.Errorf("up to %d: steps of %d up to %d, want %v", highest, step, top, want)
		}
	}
}
