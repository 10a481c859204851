package portal

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// Answer is one way to answer a request for a results page.
type Answer struct {
	name  string
	serve func(exchange)
}

// Name is how the answer stands in Request.Served.
func (a Answer) Name() string { return a.name }

// exchange is one request that is being answered.
type exchange struct {
	w      http.ResponseWriter
	r      *http.Request
	page   page
	ending <-chan struct{}
}

// rest waits until other is done. When the visitor leaves or the test ends
// before, it breaks the connection off, in net/http's own way.
func (e exchange) rest(other <-chan struct{}) {
	select {
	case <-other:
	case <-e.r.Context().Done():
		panic(http.ErrAbortHandler)
	case <-e.ending:
		panic(http.ErrAbortHandler)
	}
}

func (e exchange) write(status int, html string) { write(e.w, status, html) }

// The answers that need no saying more. Page is the ordinary one: all rooms.
var (
	Page = Answer{"page", func(e exchange) { e.write(http.StatusOK, e.page.html()) }}

	// Empty says in a sentence that nothing matches; Bare shows no room and says
	// nothing, as a page that was never filled in.
	Empty = Answer{"empty", func(e exchange) { e.write(http.StatusOK, emptyPage) }}
	Bare  = Answer{"bare", func(e exchange) { e.write(http.StatusOK, barePage) }}

	// Robot is a robot check with status 200, and RobotForbidden the same with 403.
	Robot          = Answer{"robot", func(e exchange) { e.write(http.StatusOK, robotPage) }}
	RobotForbidden = Answer{"robot 403", func(e exchange) { e.write(http.StatusForbidden, robotPage) }}

	// LoginRedirect leads to /login; LoginForm asks for a password in place.
	LoginRedirect = Answer{"login redirect", func(e exchange) {
		http.Redirect(e.w, e.r, "/login?next="+e.r.URL.Path, http.StatusFound)
	}}
	LoginForm = Answer{"login form", func(e exchange) { e.write(http.StatusOK, loginPage) }}

	// Home leads to the portal's first page; Elsewhere is another page in place.
	Home      = Answer{"home", func(e exchange) { http.Redirect(e.w, e.r, "/", http.StatusFound) }}
	Elsewhere = Answer{"elsewhere", func(e exchange) { e.write(http.StatusOK, otherPage) }}

	// Hang takes the request and never answers; HangHalfway sends the head of the
	// page and then nothing. Spin is a page whose script never ends.
	Hang        = Answer{"hang", func(e exchange) { e.rest(nil) }}
	HangHalfway = Answer{"hang halfway", func(e exchange) {
		e.write(http.StatusOK, "<!DOCTYPE html><title>Rooms</title><h1>")
		_ = http.NewResponseController(e.w).Flush()
		e.rest(nil)
	}}
	Spin = Answer{"spin", func(e exchange) { e.write(http.StatusOK, e.page.html()+"<script>for (;;) {}</script>") }}

	// Reset breaks the connection off with a TCP reset before any answer. What
	// comes within ownTries of it is the browser's own doing: it is reset as well,
	// and not recorded.
	Reset = Answer{"reset", reset}
)

// Refused is a 429. retryAfter is the header's value, in seconds or as a date;
// "" sends none.
func Refused(retryAfter string) Answer {
	return Answer{"refused", func(e exchange) {
		if retryAfter != "" {
			e.w.Header().Set("Retry-After", retryAfter)
		}
		e.write(http.StatusTooManyRequests, refusedPage)
	}}
}

// Status is an answer with any other status and a line of text.
func Status(code int) Answer {
	return Answer{http.StatusText(code), func(e exchange) {
		e.write(code, "<!DOCTYPE html><title>"+http.StatusText(code)+"</title><h1>"+http.StatusText(code)+"</h1>")
	}}
}

// Half shows only the first n rooms, though the page counts all of them.
func Half(n int) Answer {
	return Answer{"half", func(e exchange) {
		if e.page.total == 0 {
			e.page.total = len(e.page.rooms)
		}
		e.page.rooms = e.page.rooms[:min(n, len(e.page.rooms))]
		e.write(http.StatusOK, e.page.html())
	}}
}

// Lazy sends the first n rooms, and a script that adds the others after a while.
func Lazy(n int, after time.Duration) Answer {
	return Answer{"lazy", func(e exchange) { e.write(http.StatusOK, e.page.lazy(min(n, len(e.page.rooms)), after)) }}
}

// Slow is the ordinary page after a while.
func Slow(d time.Duration) Answer {
	return Answer{"slow", func(e exchange) {
		over := make(chan struct{})
		timer := time.AfterFunc(d, func() { close(over) })
		defer timer.Stop()
		e.rest(over)
		Page.serve(e)
	}}
}

// Gate is an answer that waits until the test opens it.
type Gate struct {
	Answer
	once sync.Once
	open chan struct{}
}

// NewGate is a closed gate before the ordinary page.
func NewGate() *Gate { return NewGateTo(Page) }

// NewGateTo is a closed gate before another answer.
func NewGateTo(a Answer) *Gate {
	g := &Gate{open: make(chan struct{})}
	g.Answer = Answer{"gated " + a.name, func(e exchange) {
		e.rest(g.open)
		a.serve(e)
	}}
	return g
}

// Open lets all through that wait, and whoever comes later.
func (g *Gate) Open() { g.once.Do(func() { close(g.open) }) }

// reset closes a connection with data unsaid, which the system does by RST.
func reset(e exchange) {
	conn, _, err := http.NewResponseController(e.w).Hijack()
	if err != nil {
		e.write(http.StatusInternalServerError, err.Error())
		return
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}

func write(w http.ResponseWriter, status int, html string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(html)) // a visitor who left needs no answer
}
