package main

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

// portal is the one host of the simulation, for a real monitor.
type portal struct {
	began time.Time
	took  time.Duration
	host  outage

	mu    sync.Mutex
	asked []request
}

func (p *portal) Check(ctx context.Context, s monitor.Search) (monitor.Page, error) {
	at := time.Since(p.began)
	r := request{at: at, refused: p.host.refuses(at)}
	p.mu.Lock()
	p.asked = append(p.asked, r)
	p.mu.Unlock()
	time.Sleep(p.took) // in the bubble
	if r.refused {
		return monitor.Page{Verdict: monitor.Refused, Status: 429, FinalURL: s.URL}, ctx.Err()
	}
	return monitor.Page{Verdict: monitor.Empty, FinalURL: s.URL}, ctx.Err()
}

func (p *portal) Rest(context.Context) {}

// nowhere forgets what it is told.
type nowhere struct{}

func (nowhere) Recall(context.Context, string, []monitor.Listing) (monitor.Recollection, error) {
	return monitor.Recollection{}, nil
}
func (nowhere) Save(context.Context, monitor.Change) error { return nil }
func (nowhere) Alerts(context.Context, []string) (map[string]monitor.Alert, error) {
	return nil, nil
}
func (nowhere) Trouble() string             { return "" }
func (nowhere) News(bool)                   {}
func (nowhere) Notice(monitor.Banner, bool) {}
func (nowhere) Awake()                      {}

// monitored are the requests of a real monitor with a copy's habits.
func monitored(t *testing.T, c copyOf, end time.Duration) []request {
	p := &portal{took: c.took, host: c.host}
	synctest.Test(t, func(t *testing.T) {
		s := monitor.Settings{Interval: c.timing.Interval, Jitter: c.timing.Jitter, Lanes: 3}
		for n := range c.searches {
			s.Searches = append(s.Searches, monitor.Search{Name: strconv.Itoa(n), URL: "https://rooms.example/" + strconv.Itoa(n), Enabled: true})
		}
		m := monitor.NewMonitor(monitor.Options{
			Settings: s, Checker: p, Ledger: nowhere{}, Teller: nowhere{}, Log: slog.New(slog.DiscardHandler),
			Timing: c.timing, Rand: c.rand, AtLogin: c.spread,
		})
		p.began = time.Now()
		ctx, cancel := context.WithTimeout(t.Context(), end)
		defer cancel()
		m.Run(ctx)
		time.Sleep(p.took) // a check that was cut short
		synctest.Wait()
	})
	return p.asked
}

// constant draws the same number always, so that it does not matter for what: a
// monitor with several searches also draws their order.
type constant uint64

func (c constant) Uint64() uint64 { return uint64(c) }

// threeQuarters of what is drawn uniformly.
const threeQuarters constant = 3 << 51

// A copy asks at the very instants at which a monitor does, through the start, the
// refusal and the return.
func TestCopyAsksWhenAMonitorDoes(t *testing.T) {
	const end = 40 * time.Minute
	for _, c := range []struct {
		name   string
		habits habits
		source func() rand.Source
	}{
		{"one search", ours(1), func() rand.Source { return rand.NewPCG(1, 2) }},
		{"five searches", ours(5), func() rand.Source { return threeQuarters }},
		{"started by hand", byHand(ours(5)), func() rand.Source { return threeQuarters }},
	} {
		t.Run(c.name, func(t *testing.T) {
			one := copyOf{habits: c.habits, host: refusal, rand: rand.New(c.source())}
			want := monitored(t, one, end)
			var got []request
			one.rand, one.asked = rand.New(c.source()), func(r request) {
				r.alone = false // a portal cannot see that
				if r.at < end {
					got = append(got, r)
				}
			}
			one.live(end)
			if len(want) < 40 || !slices.ContainsFunc(want, func(r request) bool { return r.refused }) {
				t.Fatalf("the monitor made %d requests", len(want))
			}
			if !slices.Equal(got, want) {
				for i := range min(len(got), len(want)) {
					if got[i] != want[i] {
						t.Fatalf("request %d is %+v, and the monitor's %+v", i, got[i], want[i])
					}
				}
				t.Fatalf("%d requests, and the monitor made %d", len(got), len(want))
			}
		})
	}
}

func byHand(h habits) habits { h.spread = false; return h }
