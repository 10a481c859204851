// Package portal is a rental portal for tests: many hosts on one loopback port,
// whose results pages a test scripts at any moment, and that fail in every way
// real portals do. It records each request with its time and what it got.
//
//	p := portal.Start(t)
//	rooms := p.Host("a").Search("/rooms").Show(3, 2, 1)
//	rooms.Next(portal.Refused("120"), portal.Half(1)) // the two requests that come
//	requests := p.AwaitRequests(ctx, "a", 3)
//
// Browsers lead every name below localhost to this machine; Go programs do not,
// and use Portal.Client. The package knows nothing of the program it is shown to.
package portal

import (
	"context"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// Portal is a running server with any number of hosts. All methods may be
// called at any time, those that fail the test from the test's own goroutine.
type Portal struct {
	t      testing.TB
	server *httptest.Server
	port   string
	ending chan struct{} // closed when the test ends: lets go whoever hangs

	ownTries time.Duration // see the constant

	mu       sync.Mutex
	hosts    map[string]*Host
	requests []Request
	changed  chan struct{} // closed and replaced at every request
}

// Start starts a portal that ends with the test.
func Start(t testing.TB) *Portal {
	t.Helper()
	p := &Portal{t: t, hosts: map[string]*Host{}, ending: make(chan struct{}), changed: make(chan struct{}), ownTries: ownTries}
	p.server = httptest.NewUnstartedServer(http.HandlerFunc(p.serve))
	p.server.Config.ErrorLog = log.New(io.Discard, "", 0) // resets are meant
	p.server.Start()
	_, port, err := net.SplitHostPort(p.server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	p.port = port
	t.Cleanup(p.stop)
	return p
}

func (p *Portal) stop() {
	close(p.ending)
	p.server.CloseClientConnections()
	p.server.Close()
}

// Host is the host NAME.localhost. It is there from its first mention on.
func (p *Portal) Host(name string) *Host {
	p.mu.Lock()
	defer p.mu.Unlock()
	h := p.hosts[name]
	if h == nil {
		h = &Host{portal: p, name: name, searches: map[string]*Search{}}
		p.hosts[name] = h
	}
	return h
}

// Client is an HTTP client that finds every host here, and follows redirects.
func (p *Portal) Client() *http.Client {
	var d net.Dialer
	address := p.server.Listener.Addr().String()
	return &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return d.DialContext(ctx, network, address)
		},
	}}
}

// serve finds the search that a request is for; other paths are the furniture
// of a portal and count as no check.
func (p *Portal) serve(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(strings.TrimSuffix(r.Host, ":"+p.port), ".localhost")
	host, path := p.Host(name), r.URL.Path
	c, known := host.next(path)
	if path == "/login" && r.Method == http.MethodPost {
		host.signIn(w, r)
		return
	}
	if !known {
		if host.room(w, r) {
			return
		}
		furniture(w, r)
		return
	}
	if !c.again {
		p.record(r, name, c)
	}
	c.answer.serve(exchange{w: w, r: r, page: c.page, ending: p.ending})
}

// furniture is every page that is not a saved search.
func furniture(w http.ResponseWriter, r *http.Request) {
	switch path := r.URL.Path; {
	case path == "/":
		write(w, http.StatusOK, homePage)
	case path == "/login":
		write(w, http.StatusOK, loginPage)
	case strings.HasPrefix(path, linkPrefix):
		write(w, http.StatusOK, "<!DOCTYPE html><title>Room</title><h1>A room</h1>")
	case strings.HasPrefix(path, "/photo/"):
		w.Header().Set("Content-Type", "image/gif")
		_, _ = w.Write(pixel)
	default:
		http.NotFound(w, r)
	}
}
