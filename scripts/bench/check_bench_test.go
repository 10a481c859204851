//go:build linux

package main

import (
	"encoding/json"
	"testing"
	"time"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/internal/fake/portal"
)

// BenchmarkCheck measures a whole check of a page that is there at once, beside the
// bare way to read it, in turns.
func BenchmarkCheck(b *testing.B) {
	url := portal.Start(b).Host("a").Search("/rooms").ShowRange(30, 1).URL()
	ours, other := newBrowser(b), newBare(b)
	var checks, looks []float64
	const warm = 5
	for n := range runs(100, 15) + warm {
		took, _ := check(b, ours, url, 30)
		ours.Rest(b.Context()) // until the next blank page is open
		began := time.Now()
		look(b, other.page, url, nil)
		bare := time.Since(began)
		if n >= warm {
			checks, looks = append(checks, ms(took)), append(looks, ms(bare))
		}
	}
	settled := settling(b, other, url)
	settle := spreadOf(settled).Median
	opened, closed := pages(b, other)
	hand(b, reading{
		Row: rowCheck, What: "one check of a static page of 30 listings, without settling", Unit: "ms",
		Ours: less(checks, settle), Floor: &floor{"bare goto + evaluate", looks},
		Aim: &aim{"≤ 1.4 ×", onRatio, 1.4},
	})
	for _, r := range []reading{
		{What: "all of that check", Ours: checks, Note: "settling included"},
		{What: "of it, settling", Ours: settled, Note: "waits in the page"},
		{What: "beside it, opening the next blank page", Ours: opened},
		{What: "after it, closing the page", Ours: closed},
	} {
		r.Row, r.Unit = rowCheck+1, "ms"
		hand(b, r)
	}
}

// settling is how long the script waits for a page that has settled already, as it
// says itself. It is asked as a check asks it.
func settling(b *testing.B, s *bare, url string) []float64 {
	b.Helper()
	var all []float64
	for range runs(30, 8) {
		look(b, s.page, url, nil)
		text, err := s.page.Evaluate(assets.ExtractScript, map[string]any{"settle_ms": 10000, "quiet_ms": 400, "max_nodes": 60000})
		var said struct {
			Waited float64 `json:"waited_ms"`
		}
		if err == nil {
			err = json.Unmarshal([]byte(text.(string)), &said)
		}
		if err != nil {
			b.Fatal(err)
		}
		all = append(all, said.Waited)
	}
	return all
}

// pages measures opening a blank page and closing it, beside one that stays.
func pages(b *testing.B, s *bare) (opened, closed []float64) {
	b.Helper()
	for range runs(30, 8) {
		began := time.Now()
		p, err := s.context.NewPage()
		if err != nil {
			b.Fatal(err)
		}
		opened = append(opened, ms(time.Since(began)))
		began = time.Now()
		if err := p.Close(); err != nil {
			b.Fatal(err)
		}
		closed = append(closed, ms(time.Since(began)))
	}
	return opened, closed
}
