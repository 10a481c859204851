package browser

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// TestCheckNamesOtherPages takes pages that only a browser can lead to: behind a
// redirect, on another host, in a frame.
func TestCheckNamesOtherPages(t *testing.T) {
	t.Parallel()
	var at func(host, path string) string
	at = serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/lost":
			http.Redirect(w, r, "/results", http.StatusFound)
		case "/members":
			http.Redirect(w, r, at("accounts.elsewhere", "/authorize?client_id=1"), http.StatusFound)
		case "/sold":
			http.Redirect(w, r, at("parking", "/"), http.StatusFound)
		case "/framed":
			fmt.Fprint(w, `<!doctype html><title>Rentals</title><h1>Rentals</h1><iframe src="/results" width="900" height="700"></iframe>`)
		case "/framed-elsewhere":
			fmt.Fprintf(w, `<!doctype html><title>Rentals</title><h1>Rentals</h1><iframe src=%q width="900" height="700"></iframe>`, at("lists", "/results"))
		case "/authorize":
			fmt.Fprint(w, `<!doctype html><title>Welcome</title><form><input type="email"><button>Next</button></form>`)
		default:
			fmt.Fprint(w, resultsHTML(5))
		}
	})
	b := browserFor(t, func(o *Options) { o.Limits = DefaultLimits() })
	for _, tt := range []struct {
		path, landed string
		want         monitor.Verdict
		reason       string
	}{
		{"/lost?city=utrecht", "/results?city=utrecht", monitor.NotResults, "without city=utrecht"},
		{"/lost?city=utrecht", "", monitor.Results, "5 links"},
		{"/members", "", monitor.SignedOut, "login"},
		{"/sold", "", monitor.NotResults, "another site, parking.localhost"},
		{"/framed", "", monitor.Results, "5 links"},
		{"/framed-elsewhere", "", monitor.NotResults, at("lists", "/results")},
	} {
		s := searchAt(at("rooms", tt.path))
		if tt.landed != "" {
			s.Landed = at("rooms", tt.landed)
		}
		p, err := b.Check(t.Context(), s)
		if err != nil || p.Verdict != tt.want || !strings.Contains(p.Reason, tt.reason) {
			t.Errorf("%s: %s (%s), %v", tt.path, p.Verdict, p.Reason, err)
		}
	}
}

// A host with umlauts is the one that the browser comes back from.
func TestAnUmlautHostIsTheSameSite(t *testing.T) {
	const saved, final = "http://bücher.example/search", "http://xn--bcher-kva.example/search"
	p := (&reader{}).read(loaded{URL: saved, FinalURL: final, Status: 200, Raw: pageOf("")})
	if p.Verdict != monitor.Results {
		t.Errorf("%s: %s", p.Verdict, p.Reason)
	}
	own, err := assets.DecodePortals("x", []byte("[[portal]]\nname = \"mine\"\nhosts = [\"bücher.example\"]\nlisting = ['^/room/(?P<id>\\d+)']\n"))
	if err != nil || !own[0].Covers("www.xn--bcher-kva.example") || !own[0].Covers("BÜCHER.example") {
		t.Error("a definition's host is another in its other spelling")
	}
}
