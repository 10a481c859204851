package browser

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

func TestWhatARedirectLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		lost     []string
	}{
		{"https://rooms.example/search?city=utrecht&max=900", "https://rooms.example/search?max=900", []string{"city=utrecht"}},
		{"https://rooms.example/search?city=utrecht", "https://rooms.example/search?city=zwolle", []string{"city=utrecht"}},
		{"https://rooms.example/rent/utrecht/500-900", "https://rooms.example/rent/utrecht", []string{"500-900"}},
		{"https://rooms.example/rent?area=[%22utrecht%22]", "https://rooms.example/rent", []string{"area=[\"utrecht\"]"}},
		{"https://rooms.example/#/search?city=utrecht", "https://rooms.example/#/search", []string{"city=utrecht"}},
		// no loss: trackers, order, language, case, a session, an empty one, another place for the same
		{"https://rooms.example/search?city=utrecht&utm_source=mail", "https://rooms.example/search?city=utrecht", nil},
		{"https://rooms.example/search?a=1&b=2", "https://www.rooms.example/search?b=2&a=1&page=1", nil},
		{"https://rooms.example/search?city=Utrecht&max=", "https://rooms.example/en/search?city=utrecht", nil},
		{"https://rooms.example/search?city=utrecht&lang=nl", "https://rooms.example/search?city=utrecht", nil},
		{"https://rooms.example/search?city=utrecht&s=4f8a9c7d6e5b4a3f2e1d", "https://rooms.example/search?city=utrecht&s=1a2b3c4d5e6f7a8b9c0d", nil},
		{"https://rooms.example/search?city=utrecht", "https://rooms.example/search/utrecht/", nil},
		{"https://rooms.example/search.html?city=utrecht", "https://rooms.example/search?city=utrecht", nil},
	} {
		from, _ := url.Parse(c.from)
		to, _ := url.Parse(c.to)
		if got := lostParts(from, to); !slices.Equal(got, c.lost) {
			t.Errorf("%s to %s: %q, want %q", c.from, c.to, got, c.lost)
		}
	}
}

// A search that is sent elsewhere is results at its first check, which names what was
// dropped, and no results once it has been seen with what is dropped now. A login on
// another host of the site is a login; another site is named.
func TestRedirectsOfARealBrowser(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		to := func(host, path string) {
			_, port, _ := strings.Cut(r.Host, ":")
			http.Redirect(w, r, "http://"+host+":"+port+path, http.StatusFound)
		}
		switch {
		case r.URL.Path == "/lost" && r.URL.Query().Has("city"):
			to("rooms.localhost", "/lost?max=900")
		case r.URL.Path == "/tracked" && r.URL.Query().Has("utm_source"):
			to("rooms.localhost", "/tracked?city=utrecht")
		case r.URL.Path == "/private":
			to("accounts.rooms.localhost", "/authorize?client_id=web")
		case r.URL.Path == "/sold":
			to("parking.localhost", "/rooms")
		case strings.HasPrefix(r.Host, "accounts."):
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, `<!doctype html><title>Welcome</title><h1>Welcome back</h1><form><input name="email"><button>Next</button></form>`)
		default:
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, resultsHTML(12))
		}
	})
	for _, c := range []struct {
		path, landed string
		verdict      monitor.Verdict
		reason       string
		dropped      []string
	}{
		{"/lost?city=utrecht&max=900", "", monitor.Results, "", []string{"city=utrecht"}},
		{"/lost?city=utrecht&max=900", "/lost?city=utrecht&max=900", monitor.NotResults, "without city=utrecht", nil},
		{"/lost?city=utrecht&max=900", "/lost?max=900", monitor.Results, "", []string{"city=utrecht"}},
		{"/tracked?city=utrecht&utm_source=mail", "", monitor.Results, "", nil},
		{"/private", "", monitor.SignedOut, "", nil},
		{"/sold", "", monitor.NotResults, "parking.localhost", nil},
	} {
		s := searchAt(at("rooms", c.path))
		if c.landed != "" {
			s.Landed = at("rooms", c.landed)
		}
		p, err := b.Check(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if p.Verdict != c.verdict || !strings.Contains(p.Reason, c.reason) || !slices.Equal(p.Dropped, c.dropped) {
			t.Errorf("%s after %q: %s %q, dropped %q", c.path, c.landed, p.Verdict, p.Reason, p.Dropped)
		}
	}
}

// A list in a frame of the same site is read; of another one the address is named.
func TestListsInFrames(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		frame := `<!doctype html><title>Agency</title><h1>Our homes</h1><iframe width="900" height="700" src="%s"></iframe>`
		switch r.URL.Path {
		case "/own":
			fmt.Fprintf(w, frame, "/list")
		case "/foreign":
			fmt.Fprintf(w, frame, "http://list.localhost:"+port+"/list")
		default:
			fmt.Fprint(w, resultsHTML(12))
		}
	})
	if p := mustCheck(t, b, at("agency", "/own")); p.Verdict != monitor.Results || len(p.Listings) != 12 {
		t.Errorf("of the same site: %s %q, %d listings", p.Verdict, p.Reason, len(p.Listings))
	}
	p, err := b.Check(t.Context(), searchAt(at("agency", "/foreign")))
	if err != nil {
		t.Fatal(err)
	}
	if want := at("list", "/list"); p.Verdict != monitor.NotResults || !strings.Contains(p.Reason, want) {
		t.Errorf("of another site: %s %q, want the address %s", p.Verdict, p.Reason, want)
	}
}

// A page that was cut at the greatest number of elements is not clean.
func TestACutPageIsNotClean(t *testing.T) {
	t.Parallel()
	raw := strings.Replace(string(pageOf("")), `{"url"`, `{"cut":true,"settled":true,"url"`, 1)
	p := readerOf(t, "").read(loaded{URL: "https://rooms.example/search", Status: 200, Raw: []byte(raw)})
	if p.Verdict != monitor.NotResults || !strings.Contains(p.Reason, "too long") {
		t.Errorf("%s %q", p.Verdict, p.Reason)
	}
}
