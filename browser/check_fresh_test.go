package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/monitor"
)

// stale is a site that lets everything be kept: a page with a script and a style, and
// data of its own and of another host that refuses any header that it does not know.
type stale struct {
	mu     sync.Mutex
	asked  map[string]int // method and path
	newest int            // room
	head   func(h http.Header)
	worker string // the script of a service worker
}

func (s *stale) times(what string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[what]
}

func (s *stale) publish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest++
}

func (s *stale) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.Method+" "+r.URL.Path]++
	newest := s.newest
	s.mu.Unlock()
	s.head(w.Header())
	rooms := func(from, to int) string {
		var b strings.Builder
		for i := from; i <= to; i++ {
			fmt.Fprintf(&b, `<article><h2><a href="/room/%d">Room %d</a></h2><p>€ %d p.m.</p></article>`, 5000+i, i, 500+i)
		}
		return b.String()
	}
	switch r.URL.Path {
	case "/rooms":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, port, _ := strings.Cut(r.Host, ":")
		fmt.Fprintf(w, `<!doctype html><title>Rooms</title><link rel="stylesheet" href="/style.css"><script src="/script.js"></script>
			<h1>Rooms</h1><main>%s</main><script>
			const show = (html) => document.querySelector('main').insertAdjacentHTML('beforeend', html);
			fetch('/own').then((r) => r.text()).then(show);
			fetch('http://api.localhost:%s/api').then((r) => r.text()).then(show);</script>`, rooms(1, newest), port)
	case "/own":
		fmt.Fprint(w, rooms(100, 100+newest))
	case "/api":
		if r.Method == http.MethodOptions { // nobody asked for leave, so nobody may be refused it
			w.WriteHeader(http.StatusForbidden)
			return
		}
		w.Header().Set("Access-Control-Allow-Origin", "*")
		fmt.Fprint(w, rooms(200, 200+newest))
	case "/worker.js":
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, s.worker)
	case "/script.js", "/style.css":
		w.Header().Set("Content-Type", map[bool]string{true: "text/javascript", false: "text/css"}[r.URL.Path == "/script.js"])
	case "/visit":
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>Welcome</title><script>
			navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready).then(() => { document.title = 'ready'; });</script>`)
	default:
		http.NotFound(w, r)
	}
}

func newStale(head func(h http.Header)) *stale {
	return &stale{asked: map[string]int{}, newest: 10, head: head}
}

// Each check asks for the document and its data, whatever a site lets be kept, and
// reads what is new there. Scripts and styles are kept, and no site is asked for
// leave to send a header.
func TestChecksAskAfresh(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	for name, head := range map[string]func(h http.Header){
		"kept for ten minutes": func(h http.Header) { h.Set("Cache-Control", "max-age=600") },
		"changed long ago": func(h http.Header) {
			h.Set("Last-Modified", time.Now().AddDate(0, 0, -20).UTC().Format(http.TimeFormat))
		},
	} {
		s := newStale(head)
		at := serve(t, s.ServeHTTP)
		for i := range 3 {
			p := mustCheck(t, b, at("stale", "/rooms"))
			if want := 3*s.newest + 2; len(p.Listings) != want {
				t.Errorf("%s: check %d: %d listings, want %d (%s)", name, i+1, len(p.Listings), want, p.Reason)
			}
			for _, what := range []string{"GET /rooms", "GET /own", "GET /api"} {
				if n := s.times(what); n != i+1 {
					t.Errorf("%s: after check %d: %s %d times", name, i+1, what, n)
				}
			}
			s.publish()
		}
		if n := s.times("OPTIONS /api"); n > 0 {
			t.Errorf("%s: leave was asked %d times", name, n)
		}
		for _, what := range []string{"GET /script.js", "GET /style.css"} {
			if n := s.times(what); n != 1 {
				t.Errorf("%s: %s %d times", name, what, n)
			}
		}
	}
}

// cacheFirst is a worker that keeps everything for ever and beats twice a second.
const cacheFirst = `
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (e) => e.waitUntil(clients.claim()));
self.addEventListener('fetch', (e) => {
	if (e.request.url.includes('/beat')) return;
	e.respondWith(caches.open('all').then((c) => c.match(e.request).then((hit) => hit || fetch(e.request).then((r) => { c.put(e.request, r.clone()); return r; }))));
});
setInterval(() => fetch('/beat'), 500);`

// A worker that a visit has left in the profile answers no check, and does not work
// between checks.
func TestNoWorkerStandsBetween(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	s := newStale(func(http.Header) {})
	s.worker = cacheFirst
	at := serve(t, s.ServeHTTP)
	visitOf(t, b, at("stale", "/visit"), "ready")
	visitOf(t, b, at("stale", "/rooms"), "Rooms") // now it is kept
	before := s.times("GET /rooms")
	for i := range 3 {
		s.publish()
		p := mustCheck(t, b, at("stale", "/rooms"))
		if want := 3*s.newest + 2; len(p.Listings) != want {
			t.Errorf("check %d: %d listings, want %d (%s)", i+1, len(p.Listings), want, p.Reason)
		}
		if n := s.times("GET /rooms") - before; n != i+1 {
			t.Errorf("check %d: asked %d times", i+1, n)
		}
	}
	eventually(t, "the workers are stopped", func() bool { return b.engine.workers(t) == 0 })
}

// visitOf opens a page as a sign-in window does, with nothing of a check in it.
func visitOf(t *testing.T, b *Browser, url, title string) {
	t.Helper()
	e, err := b.running(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	page, err := e.context.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	if _, err := page.Goto(url); err != nil {
		t.Fatal(err)
	}
	if _, err := page.WaitForFunction(`(title) => document.title === title`, title); err != nil {
		t.Fatal(err)
	}
}

// workers counts the service workers that run.
func (e *engine) workers(t *testing.T) int {
	t.Helper()
	answer, err := e.control.Send("Target.getTargets", nil)
	if err != nil {
		t.Fatal(err)
	}
	list, ok := dig(answer, "targetInfos").([]any)
	if !ok {
		list, _ = answer.([]any)
	}
	n := 0
	for _, info := range list {
		if dig(info, "type") == "service_worker" {
			n++
		}
	}
	return n
}

// A page may do to its own world what it likes.
func TestThePageCannotTouchTheScript(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	const attack = `<script>
		JSON.stringify = () => '['.repeat(300000) + ']'.repeat(300000);
		Array.prototype.push = Map.prototype.set = String.prototype.replace = () => { throw new Error('mine'); };
		Object.defineProperty(Node.prototype, 'childNodes', { get() { for (;;); } });
		window.setTimeout = window.MutationObserver = document.querySelectorAll = undefined;
	</script>`
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, attack+resultsHTML(12))
	})
	if p := mustCheck(t, b, at("a", "/rooms")); p.Verdict != monitor.Results || len(p.Listings) != 12 {
		t.Errorf("%s %q, %d listings", p.Verdict, p.Reason, len(p.Listings))
	}
}

// What a page opens is closed, and what somebody else opens in the same browser is not.
func TestOnlyOurOwnPopupsAreClosed(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><title>a</title><a href="/b" target="_blank">next</a>`)
	})
	e, err := b.running(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := e.context.NewPage()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := theirs.Goto(at("theirs", "/a")); err != nil {
		t.Fatal(err)
	}
	tab, err := theirs.ExpectPopup(func() error { return theirs.Locator("a").Click() })
	if err != nil {
		t.Fatal(err)
	}
	ours, err := e.open(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ours.page.Goto(at("ours", "/a")); err != nil {
		t.Fatal(err)
	}
	shut := make(chan struct{})
	ours.page.OnPopup(func(p playwright.Page) { p.OnClose(func(playwright.Page) { close(shut) }) })
	if err := ours.page.Locator("a").Click(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "our page's popup is closed", func() bool { return passed(shut) })
	if title, err := tab.Title(); err != nil || title != "a" {
		t.Errorf("somebody else's tab: %q, %v", title, err)
	}
	if err := tab.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateLoad}); err != nil {
		t.Error(err)
	}
}
