package browser

import (
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"
)

func TestCheckReadsStatusAndRetryAfter(t *testing.T) {
	b := browserFor(t, nil)
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		status, err := strconv.Atoi(r.URL.Query().Get("status"))
		if err != nil {
			http.NotFound(w, r)
			return
		}
		if after := r.URL.Query().Get("after"); after != "" {
			w.Header().Set("Retry-After", after)
		}
		w.WriteHeader(status)
		if r.URL.Query().Get("body") != "" {
			_, _ = w.Write([]byte(resultsHTML(3)))
		}
	})
	date := time.Now().Add(2 * time.Hour).UTC().Format(http.TimeFormat)
	for _, c := range []struct {
		name, query string
		status      int
		least, most time.Duration
	}{
		{"plain", "?status=200&body=1", 200, 0, 0},
		{"refused in seconds", "?status=429&body=1&after=120", 429, 120 * time.Second, 120 * time.Second},
		{"refused until a date", "?status=503&body=1&after=" + url.QueryEscape(date), 503, 119 * time.Minute, 2 * time.Hour},
		{"refused with nothing to show", "?status=429&after=90", 429, 90 * time.Second, 90 * time.Second},
		{"forbidden with nothing to show", "?status=403", 403, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := b.Check(t.Context(), searchAt(at("a", "/"+c.query)))
			if err != nil {
				t.Fatal(err)
			}
			if p.Status != c.status {
				t.Errorf("status %d, want %d", p.Status, c.status)
			}
			if p.RetryAfter < c.least || p.RetryAfter > c.most {
				t.Errorf("asked to stay away for %s, not within %s to %s", p.RetryAfter, c.least, c.most)
			}
		})
	}
}
