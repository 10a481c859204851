package monitor

import (
	"encoding/json"
	"testing"
	"time"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

func TestLadder(t *testing.T) {
	const min = time.Minute
	climb := func(l Ladder, asked time.Duration) func(Backoff) Backoff {
		return func(h Backoff) Backoff { return h.Climb(l, DefaultTiming(), asked, noon, 0.5) }
	}
	repeat := func(h Backoff) Backoff { return h.repeat(DefaultTiming(), noon, 0.5) }
	clear := func(b Backoff) Backoff { return HostRecord{Backoff: b}.Clear().Backoff }
	refuse, fail := climb(RefusalLadder, 0), climb(ErrorLadder, 0)
	for _, row := range []struct {
		name  string
		steps []func(Backoff) Backoff
		want  time.Duration
	}{
		{"the first refusal", []func(Backoff) Backoff{refuse}, 1 * min},
		{"the second refusal", []func(Backoff) Backoff{refuse, refuse}, 2 * min},
		{"the third refusal", []func(Backoff) Backoff{refuse, refuse, refuse}, 5 * min},
		{"the fourth refusal", []func(Backoff) Backoff{refuse, refuse, refuse, refuse}, 10 * min},
		{"the fifth refusal", []func(Backoff) Backoff{refuse, refuse, refuse, refuse, refuse}, 20 * min},
		{"the sixth refusal", []func(Backoff) Backoff{refuse, refuse, refuse, refuse, refuse, refuse}, 30 * min},
		{"the top of the refusals", []func(Backoff) Backoff{refuse, refuse, refuse, refuse, refuse, refuse, refuse, refuse}, 30 * min},
		{"a rung again", []func(Backoff) Backoff{refuse, refuse, repeat, repeat}, 2 * min},
		{"the first error", []func(Backoff) Backoff{fail}, 1 * min},
		{"the top of the errors", []func(Backoff) Backoff{fail, fail, fail, fail, fail, fail}, 10 * min},
		{"a refusal after errors", []func(Backoff) Backoff{fail, fail, fail, refuse}, 1 * min},
		{"cleared in between", []func(Backoff) Backoff{refuse, refuse, clear, refuse}, 1 * min},
		{"asked for longer", []func(Backoff) Backoff{climb(RefusalLadder, 90*min)}, 90 * min},
		{"asked for shorter", []func(Backoff) Backoff{climb(RefusalLadder, time.Second)}, 1 * min},
		{"asked for a day", []func(Backoff) Backoff{climb(RefusalLadder, 24*time.Hour)}, 6 * time.Hour},
	} {
		var h Backoff
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
		h := Backoff{}.Climb(RefusalLadder, DefaultTiming(), 0, noon, u)
		if h.Wait.Round(time.Millisecond) != want {
			t.Errorf("drawn at %v: %v, want %v", u, h.Wait, want)
		}
	}
}

func TestClockSetBackCannotLengthenAWait(t *testing.T) {
	h := Backoff{Ladder: RefusalLadder, Rung: 1, Wait: time.Minute, RetryAt: noon.Add(time.Minute)}
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
	}
}

func TestProbeIsEachTimeAnother(t *testing.T) {
	var due []*watch
	for _, url := range []string{"a", "b", "c"} {
		due = append(due, &watch{search: Search{URL: url}})
	}
	for last, want := range map[string]string{"": "a", "a": "b", "b": "c", "c": "a", "gone": "a"} {
		if got := nextProbe(due, due, last).search.URL; got != want {
			t.Errorf("after %q: %q, want %q", last, got, want)
		}
	}
}

func TestPulse(t *testing.T) {
	const beat = time.Second
	p := pulse{wall: noon, mono: noon}
	for name, row := range map[string]struct{ wall, mono, want time.Duration }{
		"an even beat":                  {beat, beat, 0},
		"asleep":                        {8 * time.Hour, beat, 8*time.Hour - beat},
		"asleep, where our waits go on": {8 * time.Hour, 8 * time.Hour, 0},
		"the clock set back":            {beat - 2*time.Hour, beat, -2 * time.Hour},
		"the clock set forward":         {beat + 2*time.Hour, beat, 2 * time.Hour},
		"held up":                       {7 * time.Second, 7 * time.Second, 0},
		"held up, and the clock is being put right": {7*time.Second + time.Millisecond, 7 * time.Second, time.Millisecond},
		"the other clock set back":                  {beat, beat - 5*time.Second, beat},
		"the other clock set forward":               {beat, beat + 5*time.Second, -5 * time.Second},
	} {
		if got := p.since(noon.Add(row.wall), noon.Add(row.mono)); got != row.want {
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

// What an older Notifio has written of a host, in its own words.
func TestHostOfAnOlderLedgerIsRead(t *testing.T) {
	const body = `{"Host":"a.example","Ladder":"refusal","Rung":3,"Wait":300000000000,"RetryAt":"2026-03-02T12:05:00Z","Errors":1,"Probe":"https://a.example/1"}`
	var h HostRecord
	if err := json.Unmarshal([]byte(body), &h); err != nil {
		t.Fatal(err)
	}
	want := HostRecord{Host: "a.example", Errors: 1, Probe: "https://a.example/1",
		Backoff: Backoff{Ladder: RefusalLadder, Rung: 3, Wait: 5 * time.Minute, RetryAt: noon.Add(5 * time.Minute)}}
	if h != want {
		t.Errorf("read %+v, want %+v", h, want)
	}
	if again, err := json.Marshal(h); err != nil || string(again) != body {
		t.Errorf("written %s, %v", again, err)
	}
}
