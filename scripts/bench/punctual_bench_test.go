//go:build linux

package main

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/portal"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// rounds is the monitor within this process, with a real browser and a real ledger,
// and what can be read from its views.
type rounds struct {
	mu     sync.Mutex
	begun  []time.Time // cycles
	ended  []time.Time
	due    []time.Time // when the cycle after each was to begin
	last   monitor.View
	events chan struct{} // one slot
}

func (r *rounds) publish(v monitor.View) {
	now := time.Now()
	r.mu.Lock()
	defer r.mu.Unlock()
	checking, was := v.Phase == monitor.Checking, r.last.Phase == monitor.Checking
	switch {
	case checking && !was:
		r.begun = append(r.begun, now)
	case was && !checking:
		r.ended = append(r.ended, now)
		r.due = append(r.due, v.NextCheck)
	}
	r.last = v
	select {
	case r.events <- struct{}{}:
	default:
	}
}

// await waits until so many cycles have begun and so many have ended.
func (r *rounds) await(begun, ended int) {
	for range r.events {
		r.mu.Lock()
		done := len(r.begun) >= begun && len(r.ended) >= ended
		r.mu.Unlock()
		if done {
			return
		}
	}
}

// sum is how long the last checks of all searches took together, in seconds.
func (r *rounds) sum() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all time.Duration
	for _, row := range r.last.Rows {
		all += row.Took
	}
	return all.Seconds()
}

// quiet takes banners and drops them.
type quiet struct{}

func (quiet) News(bool)                   {}
func (quiet) Notice(monitor.Banner, bool) {}
func (quiet) Awake()                      {}

// watch runs a monitor on these searches until the returned function is called.
func watch(b *testing.B, checker monitor.Checker, lanes int, searches []*portal.Search) (*rounds, func()) {
	b.Helper()
	opened, err := store.Open(b.Context(), b.TempDir(), time.Now())
	if err != nil {
		b.Fatal(err)
	}
	r := &rounds{events: make(chan struct{}, 1)}
	s := monitor.Settings{Interval: 30 * time.Second, Jitter: 5 * time.Second, Lanes: lanes}
	for n, p := range searches {
		s.Searches = append(s.Searches, monitor.Search{Name: fmt.Sprint("Search ", n+1), URL: p.URL(), Enabled: true})
	}
	m := monitor.NewMonitor(monitor.Options{
		Settings: s, Memory: opened.Memory, Checker: checker, Ledger: opened.Store, Teller: quiet{},
		Log: slog.New(slog.DiscardHandler), Publish: r.publish,
	})
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	return r, func() { stop(); <-ended; opened.Store.Close() }
}

// BenchmarkPunctual compares when cycles begin with when they were to begin, over
// twenty of them, on pages that take from 0.1 to 8 s.
func BenchmarkPunctual(b *testing.B) {
	p := portal.Start(b)
	var searches []*portal.Search
	for n, slow := range []time.Duration{100 * time.Millisecond, 2 * time.Second, 8 * time.Second} {
		s := p.Host(fmt.Sprintf("site%d", n)).Search("/rooms").ShowRange(30, 1)
		searches = append(searches, s.Answer(portal.Slow(slow)))
	}
	r, stop := watch(b, newBrowser(b), 3, searches)
	cycles := runs(20, 2)
	r.await(cycles+1, cycles)
	stop()
	var late, between []float64
	for n := range cycles {
		late = append(late, ms(r.begun[n+1].Sub(r.due[n]).Abs()))
		between = append(between, r.begun[n+1].Sub(r.begun[n]).Seconds())
	}
	hand(b, reading{Row: rowPunctual, What: "real: how far a cycle begins from its drawn target", Unit: "ms", Ours: late, Aim: &aim{"every one ≤ 50 ms", onWorst, 50}})
	hand(b, reading{Row: rowPunctual, What: "real: start to start", Unit: "s", Ours: between})
}

// BenchmarkCycle measures whole cycles of fifteen searches whose checks take 3 s.
func BenchmarkCycle(b *testing.B) {
	br := newBrowser(b)
	portals := map[int]*portal.Portal{5: portal.Start(b), 15: portal.Start(b)}
	url := portals[5].Host("calibration").Search("/rooms").ShowRange(30, 1).URL()
	var quick []float64
	for range 7 {
		took, _ := check(b, br, url, 30)
		quick = append(quick, took.Seconds())
	}
	slow := portal.Slow(time.Duration((3 - spreadOf(quick).Median) * float64(time.Second)))
	for _, c := range []struct {
		hosts, lanes, runs, row int
		aim                     *aim
	}{
		{5, 3, 5, rowCycle, &aim{"≤ 19 s", onMedian, 19}},
		{15, 3, 3, rowLanes, &aim{"≤ 18 s", onMedian, 18}},
		{15, 1, 1, rowLanes + 1, nil},
		{15, 5, 3, rowLanes + 2, nil},
	} {
		var all, alone []float64
		for range runs(c.runs, 1) {
			searches := fifteen(portals[c.hosts], c.hosts)
			for _, s := range searches {
				s.Answer(slow)
			}
			r, stop := watch(b, br, c.lanes, searches)
			r.await(1, 1)
			stop()
			all, alone = append(all, r.ended[0].Sub(r.begun[0]).Seconds()), append(alone, r.sum())
		}
		hand(b, reading{Row: c.row, What: fmt.Sprintf("cycle of 15 searches on %d hosts, 3 s a check, %d lanes", c.hosts, c.lanes), Unit: "s",
			Ours: all, Floor: &floor{"these checks one after another", alone}, Aim: c.aim})
	}
}
