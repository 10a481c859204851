package browser

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// quick are limits for tests: pages and closing get less time than they do in
// earnest, and launching more, because test machines are busy.
func quick() Limits {
	l := DefaultLimits()
	l.Answer, l.Read, l.Late = 4*time.Second, 7*time.Second, time.Second
	l.PageClose, l.ContextClose, l.DriverStop = time.Second, 2*time.Second, time.Second
	l.Check, l.Patience, l.Launch = 2*time.Minute, time.Minute, time.Minute
	l.Relaunch = 10 * time.Millisecond
	return l
}

// slack is what a busy machine may add to a deadline. What does not end by its
// deadline hangs until a much later one, or for ever, so it is seen all the same.
const slack = 20 * time.Second

// most is how long a check may take whose browser runs already.
func most(l Limits) time.Duration {
	return min(l.Check, l.Read+l.PageClose+l.Alive) + slack
}

// browserFor starts a browser of its own for a test, and closes it afterwards.
func browserFor(t testing.TB, change func(*Options)) *Browser {
	t.Helper()
	o := Options{
		Executable: os.Getenv("NOTIFIO_BROWSER"), Headless: true, Profile: t.TempDir(), Limits: quick(),
		Log: slog.New(slog.NewTextHandler(logOf{t}, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
	if change != nil {
		change(&o)
	}
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	if err := b.Prepare(ctx); err != nil {
		t.Fatalf("a browser is needed for this test: %v", err)
	}
	t.Cleanup(func() {
		if err := b.Close(context.Background()); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return b
}

// logOf writes a test's log.
type logOf struct{ t testing.TB }

func (l logOf) Write(p []byte) (int, error) {
	l.t.Log(strings.TrimSpace(string(p)))
	return len(p), nil
}

// resultsHTML is a results page of n homes.
func resultsHTML(n int) string {
	var s strings.Builder
	fmt.Fprintf(&s, "<!doctype html><title>%d homes to rent</title><h1>%d results</h1><main>", n, n)
	for i := range n {
		fmt.Fprintf(&s, `<article><a href="/expose/%d"><h2>Home %d</h2></a><span>€ %d per month</span> <span>%d m²</span></article>`,
			88000000+i, i, 900+i, 40+i)
	}
	s.WriteString("</main>")
	return s.String()
}

// serve answers on 127.0.0.1, under every name below localhost.
func serve(t testing.TB, h http.HandlerFunc) func(host, path string) string {
	t.Helper()
	server := httptest.NewUnstartedServer(h)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return func(host, path string) string { return "http://" + host + ".localhost:" + port + path }
}

func searchAt(url string) monitor.Search {
	return monitor.Search{Name: url, URL: url, Enabled: true}
}

// eventually waits until something holds, for at most 20 s.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	ticker := time.NewTicker(10 * time.Millisecond)
	defer ticker.Stop()
	deadline := time.After(20 * time.Second)
	for !holds() {
		select {
		case <-ticker.C:
		case <-deadline:
			t.Fatalf("after 20s still not: %s", what)
		}
	}
}

// waiting serves pages that never answer and says when one is asked for, of one path
// 2 s later: a page asked for then is being closed when the first one's browser ends.
func waiting(t *testing.T) (at func(host, path string) string, asked <-chan string) {
	hosts := make(chan string, 10)
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			hostile(w, r)
			return
		case "/wait-announced-late":
			<-time.After(2 * time.Second)
		}
		hosts <- r.Host
		<-r.Context().Done()
	}), hosts
}

// result is what a check in the background brought.
type result struct {
	page monitor.Page
	err  error
	took time.Duration
}

func checkInBackground(ctx context.Context, b *Browser, url string) <-chan result {
	back := make(chan result, 1)
	go func() {
		began := time.Now()
		p, err := b.Check(ctx, searchAt(url))
		back <- result{p, err, time.Since(began)}
	}()
	return back
}
