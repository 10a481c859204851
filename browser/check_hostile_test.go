package browser

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// hostile answers each of the ways in which a page can be hostile, by path.
func hostile(w http.ResponseWriter, r *http.Request) {
	page := func(head string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprintf(w, "<!doctype html><title>x</title>%s%s", head, resultsHTML(5))
	}
	switch r.URL.Path {
	case "/good", "/circle/99":
		page("")
	case "/many":
		_, _ = w.Write([]byte(resultsHTML(30)))
	case "/loop":
		page("<script>while (true) {}</script>")
	case "/loop-later":
		page("<script>setTimeout(() => { while (true) {} }, 100)</script>")
	case "/alert":
		page("<script>alert('one'); confirm('two'); prompt('three')</script>")
	case "/alerts":
		page("<script>for (;;) alert('again')</script>")
	case "/beforeunload":
		page("<script>addEventListener('beforeunload', (e) => { e.preventDefault(); e.returnValue = 'stay' })</script>")
	case "/popup":
		page("<script>for (let i = 0; i < 20; i++) { open('/good?' + i); open('/good?' + i, '_blank', 'noopener') }</script>")
	case "/print":
		page("<script>print()</script>")
	case "/close":
		page("<script>close()</script>")
	case "/download":
		w.Header().Set("Content-Disposition", "attachment; filename=homes.csv")
		_, _ = w.Write([]byte("a,b,c"))
	case "/download-later":
		page("<script>location = '/download'</script>")
	case "/nothing":
		w.WriteHeader(http.StatusNoContent)
	case "/circle":
		http.Redirect(w, r, "/circle", http.StatusFound)
	case "/circle-by-script":
		page("<script>location.replace('/circle-by-script?' + Math.random())</script>")
	case "/circle-by-refresh":
		page("<meta http-equiv=refresh content=0>")
	case "/to-file":
		http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
	case "/silent":
		<-r.Context().Done()
	case "/trickle":
		trickle(w, r, resultsHTML(5)+"<p>")
	case "/trickle-headers":
		trickleHeaders(w, r)
	case "/cut-off":
		w.Header().Set("Content-Length", "100000")
		page("")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	case "/reset":
		if tcp, ok := hijack(w); ok {
			_ = tcp.SetLinger(0)
			_ = tcp.Close()
		}
	case "/empty-answer":
		if tcp, ok := hijack(w); ok {
			_ = tcp.Close()
		}
	case "/babble":
		if tcp, ok := hijack(w); ok {
			_, _ = tcp.Write([]byte("\x00\x01\x02 what? \r\n\r\n"))
			_ = tcp.Close()
		}
	case "/huge":
		huge(w)
	case "/observers":
		page("<script>setInterval(() => document.body.append(document.createElement('article')), 5)</script>")
	case "/refuses-empty-after-script":
		page("<script>location = '/429'</script>")
	case "/429":
		w.WriteHeader(http.StatusTooManyRequests)
	default:
		http.NotFound(w, r)
	}
}

func hijack(w http.ResponseWriter) (*net.TCPConn, bool) {
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return nil, false
	}
	tcp, ok := c.(*net.TCPConn)
	return tcp, ok
}

// trickle sends a beginning and then one byte at a time, for ever.
func trickle(w http.ResponseWriter, r *http.Request, begin string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(begin))
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if _, err := w.Write([]byte("x")); err != nil {
				return
			}
			_ = http.NewResponseController(w).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func trickleHeaders(w http.ResponseWriter, r *http.Request) {
	tcp, ok := hijack(w)
	if !ok {
		return
	}
	defer func() { _ = tcp.Close() }()
	_, _ = tcp.Write([]byte("HTTP/1.1 200 OK\r\nX-Long: "))
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := tcp.Write([]byte("x")); err != nil {
			return
		}
	}
}

// huge is a document of 50 MB.
func huge(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	block := strings.Repeat("<div><span>home</span> <b>for</b> <i>rent</i></div>\n", 1000)
	for sent := 0; sent < 50<<20; sent += len(block) {
		if _, err := w.Write([]byte(block)); err != nil {
			return
		}
	}
}

