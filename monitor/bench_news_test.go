package monitor_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// Five hundred listings are published at any time on fifteen searches of five hosts,
// whose checks take 0.6 s and whose mail takes 0.3 s. Each has its banner and its
// email within one interval at its longest and the checks of one cycle.
func TestBenchNewsOfFiveHundredListings(t *testing.T) {
	t.Parallel()
	const listings, check = 500, 600 * time.Millisecond
	in(t, func(t *testing.T, w *world) {
		var urls []string
		shown := map[string][]int{}
		for n := range 15 {
			url := fmt.Sprintf("https://site%d.example/search/%d", n%5, n)
			urls = append(urls, url)
			shown[url] = ids(100*n+1, 100*n+30)
			w.search(fmt.Sprint("Search ", n), url)
			w.show(url, shown[url]...)
			w.portal.slow(url, check, true)
		}
		w.inbox.took = 300 * time.Millisecond
		told := &witness{bannered: map[int]time.Time{}, mailed: map[int]time.Time{}}
		w.startWith(told)
		w.cycles(2)
		draw := rand.New(rand.NewPCG(7, 7))
		published := map[int]time.Time{}
		for n := range listings {
			time.Sleep(time.Duration(draw.Int64N(int64(20 * time.Second))))
			url := urls[draw.IntN(len(urls))]
			shown[url] = append([]int{5000 + n}, shown[url]...)
			if len(shown[url]) > 40 {
				shown[url] = shown[url][:40]
			}
			w.show(url, shown[url]...)
			published[5000+n] = time.Now()
			w.portal.drain()
		}
		w.cycles(2)
		w.pass(30 * time.Second)
		bannered, mailed := told.after(published)
		if len(bannered) != listings || len(mailed) != listings {
			t.Fatalf("%d banners and %d mails about %d listings", len(bannered), len(mailed), listings)
		}
		// A cycle may have passed the search by a moment ago; then it is the next
		// one, which takes some seconds to come to it, and ten more until the mail.
		if worst := slices.Max(bannered); worst > 50 {
			t.Errorf("a banner came after %v s", worst)
		}
		half := &floor{"half the interval + one check", []float64{15 + check.Seconds()}}
		hand(t, reading{Row: rowNews, What: "virtual: listing on the portal to its banner", Unit: "s", Ours: bannered, Floor: half})
		hand(t, reading{Row: rowNews, What: "virtual: listing on the portal to the mail server's 250", Unit: "s", Ours: mailed, Floor: half})
	})
}

// witness notes when somebody is told of a home, by its number.
type witness struct {
	mu               sync.Mutex
	bannered, mailed map[int]time.Time
	inbox            *inbox
}

// street finds the homes in a text by their addresses.
var street = regexp.MustCompile(`Street (\d+)`)

// Notify takes banners of single homes, and those that count several and name them.
func (w *witness) Notify(b monitor.Banner) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, found := range street.FindAllStringSubmatch(b.Title+"\n"+b.Body, -1) {
		w.note(w.bannered, found[1])
	}
}

// note writes down when a home was first told; mu is held.
func (w *witness) note(told map[int]time.Time, number string) {
	n, err := strconv.Atoi(number)
	if _, before := told[n]; err == nil && !before {
		told[n] = time.Now()
	}
}

func (w *witness) Deliver(ctx context.Context, l monitor.Letter, seal func([]byte) error) error {
	err := w.inbox.Deliver(ctx, l, seal)
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		for _, a := range l.Alerts {
			w.note(w.mailed, a.Listing.ID)
		}
	}
	return err
}

// after is how long each of the listings that were published took, in seconds.
func (w *witness) after(published map[int]time.Time) (bannered, mailed []float64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for n, at := range published {
		if told, ok := w.bannered[n]; ok {
			bannered = append(bannered, told.Sub(at).Seconds())
		}
		if told, ok := w.mailed[n]; ok {
			mailed = append(mailed, told.Sub(at).Seconds())
		}
	}
	return bannered, mailed
}

// startWith runs the monitor with a witness at the end of both ways.
func (w *world) startWith(told *witness) {
	w.t.Helper()
	told.inbox = w.inbox
	ctx, cancel := context.WithCancel(context.Background())
	opened, err := store.Open(ctx, w.dir, w.wall())
	if err != nil {
		w.t.Fatal(err)
	}
	w.ledger = opened.Store
	w.settings.Destinations = mailTo(told, "me@example.org")
	w.run(ctx, cancel, opened.Memory, told)
}
