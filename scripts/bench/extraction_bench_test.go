//go:build linux

package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/monitor"
)

// savedAt is the address at which saved pages are read.
const savedAt = "https://www.example.com/to-rent/amsterdam"

// BenchmarkExtraction reads a saved page of our own of 0.9 MB with its scripts off,
// where others have no captured ones.
func BenchmarkExtraction(b *testing.B) {
	ours, other := newBrowser(b), newBare(b)
	// Without pictures, as ours is: what a check does not load is not extraction.
	same := newBare(b, "--blink-settings=imagesEnabled=false", "--disable-remote-fonts")
	html := bigPage()
	var alone, looks []float64
	for n := range runs(20, 4) + 1 {
		began := time.Now()
		page, err := ours.ReadFile(b.Context(), savedAt, html, monitor.Search{Name: "bench", URL: savedAt})
		took := ms(time.Since(began))
		if err != nil || len(page.Listings) == 0 {
			b.Fatalf("%v, %s (%s)", err, page.Verdict, page.Reason)
		}
		bare, plain := ms(lookStill(b, other, html)), ms(lookStill(b, same, html))
		if n > 0 {
			looks, alone = append(looks, bare), append(alone, took-plain)
		}
	}
	hand(b, reading{
		Row: rowExtraction, What: "a page of our own, 0.90 MB, scripts off: extraction alone", Unit: "ms",
		Ours: alone, Floor: &floor{"bare goto + evaluate", looks}, // the aim is for a captured page
		Note: "what reading it has above the bare way in a browser that loads no pictures either",
	})
}

// bigPage is a results page of 0.9 MB: half of it cards within the wrappers and
// attributes that portals have, half of it the state of a script.
func bigPage() []byte {
	var h strings.Builder
	h.WriteString(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Homes to rent</title></head><body><main><h1>60 homes</h1>`)
	for n := 1; n <= 60; n++ {
		fmt.Fprintf(&h, `<article class="card"><a href="/to-rent/amsterdam/%d"><h2>Two rooms, number %d</h2></a>`, 410_000+n, n)
		for i := range 24 {
			fmt.Fprintf(&h, `<div class="wrap wrap--%d"><div class="inner inner--%d" data-testid="part-%d" data-track="%s"><span class="icon"></span><span></span></div></div>`,
				i, i, i, strings.Repeat("x", 160))
		}
		fmt.Fprintf(&h, `<address>Elm Street %d</address><p>€ %d per month</p><p>%d m²</p></article>`, n, 1000+n, 40+n)
	}
	h.WriteString(`</main><script type="application/json">"` + strings.Repeat("s", max(0, 900_000-h.Len())) + `"</script></body></html>`)
	return []byte(h.String())
}

// lookStill does what reading a saved page takes but for the reading: a context
// without scripts, a page, a route that serves the document, and one evaluate.
func lookStill(b *testing.B, s *bare, html []byte) time.Duration {
	b.Helper()
	began := time.Now()
	still, err := s.context.Browser().NewContext(playwright.BrowserNewContextOptions{
		JavaScriptEnabled: playwright.Bool(false), Offline: playwright.Bool(true),
	})
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = still.Close() }()
	p, err := still.NewPage()
	if err != nil {
		b.Fatal(err)
	}
	err = p.Route("**/*", func(r playwright.Route) {
		if r.Request().IsNavigationRequest() && r.Request().Frame() == p.MainFrame() {
			_ = r.Fulfill(playwright.RouteFulfillOptions{
				Status: playwright.Int(200), ContentType: playwright.String("text/html; charset=utf-8"), Body: html,
			})
			return
		}
		_ = r.Abort()
	})
	if err != nil {
		b.Fatal(err)
	}
	look(b, p, savedAt, playwright.WaitUntilStateDomcontentloaded)
	return time.Since(began)
}
