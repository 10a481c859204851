package browser

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

// TestCheck is what checks do whose page is no worse than it should be, all in
// one browser.
func TestCheck(t *testing.T) {
	t.Parallel()
	at := serve(t, hostile)
	b := browserFor(t, func(o *Options) {
		o.Demo = func(string) string { return at("demo", "/good") }
		o.Limits.Answer, o.Limits.Read = 50*time.Second, 55*time.Second // nothing here ends by them
	})
	t.Run("reads status and Retry-After", func(t *testing.T) { statusAndRetryAfter(t, b) })
	t.Run("names a bad certificate", func(t *testing.T) { badCertificate(t, b) })
	t.Run("loads the demo from this machine", func(t *testing.T) { mustCheck(t, b, "demo:amsterdam") })
	t.Run("ends with its caller", func(t *testing.T) { endsWithItsCaller(t, b) })
	t.Run("reads a saved page at its own address", func(t *testing.T) { savedPage(t, b) })
}

func statusAndRetryAfter(t *testing.T, b *Browser) {
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
		{"refused until a date", "?status=503&body=1&after=" + url.QueryEscape(date), 503, 110 * time.Minute, 2 * time.Hour},
		{"refused with nothing to show", "?status=429&after=90", 429, 90 * time.Second, 90 * time.Second},
		{"forbidden with nothing to show", "?status=403", 403, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := b.Check(t.Context(), searchAt(at("a", "/"+c.query)))
			if err != nil {
				t.Fatal(err)
			}
			if p.Status != c.status {
				t.Errorf("status %d, want %d: %s", p.Status, c.status, p.Reason)
			}
			if p.RetryAfter < c.least || p.RetryAfter > c.most {
				t.Errorf("asked to stay away for %s, not within %s to %s", p.RetryAfter, c.least, c.most)
			}
		})
	}
}

func badCertificate(t *testing.T, b *Browser) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(hostile))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	defer server.Close()
	p, err := b.Check(t.Context(), searchAt(server.URL+"/good"))
	if err != nil || p.Verdict != monitor.Failed || p.Unreachable || !strings.Contains(p.Reason, "certificate is not valid") {
		t.Errorf("%+v, %v", p, err)
	}
}

func endsWithItsCaller(t *testing.T, b *Browser) {
	at, asked := waiting(t)
	ctx, cancel := context.WithCancel(t.Context())
	back := checkInBackground(ctx, b, at("one", "/wait"))
	<-asked
	cancelled := time.Now()
	cancel()
	r := <-back
	if !errors.Is(r.err, context.Canceled) || errors.Is(r.err, monitor.ErrBrowser) {
		t.Errorf("%v %v", r.page.Verdict, r.err)
	}
	if took := time.Since(cancelled); took >= b.limits.Answer {
		t.Errorf("it ended after %s, by its own deadline", took)
	}
}

func savedPage(t *testing.T, b *Browser) {
	var asked atomic.Int32
	at := serve(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	html := resultsHTML(12) + `<script>document.body.innerHTML = ''</script><img src="/x.png">`
	address := at("a", "/search?page=1")
	p, err := b.ReadFile(t.Context(), address, []byte(html), searchAt(address))
	if err != nil {
		t.Fatal(err)
	}
	if p.Verdict != monitor.Results || len(p.Listings) != 12 || !strings.HasPrefix(p.Listings[0].URL, at("a", "/expose/")) {
		t.Errorf("%s %q, %d listings", p.Verdict, p.Reason, len(p.Listings))
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests left this machine", n)
	}
}

// A check that had to wait for its browser has less time for the host, ends within
// the same limit, and does not blame the host for what is ours.
func TestWaitingForTheBrowserCountsAgainstTheCheck(t *testing.T) {
	synctest.Test(t, waitingForTheBrowser)
}

func waitingForTheBrowser(t *testing.T) {
	l := DefaultLimits()
	now := time.Now()
	for _, c := range []struct {
		waited, answer time.Duration
		hurried        bool
	}{
		{0, 25 * time.Second, false},
		{500 * time.Millisecond, 25 * time.Second, false},
		{5500 * time.Millisecond, 20 * time.Second, false},
		{13 * time.Second, 12500 * time.Millisecond, true},
	} {
		v := visit{b: &Browser{limits: l}, began: now.Add(-c.waited), asked: now}
		if got := v.left(l.Answer); got != c.answer {
			t.Errorf("after %s: %s left for the answer, want %s", c.waited, got, c.answer)
		}
		if end := c.waited + v.left(l.Read) + l.PageClose + l.Alive; end > l.Check {
			t.Errorf("after %s: a late page ends the check only at %s", c.waited, end)
		}
		if v.hurried() != c.hurried {
			t.Errorf("after %s: hurried %v", c.waited, v.hurried())
		}
	}
	l.Check = 2 * time.Minute
	if v := (&visit{b: &Browser{limits: l}, began: now.Add(-20 * time.Second), asked: now}); v.hurried() {
		t.Error("a host that had all of its time is not blamed for being late")
	}
}
