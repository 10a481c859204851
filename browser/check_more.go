package browser

import (
	"context"
	"net/url"
	"sync"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// asking are the requests that a page has open for scripts and data, wherever they
// go: the rest of its listings may come of them.
type asking struct {
	mu      sync.Mutex
	open    map[playwright.Request]request
	changed chan struct{} // closed and replaced when one is answered
}

// request is one that is open.
type request struct {
	what  string // host and path
	since time.Time
}

// follow notes what a page asks for. The handlers run on the driver's one goroutine
// for messages, so they only take notes.
func (a *asking) follow(page playwright.Page) {
	a.open, a.changed = map[playwright.Request]request{}, make(chan struct{})
	page.OnRequest(func(r playwright.Request) {
		switch r.ResourceType() {
		case "fetch", "xhr", "script":
			a.mu.Lock()
			a.open[r] = request{hostAndPath(r.URL()), time.Now()}
			a.mu.Unlock()
		}
	})
	page.OnRequestFinished(a.answered)
	page.OnRequestFailed(a.answered)
}

func hostAndPath(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host + u.Path
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

// pending are the open requests, and what is closed when one of them is answered.
func (a *asking) pending() (open []request, changed <-chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, r := range a.open {
		open = append(open, r)
	}
	return open, a.changed
}

// patience is how long a request is waited for. What has answered nothing for so
// long is a stream, a beacon, or a question that is answered when something happens.
const patience = 3 * time.Second

// more waits until a request that the page had open when it was read is answered, and
// says whether the page should be read again; false when there was none to wait for.
// The page has finished then, unless ctx has ended.
func (v *visit) more(ctx context.Context) bool {
	for {
		open, changed := v.t.asking.pending()
		var wait time.Duration
		for _, r := range open {
			if left := patience - time.Since(r.since); left > wait && !v.b.idle.has(v.page(), r.what) {
				wait = left
			}
		}
		if wait <= 0 {
			v.b.idle.note(v.page(), open)
			return false
		}
		timer := time.NewTimer(wait)
		select {
		case <-changed:
			timer.Stop()
			return true
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return false
		case <-v.e.gone:
			timer.Stop()
			return false
		}
	}
}

// page is what requests are remembered for.
func (v *visit) page() string { return hostAndPath(v.url) }

// idle are the requests that pages keep open without an answer, by page. One that
// was slow once is not among them: it takes two checks in a row.
type idle struct {
	mu sync.Mutex
	in map[string]map[string]int // page -> request -> checks in a row without an answer
}

const (
	idleFrom = 2  // checks in a row after which a request is not waited for
	idleTill = 20 // and after which it is waited for once more, as it may answer by now
)

func (i *idle) has(page, what string) bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.in[page][what] >= idleFrom
}

// note takes down which requests of a page were open when it was read. All others
// have been answered, or are not asked any more.
func (i *idle) note(page string, open []request) {
	i.mu.Lock()
	defer i.mu.Unlock()
	before, now := i.in[page], map[string]int{}
	for _, r := range open {
		if now[r.what] = before[r.what] + 1; now[r.what] > idleTill {
			now[r.what] = 1
		}
	}
	if i.in == nil {
		i.in = map[string]map[string]int{}
	}
	i.in[page] = now
}
