//go:build linux

package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
)

const lazyCards = 30

// arrival is a way in which the cards of a lazy page come.
type arrival struct {
	path, what string
	script     string // has add(n), which adds n cards, and rest(), which is over after ms
}

var arrivals = []arrival{
	{"/trickle", "one card after another, and a pulse for ever", `
		for (let i = 0; i < 30; i++) setTimeout(() => add(1), ms * i / 29);
		setInterval(() => fetch('/pulse'), 300);`},
	{"/placeholders", "grey placeholders, then all cards", `
		const holder = document.createElement('div');
		holder.setAttribute('aria-busy', 'true');
		holder.textContent = 'Loading';
		results.append(holder);
		rest().then(() => { holder.remove(); add(30); });`},
	{"/nothing", "nothing, then all cards", `
		rest().then(() => add(30));`},
	{"/rest", "ten cards at once, then the others without a sign before", `
		add(10);
		rest().then(() => add(20));`},
}

// lazyPage shows its cards late: those of a timer, or those that a request brings.
// It tells the server when the last one is there, unless that would disturb.
func lazyPage(a arrival, ms int64, silent bool) string {
	return fmt.Sprintf(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Rooms to rent</title></head>
<body><header><a href="/">Fake Rooms</a></header><main><h1>Rooms</h1><div id="results"></div></main><script>
const results = document.getElementById('results'), ms = %d, silent = %v;
let next = 1;
function add(n) {
	for (; n > 0; n--, next++) results.insertAdjacentHTML('beforeend', '<article><a href="/room/' + (100000 + next) + '"><h2>Home ' + next +
		'</h2></a><address>Elm Street ' + next + '</address><p>€ ' + (900 + next) + ' per month</p><p>20 m²</p></article>');
	if (next > %d && !silent) navigator.sendBeacon('/arrived');
}
function rest() { return fetch('/rest?after=' + ms).then((r) => r.text()); }
%s
</script></body></html>`, ms, silent, lazyCards, a.script)
}

// lazySite serves such pages.
type lazySite struct {
	*httptest.Server
	mu      sync.Mutex
	arrived time.Time // the last card of the last page; zero: not yet
}

func newLazySite(b *testing.B) *lazySite {
	s := &lazySite{}
	s.Server = httptest.NewServer(s)
	b.Cleanup(s.Close)
	return s
}

func (s *lazySite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	ms, _ := strconv.ParseInt(r.URL.Query().Get("after"), 10, 64)
	switch r.URL.Path {
	case "/arrived":
		s.note(time.Now())
		return
	case "/rest":
		select {
		case <-time.After(time.Duration(ms) * time.Millisecond):
		case <-r.Context().Done():
		}
		return
	}
	for _, a := range arrivals {
		if strings.HasPrefix(r.URL.Path, a.path+"/") {
			s.note(time.Time{})
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(lazyPage(a, ms, r.URL.Query().Has("silent"))))
			return
		}
	}
	http.NotFound(w, r)
}

func (s *lazySite) note(at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.arrived = at
}

// since is how long ago the last card came, in seconds; 0 when it has not come yet.
func (s *lazySite) since() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.arrived.IsZero() {
		return 0
	}
	return time.Since(s.arrived).Seconds()
}

// watcherPatience is how long the other ways of reading may wait for their sign.
const watcherPatience = 10 * time.Second

// BenchmarkLazy reads pages whose last card comes late: by Notifio's settling, and
// by the two ways of common page watchers.
func BenchmarkLazy(b *testing.B) {
	site := newLazySite(b)
	ours, other := newBrowser(b), newBare(b)
	row := rowLazy
	for _, a := range arrivals {
		for _, t := range []time.Duration{500 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second} {
			url := fmt.Sprintf("%s%s/rooms?after=%d", site.URL, a.path, t.Milliseconds())
			r := reading{
				Row: row, What: fmt.Sprintf("lazy page, last card at T = %g s, %s: read so long after it", t.Seconds(), a.what), Unit: "s",
				Aim: &aim{"complete, ≤ 0.5 s", onMedian, 0.5},
			}
			for range runs(9, 2) {
				_, n := check(b, ours, url, -1)
				if after := site.since(); n == lazyCards {
					r.Ours = append(r.Ours, after)
				}
				r.Missed += lazyCards - n
				ours.Rest(b.Context())
			}
			r.Note = "from the request, by network-idle " + watcher(other.page, func(p playwright.Page) int {
				_, err := p.Goto(url+"&silent", playwright.PageGotoOptions{
					WaitUntil: playwright.WaitUntilStateNetworkidle, Timeout: playwright.Float(ms(watcherPatience)),
				})
				if errors.Is(err, playwright.ErrTimeout) {
					return -1
				}
				return count(b, p)
			}) + "; by a wait of 5 s " + watcher(other.page, func(p playwright.Page) int {
				look(b, p, url+"&silent", nil)
				time.Sleep(5 * time.Second)
				return count(b, p)
			})
			hand(b, r)
			row++
		}
	}
}

// watcher measures another way to read a lazy page, and says what came of it. It
// reads so many cards; -1: it gave up.
func watcher(p playwright.Page, read func(playwright.Page) int) string {
	var took []float64
	missed := 0
	for range runs(2, 1) {
		began := time.Now()
		n := read(p)
		if n < 0 {
			return fmt.Sprintf("never within %s", watcherPatience)
		}
		took, missed = append(took, time.Since(began).Seconds()), missed+lazyCards-n
	}
	text := value(spreadOf(took).Median, "s")
	if missed > 0 {
		text += fmt.Sprintf(", %d of %d missed", missed, lazyCards*len(took))
	}
	return text
}
