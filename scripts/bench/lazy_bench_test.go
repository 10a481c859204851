//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"
)

const lazyCards = 30

// arrival is a way in which the cards of a lazy page come.
type arrival struct {
	path, what string
	script     string // defines start(add, ms): add(n) adds n cards, the last of them after ms
}

var arrivals = []arrival{
	{"/trickle", "one card after another until T", `
		for (let i = 0; i < 30; i++) setTimeout(() => add(1), ms * i / 29);`},
	{"/placeholders", "grey placeholders, all cards at T", `
		const holder = document.createElement('div');
		holder.setAttribute('aria-busy', 'true');
		holder.textContent = 'Loading';
		results.append(holder);
		setTimeout(() => { holder.remove(); add(30); }, ms);`},
	{"/nothing", "nothing, all cards at T", `
		setTimeout(() => add(30), ms);`},
	{"/rest", "ten cards at once, the rest at T without a sign", `
		add(10);
		setTimeout(() => add(20), ms);`},
}

// lazyPage shows its cards late, without any request that would tell of it.
func lazyPage(a arrival, ms int64) string {
	return fmt.Sprintf(`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Rooms to rent</title></head>
<body><header><a href="/">Fake Rooms</a></header><main><h1>Rooms</h1><div id="results"></div></main><script>
const results = document.getElementById('results'), ms = %d;
let next = 1;
function add(n) {
	for (; n > 0; n--, next++) results.insertAdjacentHTML('beforeend', '<article><a href="/room/' + (100000 + next) + '"><h2>Home ' + next +
		'</h2></a><address>Elm Street ' + next + '</address><p>€ ' + (900 + next) + ' per month</p><p>20 m²</p></article>');
}
%s
</script></body></html>`, ms, a.script)
}

func lazySite(b *testing.B) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, a := range arrivals {
			if strings.HasPrefix(r.URL.Path, a.path+"/") {
				var ms int64
				_, _ = fmt.Sscanf(r.URL.Query().Get("after"), "%d", &ms)
				w.Header().Set("Content-Type", "text/html; charset=utf-8")
				_, _ = w.Write([]byte(lazyPage(a, ms)))
				return
			}
		}
		http.NotFound(w, r)
	}))
	b.Cleanup(s.Close)
	return s
}

// BenchmarkLazy reads pages whose last card comes late: by Notifio's settling, and
// by the two ways of common page watchers.
func BenchmarkLazy(b *testing.B) {
	site := lazySite(b)
	ours, other := newBrowser(b), newBare(b)
	row := rowLazy
	for _, a := range arrivals {
		for _, t := range []time.Duration{500 * time.Millisecond, 1500 * time.Millisecond, 3 * time.Second} {
			url := fmt.Sprintf("%s%s/rooms?after=%d", site.URL, a.path, t.Milliseconds())
			when := fmt.Sprintf("lazy page, T = %g s: %s", t.Seconds(), a.what)
			r := reading{Row: row, What: when, Unit: "s", Aim: &aim{"complete, ≤ T + 0.5 s", onMedian, t.Seconds() + 0.5}, Floor: &floor{"T", []float64{t.Seconds()}}}
			for range runs(7, 2) {
				took, n := check(b, ours, url, -1)
				r.Ours, r.Missed = append(r.Ours, took.Seconds()), r.Missed+lazyCards-n
			}
			r.Note = "by network-idle " + watcher(other.page, func(p playwright.Page) int {
				return look(b, p, url, playwright.WaitUntilStateNetworkidle)
			}) + "; by a wait of 5 s " + watcher(other.page, func(p playwright.Page) int {
				look(b, p, url, nil)
				time.Sleep(5 * time.Second)
				return count(b, p)
			})
			hand(b, r)
			row++
		}
	}
}

// watcher measures another way to read a lazy page, and says what came of it.
func watcher(p playwright.Page, read func(playwright.Page) int) string {
	var took []float64
	missed := 0
	for range runs(2, 1) {
		began := time.Now()
		missed += lazyCards - read(p)
		took = append(took, time.Since(began).Seconds())
	}
	text := value(spreadOf(took).Median, "s")
	if missed > 0 {
		text += fmt.Sprintf(", %d of %d missed", missed, lazyCards*len(took))
	}
	return text
}
