package store

import (
	"fmt"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// page is a results page of 60 listings, the first of which has number first.
func page(first int) []monitor.Listing {
	out := make([]monitor.Listing, 60)
	for i := range out {
		n := first + i
		out[i] = monitor.Listing{Key: fmt.Sprintf("portal:%08d", n), ID: fmt.Sprintf("%08d", n),
			Canonical: fmt.Sprintf("portal.example/homes/amsterdam/%08d", n),
			URL:       fmt.Sprintf("https://www.portal.example/homes/amsterdam/%08d", n),
			Title:     fmt.Sprintf("Two rooms with a balcony, number %d", n), AreaM2: 55, Rooms: 2, Address: "Keizersgracht 1, Amsterdam",
			Price: monitor.Price{Amount: 1500, Currency: "EUR", Period: monitor.Month, Text: "€ 1.500 per month"}}
	}
	return out
}

// grown is a ledger with rows known listings, spread over fifteen searches.
func grown(b *testing.B, dir string, rows int) Opened {
	b.Helper()
	o := openQuietly(b, dir)
	var c monitor.Change
	for first := 0; first < rows; first += 60 {
		for _, l := range page(first) {
			c.Known = append(c.Known, monitor.Known{Search: searchNumber(first / 60 % 15), Key: l.Key, Canonical: l.Canonical,
				How: monitor.Baselined, Price: l.Price, AreaM2: l.AreaM2, Title: l.Title, LeftDay: 1, At: noon})
		}
		if len(c.Known) >= 20_000 || first+60 >= rows {
			save(b, o.Store, c)
			c.Known = nil
		}
	}
	return o
}

func searchNumber(n int) string {
	return fmt.Sprintf("https://www.portal.example/search?city=amsterdam&price=0-1750&sort=newest&n=%d", n)
}

// BenchmarkStep is what one check with one new listing costs on disk.
func BenchmarkStep(b *testing.B) {
	for _, rows := range []int{100_000, 1_000_000} {
		s := grown(b, b.TempDir(), rows).Store
		asked := page(15 * 60 * 50)
		b.Run(fmt.Sprintf("recall/%d", rows), func(b *testing.B) {
			for b.Loop() {
				if r := recall(b, s, searchNumber(0), asked...); len(r.Known) != 60 {
					b.Fatalf("%d known", len(r.Known))
				}
			}
		})
		b.Run(fmt.Sprintf("save/%d", rows), func(b *testing.B) {
			n := 0
			for b.Loop() {
				n++
				l := asked[0]
				l.Key = fmt.Sprint("new:", n)
				save(b, s, monitor.Change{
					Records: []monitor.Record{{Search: searchNumber(0), Baseline: asked, AcceptedAt: noon}},
					Known:   []monitor.Known{{Search: searchNumber(0), Key: l.Key, Canonical: l.Canonical, How: monitor.Alerted, Price: l.Price, At: noon}},
					Alerts:  []monitor.Alert{{ID: l.Key, Kind: monitor.New, Listing: l, Searches: []string{"Centrum"}, Found: noon}},
					Checks:  []monitor.CheckRecord{{Search: searchNumber(0), At: noon, Took: 3 * time.Second, Verdict: monitor.Results, Listings: 60, News: 1}},
				})
			}
		})
		b.Run(fmt.Sprintf("backup/%d", rows), func(b *testing.B) {
			day := noon
			for b.Loop() {
				day = day.AddDate(0, 0, 1)
				if err := s.Backup(b.Context(), day); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("open/%d", rows), func(b *testing.B) {
			dir := s.place.dir
			s.Close()
			for b.Loop() {
				openQuietly(b, dir).Store.Close()
			}
		})
	}
}
