package monitor_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// BenchmarkDecision measures what comes after a page: guards, diff, and the commit
// of what is new, until others can see it. The page has 60 listings, one of them
// new each time; the ledger knows 100,000.
func BenchmarkDecision(b *testing.B) {
	opened, err := store.Open(b.Context(), b.TempDir(), time.Now())
	if err != nil {
		b.Fatal(err)
	}
	defer opened.Store.Close()
	fill(b, opened.Store, 100_000)
	hand(b, reading{
		Row: rowDecision, What: "decision after a check, 60 listings, 1 new, 100,000 known: on disk", Unit: "ms",
		Ours: decisions(b, opened.Store), Aim: &aim{"≤ 15 ms", "median", 15},
	})
	hand(b, reading{
		Row: rowDecision, What: "the same without the disk", Unit: "ms",
		Ours: decisions(b, &noDisk{known: map[string]monitor.Known{}}), Aim: &aim{"≤ 0.2 ms", "median", 0.2},
	})
}

// fill makes a ledger that has seen much, spread over fifteen searches.
func fill(b *testing.B, ledger monitor.Ledger, rows int) {
	b.Helper()
	for from := 0; from < rows; from += 10_000 {
		var c monitor.Change
		for n := from; n < from+10_000; n++ {
			l := home(1_000_000 + n)
			c.Known = append(c.Known, monitor.Known{Search: fmt.Sprintf("https://site.example/search/%d", n%15), Key: l.Key,
				Canonical: l.Canonical, How: monitor.Baselined, Price: l.Price, Title: l.Title, LeftDay: 1, At: time.Now()})
		}
		if err := ledger.Save(b.Context(), c); err != nil {
			b.Fatal(err)
		}
	}
}

// decisions runs a monitor for many cycles, as fast as they come, and returns how
// long each of them took from the page to the view, in ms. The page moves on by one
// listing each time.
func decisions(b *testing.B, ledger monitor.Ledger) []float64 {
	b.Helper()
	const cycles, warm = 220, 20
	p := &pages{enough: make(chan struct{}), cycles: cycles}
	t := monitor.DefaultTiming()
	t.Floor, t.Spacing, t.SpacingJitter = 2*time.Millisecond, 0, 0
	m := monitor.NewMonitor(monitor.Options{
		Settings: monitor.Settings{
			Searches: []monitor.Search{{Name: "Centrum", URL: "https://site.example/search/0", Enabled: true, PriceDrops: true}},
			Interval: 5 * time.Millisecond, Lanes: 1, Banners: true,
		},
		Checker: p, Ledger: ledger, Teller: nobody{}, Log: slog.New(slog.DiscardHandler), Publish: p.publish, Timing: t,
	})
	ctx, stop := context.WithCancel(b.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); m.Run(ctx) }()
	<-p.enough
	stop()
	<-ended
	return p.took[warm:]
}

// pages shows a page at once, and notes when its outcome is published.
type pages struct {
	mu       sync.Mutex
	cycles   int
	shown    int
	returned time.Time // when the last page was handed over; zero: its outcome is known
	took     []float64 // ms
	enough   chan struct{}
}

func (p *pages) Check(context.Context, monitor.Search) (monitor.Page, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.shown++
	page := results(homes(ids(p.shown, p.shown+59)...)...)
	page.FinalURL = "https://site.example/search/0"
	p.returned = time.Now()
	return page, nil
}

func (p *pages) publish(v monitor.View) {
	now := time.Now()
	p.mu.Lock()
	defer p.mu.Unlock()
	if v.Phase == monitor.Checking || p.returned.IsZero() || len(p.took) == p.cycles {
		return
	}
	p.took = append(p.took, float64(now.Sub(p.returned))/float64(time.Millisecond))
	p.returned = time.Time{}
	if len(p.took) == p.cycles {
		close(p.enough)
	}
}

func (p *pages) Rest(context.Context) {}

// noDisk remembers nothing but what is known, and writes nothing.
type noDisk struct{ known map[string]monitor.Known }

func (d *noDisk) Recall(_ context.Context, _ string, listings []monitor.Listing) (monitor.Recollection, error) {
	r := monitor.Recollection{Known: map[string]monitor.Known{}}
	for _, l := range listings {
		if k, ok := d.known[l.Key]; ok {
			r.Known[l.Key] = k
		}
	}
	return r, nil
}

func (d *noDisk) Save(_ context.Context, c monitor.Change) error {
	for _, k := range c.Known {
		d.known[k.Key] = k
	}
	return nil
}

// nobody tells nothing.
type nobody struct{}

func (nobody) News(bool)                   {}
func (nobody) Notice(monitor.Banner, bool) {}
func (nobody) Awake()                      {}

func (*noDisk) Alerts(context.Context, []string) (map[string]monitor.Alert, error) { return nil, nil }

func (*noDisk) Trouble() string { return "" }
