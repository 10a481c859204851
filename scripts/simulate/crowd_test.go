package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"time"
)

// few copies are enough for what does not hang on their number.
const few = 500

func TestSameSeedGivesTheSameFigures(t *testing.T) {
	figures := func(seed uint64) string {
		var out bytes.Buffer
		startTable(&out, run(starting(few, seed)))
		returnTable(&out, run(returning(few, seed)))
		return out.String()
	}
	first := figures(1)
	if again := figures(1); first != again {
		t.Errorf("first\n%s\nthen\n%s", first, again)
	}
	if other := figures(2); first == other {
		t.Error("another seed gives the same figures")
	}
}

func TestCrowdInStepStaysInStep(t *testing.T) {
	seen := starting(few, 1)[0].run()
	for i, n := range seen.seconds {
		want := 0
		if i%30 == 0 {
			want = few
		}
		if n != want {
			t.Fatalf("%d requests in second %d, want %d", n, i, want)
		}
	}
	if _, ok := seen.evenFrom(); ok {
		t.Error("it counts as even")
	}
}

func TestRefusedCrowdAsksByProbesAlone(t *testing.T) {
	seen := returning(few, 1)[3].run()
	// The refusal, and probes after 1, 2 and 5 minutes; the next wait ends after it.
	if each := float64(seen.refused) / few; each < 3.9 || each > 4 {
		t.Errorf("%.2f requests refused of each copy", each)
	}
	between := seen.seconds[refusal.from/time.Second+40 : refusal.to/time.Second]
	if alone := seen.alone[refusal.from/time.Second+40 : refusal.to/time.Second]; !slices.Equal(between, alone) {
		t.Error("more than probes were sent while the host refused")
	}
	if len(seen.served) != few {
		t.Errorf("%d of %d copies came back", len(seen.served), few)
	}
	if last, ok := seen.later(1); !ok || last > 13*time.Minute {
		t.Errorf("the last copy is back after %v", last)
	}
}

func TestMeasuresOfACrowd(t *testing.T) {
	seen := tally{
		crowd:   crowd{copies: 4, length: 5 * time.Minute, host: outage{2 * time.Minute, 3 * time.Minute}},
		seconds: make([]int, 300), alone: make([]int, 300),
		served: []time.Duration{181 * time.Second, 190 * time.Second, 250 * time.Second},
	}
	for i := range seen.seconds {
		seen.seconds[i] = 10
	}
	seen.seconds[0], seen.seconds[20], seen.seconds[200], seen.seconds[290] = 90, 50, 11, 5
	seen.alone[100], seen.alone[200] = 9, 3
	if got := seen.peak(0); got != 90 {
		t.Errorf("peak %d", got)
	}
	if got := seen.peak(time.Minute); got != 11 {
		t.Errorf("peak after a minute %d", got)
	}
	if at, ok := seen.evenFrom(); at != 21*time.Second || !ok {
		t.Errorf("even from %v, %v", at, ok)
	}
	if got := seen.usual(); got != 10 {
		t.Errorf("usual %v", got)
	}
	if got := seen.firstMinute(); got != 11 {
		t.Errorf("most in the first minute %d", got)
	}
	if got := seen.probes(); got != 3 {
		t.Errorf("most probes %d", got)
	}
	if got := seen.back(0.5); got != "0:10" {
		t.Errorf("half is back after %s", got)
	}
	if got := seen.back(1); got != "not within the hour" {
		t.Errorf("all are back after %s", got)
	}
}

func TestPlotsNameTheirCrowds(t *testing.T) {
	starts, returns := run(starting(few, 1)), run(returning(few, 1))
	for _, p := range []struct {
		draw  func([]tally) ([]byte, error)
		of    []tally
		shown []tally
	}{{drawStart, starts, []tally{starts[0], starts[1], starts[3]}}, {drawReturn, returns, returns[1:]}} {
		svg, err := p.draw(p.of)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(svg, []byte("<svg ")) || !bytes.Contains(svg, []byte("fill:white")) {
			t.Errorf("not a picture with a ground of its own: %.200s", svg)
		}
		for _, s := range p.shown {
			if !strings.Contains(string(svg), s.crowd.name) {
				t.Errorf("%q is not named", s.crowd.name)
			}
		}
	}
}
