package browser

import (
	"context"
	"net/url"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// rereadings is how often a page is read again at most because it had asked its
// site for more when it was read.
const rereadings = 2

// idleAfter is how long a request has to be waited for in vain.
const idleAfter = time.Second

// asking are the requests for data that a page has open.
type asking struct {
	mu      sync.Mutex
	open    map[playwright.Request]string // what is asked for, without its query
	changed chan struct{}                 // closed and replaced when one is answered
}

// follow notes what a page asks for by script. The handlers run on the driver's
// one goroutine for messages, so they only take notes.
func (a *asking) follow(page playwright.Page) {
	a.open, a.changed = map[playwright.Request]string{}, make(chan struct{})
	page.OnRequest(func(r playwright.Request) {
		if kind := r.ResourceType(); kind != "fetch" && kind != "xhr" {
			return
		}
		if what, err := url.Parse(r.URL()); err == nil {
			a.mu.Lock()
			a.open[r] = what.Scheme + "://" + what.Host + what.Path
			a.mu.Unlock()
		}
	})
	page.OnRequestFinished(a.answered)
	page.OnRequestFailed(a.answered)
}

func (a *asking) answered(r playwright.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, open := a.open[r]; open {
		delete(a.open, r)
		close(a.changed)
		a.changed = make(chan struct{})
	}
}

// now are the open requests of which wanted says yes, and what is closed when one
// of all is answered.
func (a *asking) now(wanted func(what string) bool) (open map[playwright.Request]string, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	open = map[playwright.Request]string{}
	for r, what := range a.open {
		if wanted(what) {
			open[r] = what
		}
	}
	return open, a.changed
}

// more waits until what a page had asked its own site for when it was read has been
// answered, for that may be most of its listings; at most until More from the
// request. It says whether the page should be read again. What keeps a page waiting
// for nothing, such as a question that is answered only when something happens, is
// remembered and not waited for again.
func (v *visit) more(ctx context.Context) bool {
	requested, err := url.Parse(v.url)
	if err != nil || v.reread == rereadings {
		return false
	}
	began := time.Now()
	late, cancel := limit(ctx, v.left(v.b.limits.More))
	defer cancel()
	first, changed := v.t.asking.now(func(what string) bool {
		u, err := url.Parse(what)
		return err == nil && site(u) == site(requested) && !v.b.idle.has(what)
	})
	for open := first; len(open) > 0; {
		select {
		case <-changed:
			open, changed = v.t.asking.now(func(string) bool { return true })
			for r := range open {
				if _, then := first[r]; !then {
					delete(open, r)
				}
			}
		case <-late.Done():
			if ctx.Err() == nil && time.Since(began) >= idleAfter {
				v.b.idle.add(open)
			}
			return false
		case <-v.e.gone:
			return false
		}
	}
	if len(first) > 0 {
		v.reread++
	}
	return len(first) > 0
}

// idle are requests that pages keep open without an answer.
type idle struct {
	mu   sync.Mutex
	what map[string]bool
}

// idlers is how many are remembered; then all are forgotten, and learnt anew.
const idlers = 500

func (i *idle) has(what string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.what[what]
}

func (i *idle) add(open map[playwright.Request]string) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.what == nil || len(i.what) > idlers {
		i.what = map[string]bool{}
	}
	for _, what := range open {
		i.what[what] = true
	}
}