// TestHostilePageEndsWithinItsDeadline loads each hostile page while a sibling on
// another host is checked again and again, and then counts what is left open.
func TestHostilePageEndsWithinItsDeadline(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	at := serve(t, hostile)
	siblings := siblings{b, at("sibling", "/good")}
	any := func(p monitor.Page) string {
		if p.Verdict == "" {
			return "there is no verdict"
		}
		return ""
	}
	reason := func(want string) func(monitor.Page) string {
		return func(p monitor.Page) string {
			if !strings.Contains(p.Reason, want) {
				return "the reason is not about `" + want + "`"
			}
			return ""
		}
	}
	status := func(want int) func(monitor.Page) string {
		return func(p monitor.Page) string {
			if p.Status != want {
				return fmt.Sprintf("the status is not %d", want)
			}
			return ""
		}
	}
	for _, c := range []struct {
		path   string
		expect func(monitor.Page) string
	}{
		{"/loop", reason("too busy")},
		{"/loop-later", reason("too busy")},
		{"/alert", status(200)},
		{"/alerts", any},
		{"/beforeunload", status(200)},
		{"/popup", status(200)},
		{"/print", status(200)},
		{"/close", any},
		{"/download", reason("file to download")},
		{"/download-later", any},
		{"/nothing", reason("without a page")},
		{"/circle", reason("circle")},
		{"/circle-by-script", reason("circle")},
		{"/circle-by-refresh", any},
		{"/to-file", reason("not a web page")},
		{"/silent", reason("did not answer within")},
		{"/trickle", status(200)},
		{"/trickle-headers", reason("did not answer within")},
		{"/cut-off", any},
		{"/reset", reason("reset")},
		{"/empty-answer", reason("without an answer")},
		{"/babble", reason("not HTTP")},
		{"/observers", status(200)},
		{"/refuses-empty-after-script", status(429)},
	} {
		t.Run(strings.TrimPrefix(c.path, "/"), func(t *testing.T) {
			stop := siblings.run(t)
			began := time.Now()
			p, err := b.Check(t.Context(), searchAt(at("hostile", c.path)))
			took := time.Since(began)
			stop()
			if err != nil {
				t.Fatalf("no verdict: %v", err)
			}
			if wrong := c.expect(p); wrong != "" {
				t.Errorf("%s: %s %d %q", wrong, p.Verdict, p.Status, p.Reason)
			}
			if took > most(b.limits) {
				t.Errorf("it took %s, over the limit of %s", took, most(b.limits))
			}
			t.Logf("%s: %s %d %q, %d listings", took.Round(time.Millisecond), p.Verdict, p.Status, p.Reason, len(p.Listings))
		})
	}
	b.Rest(t.Context())
	if open := b.engine.context.Pages(); len(open) != 1 {
		t.Errorf("%d pages are open between cycles, instead of the one blank page", len(open))
	}
}

// siblings check one good page over and over.
type siblings struct {
	b   *Browser
	url string
}

// run checks until the returned function is called, which fails the test if any
// check was disturbed.
func (s siblings) run(t *testing.T) (stop func()) {
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() {
		for ctx.Err() == nil {
			p, err := s.b.Check(ctx, searchAt(s.url))
			if ctx.Err() != nil {
				return
			}
			if err != nil || p.Status != 200 {
				t.Errorf("a sibling was disturbed: %s %q %v", p.Verdict, p.Reason, err)
				return
			}
		}
	})
	return func() { cancel(); wg.Wait() }
}

// TestHugeDocumentEndsInTime loads 50 MB of document under the real limits, and
// counts goroutines and pages afterwards.
func TestHugeDocumentEndsInTime(t *testing.T) {
	b := browserFor(t, func(o *Options) { o.Limits = DefaultLimits() })
	at := serve(t, hostile)
	mustCheck(t, b, at("sibling", "/good"))
	b.Rest(t.Context())
	goroutines := runtime.NumGoroutine()
	stop := siblings{b, at("sibling", "/good")}.run(t)
	began := time.Now()
	p, err := b.Check(t.Context(), searchAt(at("hostile", "/huge")))
	took := time.Since(began)
	stop()
	if err != nil || p.Verdict == "" || p.Reason == "" || took > b.limits.Check+slack {
		t.Errorf("%s %q %v after %s", p.Verdict, p.Reason, err, took)
	}
	t.Logf("%s: %s %q", took, p.Verdict, p.Reason)
	b.Rest(t.Context())
	if open := b.engine.context.Pages(); len(open) != 1 {
		t.Errorf("%d pages are open", len(open))
	}
	// Connections of the fake site may linger: a handful, not one for each check.
	eventually(t, "the goroutines of the checks have ended", func() bool { return runtime.NumGoroutine() <= goroutines+10 })
}

// BenchmarkCheck shows what a check of a static page of 30 listings costs. After a
// thousand of them the tree must not have grown: run it with -benchtime=1000x.
func BenchmarkCheck(b *testing.B) {
	br := browserFor(b, func(o *Options) { o.Log = nil; o.Limits = DefaultLimits(); o.Limits.Checks = 0 })
	page := []byte(resultsHTML(30))
	at := serve(b, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page)
	})
	check := func() {
		if p, err := br.Check(b.Context(), searchAt(at("a", "/"))); err != nil || p.Status != 200 {
			b.Fatalf("%s %q %v", p.Verdict, p.Reason, err)
		}
		br.Rest(b.Context())
	}
	check()
	before := memory(br.engine.node.pid)
	for b.Loop() {
		check()
	}
	b.ReportMetric(float64(memory(br.engine.node.pid))/float64(max(before, 1)), "memory-ratio")
	b.ReportMetric(float64(runtime.NumGoroutine()), "goroutines")
}
