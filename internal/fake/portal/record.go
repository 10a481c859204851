package portal

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Patience is how long a wait lasts at most when its context sets no deadline.
const Patience = 2 * time.Minute

// Request is one request for a saved search, which is one check. Pictures,
// favicons, room pages and the pages that a redirect leads to are none.
type Request struct {
	At     time.Time // when it came
	Host   string    // without ".localhost"
	Path   string
	Query  string
	Served string // the answer's name: `page`, `refused`, `half`, …
	Shown  []int  // the rooms of an ordinary page, in its order
	Header http.Header
}

func (r Request) String() string {
	return fmt.Sprintf("%s %s%s %s", r.At.Format("15:04:05.000"), r.Host, r.Path, r.Served)
}

func (p *Portal) record(r *http.Request, host string, c choice) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var shown []int
	if c.answer.name == Page.name {
		for _, room := range c.page.rooms {
			shown = append(shown, room.ID)
		}
	}
	p.requests = append(p.requests, Request{
		At: time.Now(), Host: host, Path: r.URL.Path, Query: r.URL.RawQuery, Served: c.answer.name, Shown: shown, Header: r.Header.Clone(),
	})
	close(p.changed)
	p.changed = make(chan struct{})
}

// All are the requests so far, in the order they came.
func (p *Portal) All() []Request {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Changed is closed at the next request.
func (p *Portal) Changed() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.changed
}

// Requests are the ones of a host so far.
func (p *Portal) Requests(host string) []Request { return of(host, p.All()) }

func of(host string, all []Request) []Request {
	return slices.DeleteFunc(all, func(r Request) bool { return r.Host != host })
}

// AwaitRequests waits until a host has had n requests since the portal started,
// and returns all it has had. The test fails when they do not come.
func (p *Portal) AwaitRequests(ctx context.Context, host string, n int) []Request {
	p.t.Helper()
	all := p.Await(ctx, fmt.Sprintf("%d requests of %s", n, host), func(all []Request) bool { return len(of(host, all)) >= n })
	return of(host, all)
}

// Await waits until the requests so far are what a test waits for, and returns
// them. The test fails with the name of what was awaited when ctx, or Patience,
// ends before.
func (p *Portal) Await(ctx context.Context, what string, there func([]Request) bool) []Request {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(ctx, Patience)
	defer cancel()
	for {
		p.mu.Lock()
		all, changed := slices.Clone(p.requests), p.changed
		p.mu.Unlock()
		if there(slices.Clone(all)) {
			return all
		}
		select {
		case <-changed:
		case <-ctx.Done():
			p.t.Fatalf("still no %s; there were:\n%s", what, table(all))
		}
	}
}

func table(all []Request) string {
	lines := make([]string, len(all))
	for i, r := range all {
		lines[i] = r.String()
	}
	return strings.Join(lines, "\n")
}
