//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// adorned serves a page with 30 cards, two pictures each, and three fonts.
func adorned(b *testing.B) string {
	picture := []byte("<svg xmlns='http://www.w3.org/2000/svg' width='300' height='200'><rect width='300' height='200' fill='teal'/>" +
		strings.Repeat("<circle cx='150' cy='100' r='50'/>", 200) + "</svg>")
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/picture/"):
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = w.Write(picture)
		case strings.HasPrefix(r.URL.Path, "/font/"):
			w.Header().Set("Content-Type", "font/woff2")
			_, _ = w.Write(make([]byte, 30_000))
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, adornedPage())
		}
	}))
	b.Cleanup(s.Close)
	return s.URL + "/rooms"
}

func adornedPage() string {
	var h strings.Builder
	h.WriteString("<!DOCTYPE html><title>Rooms</title><style>")
	for n := range 3 {
		fmt.Fprintf(&h, "@font-face { font-family: F%d; src: url(/font/%d.woff2) } .f%d { font-family: F%d }", n, n, n, n)
	}
	h.WriteString("</style>")
	for n := range 30 {
		fmt.Fprintf(&h, "<article class=f%d><img src=/picture/%d><img src=/picture/%d><a href=/room/%d>Home %d</a> € 1000</article>", n%3, 2*n, 2*n+1, 100_000+n, n)
	}
	return h.String()
}

// BenchmarkPictures compares the ways to keep pictures and fonts out: by answering
// each request, and by the switches that Notifio gives to Chromium.
func BenchmarkPictures(b *testing.B) {
	url := adorned(b)
	routed := newBare(b)
	err := routed.page.Route("**/*", func(r playwright.Route) {
		switch r.Request().ResourceType() {
		case "image", "font", "media":
			_ = r.Abort()
		default:
			_ = r.Continue()
		}
	})
	if err != nil {
		b.Fatal(err)
	}
	all := []struct {
		what string
		s    *bare
		took []float64
	}{
		{"all loaded", newBare(b), nil},
		{"kept out by route interception", routed, nil},
		{"kept out by switches, as in Notifio", newBare(b, "--blink-settings=imagesEnabled=false", "--disable-remote-fonts"), nil},
	}
	for n := range runs(30, 6) + 2 {
		for i := range all {
			began := time.Now()
			look(b, all[i].s.page, url, nil)
			if n >= 2 {
				all[i].took = append(all[i].took, ms(time.Since(began)))
			}
		}
	}
	for i, a := range all {
		r := reading{Row: rowCheck + 2, What: "goto + evaluate of a page with 60 pictures and 3 fonts, " + a.what, Unit: "ms", Ours: a.took}
		if i > 0 {
			r.Floor = &floor{"all loaded", all[0].took}
		}
		hand(b, r)
	}
}
