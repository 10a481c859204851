//go:build linux

package main

import (
	"encoding/json"
	"os"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/browser"
	"notifio.app/notifio/monitor"
)

// hand gives a reading to whoever runs the measurement.
func hand(b testing.TB, r reading) {
	b.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		b.Fatal(err)
	}
	b.Attr(attrKey, string(text))
}

// runs is how many samples are taken: so many, or few in the short form.
func runs(full, few int) int {
	if os.Getenv(quickVariable) != "" {
		return few
	}
	return full
}

// newBrowser starts the product's own browser, as it runs for a user.
func newBrowser(b *testing.B) *browser.Browser {
	b.Helper()
	br, err := browser.New(browser.Options{
		Executable: os.Getenv("NOTIFIO_BROWSER"), Headless: true, Profile: b.TempDir(),
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = br.Close(b.Context()) })
	if err := br.Start(b.Context()); err != nil {
		b.Fatal(err)
	}
	return br
}

// newBare starts a bare session within this process.
func newBare(b *testing.B, switches ...string) *bare {
	b.Helper()
	s, err := startBare(b.TempDir(), switches...)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(s.close)
	return s
}

// check checks a page, which must show so many listings; -1: any number. It says
// how long that took and how many there were.
func check(b *testing.B, br *browser.Browser, url string, listings int) (time.Duration, int) {
	b.Helper()
	began := time.Now()
	page, err := br.Check(b.Context(), monitor.Search{Name: "bench", URL: url, Enabled: true})
	took := time.Since(began)
	if err != nil || listings >= 0 && len(page.Listings) != listings {
		b.Fatalf("%s: %v, %s (%s), %d listings, want %d", url, err, page.Verdict, page.Reason, len(page.Listings), listings)
	}
	return took, len(page.Listings)
}

// look is the bare way to read a page: goto, and one evaluate in the page.
func look(b *testing.B, p playwright.Page, url string, until *playwright.WaitUntilState) int {
	b.Helper()
	if _, err := p.Goto(url, playwright.PageGotoOptions{WaitUntil: until}); err != nil {
		b.Fatal(err)
	}
	return count(b, p)
}

// count is how many cards a page shows.
func count(b *testing.B, p playwright.Page) int {
	b.Helper()
	n, err := p.Evaluate("document.querySelectorAll('article').length")
	if err != nil {
		b.Fatal(err)
	}
	cards, ok := n.(int)
	if !ok {
		b.Fatalf("the page counts %v cards", n)
	}
	return cards
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// less is each sample without a part that is told apart.
func less(samples []float64, part float64) []float64 {
	out := make([]float64, len(samples))
	for i, s := range samples {
		out[i] = s - part
	}
	return out
}
