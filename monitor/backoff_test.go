package monitor

import (
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestLadder(t *testing.T) {
	const min = time.Minute
	climb := func(l Ladder, asked time.Duration) func(HostRecord) HostRecord {
		return func(h HostRecord) HostRecord { return h.Climb(l, DefaultTiming(), asked, noon, 0.5) }
	}
	repeat := func(h HostRecord) HostRecord { return h.repeat(DefaultTiming(), noon, 0.5) }
	refuse, fail := climb(RefusalLadder, 0), climb(ErrorLadder, 0)
	for _, row := range []struct {
		name  string
		steps []func(HostRecord) HostRecord
		want  time.Duration
	}{
		{"the first refusal", []func(HostRecord) HostRecord{refuse}, 1 * min},
		{"the second refusal", []func(HostRecord) HostRecord{refuse, refuse}, 2 * min},
		{"the third refusal", []func(HostRecord) HostRecord{refuse, refuse, refuse}, 5 * min},
		{"the fourth refusal", []func(HostRecord) HostRecord{refuse, refuse, refuse, refuse}, 10 * min},
		{"the fifth refusal", []func(HostRecord) HostRecord{refuse, refuse, refuse, refuse, refuse}, 20 * min},
		{"the sixth refusal", []func(HostRecord) HostRecord{refuse, refuse, refuse, refuse, refuse, refuse}, 30 * min},
		{"the top of the refusals", []func(HostRecord) HostRecord{refuse, refuse, refuse, refuse, refuse, refuse, refuse, refuse}, 30 * min},
		{"a rung again", []func(HostRecord) HostRecord{refuse, refuse, repeat, repeat}, 2 * min},
		{"the first error", []func(HostRecord) HostRecord{fail}, 1 * min},
		{"the top of the errors", []func(HostRecord) HostRecord{fail, fail, fail, fail, fail, fail}, 10 * min},
		{"a refusal after errors", []func(HostRecord) HostRecord{fail, fail, fail, refuse}, 1 * min},
		{"cleared in between", []func(HostRecord) HostRecord{refuse, refuse, HostRecord.Clear, refuse}, 1 * min},
		{"asked for longer", []func(HostRecord) HostRecord{climb(RefusalLadder, 90*min)}, 90 * min},
		{"asked for shorter", []func(HostRecord) HostRecord{climb(RefusalLadder, time.Second)}, 1 * min},
		{"asked for a day", []func(HostRecord) HostRecord{climb(RefusalLadder, 24*time.Hour)}, 6 * time.Hour},
	} {
		h := HostRecord{Host: "a.example"}
		for _, step := range row.steps {
			h = step(h)
		}
		if h.Wait != row.want || !h.RetryAt.Equal(noon.Add(row.want)) {
			t.Errorf("%s: waits %v until %v, want %v", row.name, h.Wait, h.RetryAt, row.want)
		}
	}
}

func TestWaitIsDrawnWithinATenth(t *testing.T) {
	for u, want := range map[float64]time.Duration{0: 54 * time.Second, 0.25: 57 * time.Second, 0.5: time.Minute, 0.75: 63 * time.Second} {
		h := HostRecord{}.Climb(RefusalLadder, DefaultTiming(), 0, noon, u)
		if h.Wait.Round(time.Millisecond) != want {
			t.Errorf("drawn at %v: %v, want %v", u, h.Wait, want)
		}
	}
}

func TestClockSetBackCannotLengthenAWait(t *testing.T) {
	h := HostRecord{Ladder: RefusalLadder, Rung: 1, Wait: time.Minute, RetryAt: noon.Add(time.Minute)}
	for name, row := range map[string]struct {
		now  time.Time
		left time.Duration
	}{
		"as it was":        {noon, time.Minute},
		"half over":        {noon.Add(30 * time.Second), 30 * time.Second},
		"set back 2 hours": {noon.Add(-2 * time.Hour), time.Minute},
		"set forward":      {noon.Add(2 * time.Hour), time.Minute - 2*time.Hour},
	} {
		if left := h.mended(row.now).RetryAt.Sub(row.now); left != row.left {
			t.Errorf("%s: %v left, want %v", name, left, row.left)
		}
		p := pace{until: h.RetryAt, length: h.Wait}
		if left := p.mended(row.now).until.Sub(row.now); left != row.left {
			t.Errorf("%s: pace has %v left, want %v", name, left, row.left)
		}
	}
}

func TestProbeIsEachTimeAnother(t *testing.T) {
	var due []*watch
	for _, url := range []string{"a", "b", "c"} {
		due = append(due, &watch{search: Search{URL: url}})
	}
	for last, want := range map[string]string{"": "a", "a": "b", "b": "c", "c": "a", "gone": "a"} {
		if got := nextProbe(due, last).search.URL; got != want {
			t.Errorf("after %q: %q, want %q", last, got, want)
		}
	}
}

func TestPulse(t *testing.T) {
	const beat = time.Second
	start := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	p := pulse{wall: start, mono: start}
	for name, row := range map[string]struct{ wall, mono, want time.Duration }{
		"an even beat":                        {beat, beat, 0},
		"asleep, its timers standing still":   {8 * time.Hour, beat, 8*time.Hour - beat},
		"asleep, its timers going on":         {8 * time.Hour, 8 * time.Hour, 8*time.Hour - beat},
		"the clock set back":                  {beat - 2*time.Hour, beat, -2 * time.Hour},
		"the clock set forward":               {beat + 2*time.Hour, beat, 2 * time.Hour},
		"stopped, and a clock that is slewed": {7*time.Second + time.Millisecond, 7 * time.Second, 6 * time.Second},
	} {
		if got := p.since(start.Add(row.wall), start.Add(row.mono), beat); got != row.want {
			t.Errorf("%s: %v, want %v", name, got, row.want)
		}
	}
}

// A difference of two times with Go's monotonic reading would never show a sleep.
func TestWallTimeHasNoMonotonicReading(t *testing.T) {
	m := NewMonitor(Options{Wall: time.Now})
	if a := m.now(); a != a.Round(0) {
		t.Errorf("%v keeps a monotonic reading", a)
	}
}
