package browser

import (
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"
)

// asks is a site whose pages bring cards by a request, as its path says: how many
// at once, how many later, and after how many milliseconds; 0 is never.
func asks(w http.ResponseWriter, r *http.Request) {
	var first, later, after int
	if _, err := fmt.Sscanf(r.URL.Path, "/%d/%d/%d", &first, &later, &after); err != nil {
		http.NotFound(w, r)
		return
	}
	if r.URL.Query().Has("more") {
		w.Header().Set("Access-Control-Allow-Origin", "*")
		var come <-chan time.Time
		if after > 0 {
			come = time.After(time.Duration(after) * time.Millisecond)
		}
		select {
		case <-come:
		case <-r.Context().Done():
		}
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<!doctype html><title>Rooms</title><body>%s add(1, %d);
		fetch(%q).then((r) => r.text()).then(() => { add(%d, %d); });</script>`,
		cardScript, first, r.URL.Query().Get("from")+"?more", first+1, first+later)
}

// Cards that a page has asked for and not got yet are waited for, wherever they come
// from, for three seconds. What never came twice in a row is not waited for.
func TestReadsWhatAPageHasAskedFor(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	at := serve(t, asks)
	for _, c := range []struct {
		path string
		want int
	}{
		{"/10/20/1500", 30},
		{"/0/30/2500", 30},
		{"/10/20/0", 10}, // never comes
		{"/10/20/1500?from=" + at("b", "/10/20/1500"), 30},
	} {
		p := mustCheck(t, b, at("a", c.path))
		if len(p.Listings) != c.want {
			t.Errorf("%s: %d listings, want %d (%s)", c.path, len(p.Listings), c.want, p.Reason)
		}
	}
	never := hostAndPath(at("a", "/10/20/0"))
	if b.idle.has(never, never) {
		t.Error("what did not come once is taken for what never comes")
	}
	mustCheck(t, b, at("a", "/10/20/0"))
	if !b.idle.has(never, never) {
		t.Errorf("what never came is not remembered: %v", b.idle.in)
	}
	if other := hostAndPath(at("a", "/10/20/1500")); b.idle.has(other, never) {
		t.Error("what was learnt of one page holds for another")
	}
}

// A request that was slow once is waited for the next time.
func TestSlowOnceIsNotForEver(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	var asked atomic.Int32
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Has("more") {
			wait := time.After(time.Second)
			if asked.Add(1) == 1 {
				wait = nil
			}
			select {
			case <-wait:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, `<!doctype html><title>Rooms</title><body>%s add(1, 8);
			fetch('?more').then((r) => r.text()).then(() => { add(9, 20); });</script>`, cardScript)
	})
	for i, want := range []int{8, 20, 20} {
		if p := mustCheck(t, b, at("a", "/rooms")); len(p.Listings) != want {
			t.Errorf("check %d: %d listings, want %d (%s)", i+1, len(p.Listings), want, p.Reason)
		}
	}
}

// A request that has been idle often is tried again, as it may answer by now.
func TestIdleIsAskedAgain(t *testing.T) {
	var i idle
	open := []request{{what: "x.example/poll"}}
	waited := 0
	for range 3 * idleTill {
		if !i.has("x.example/rooms", "x.example/poll") {
			waited++
		}
		i.note("x.example/rooms", open)
	}
	if waited < 4 || waited > 8 {
		t.Errorf("waited for it in %d of %d checks", waited, 3*idleTill)
	}
	i.note("x.example/rooms", nil)
	if i.has("x.example/rooms", "x.example/poll") {
		t.Error("an answer does not make it forgotten")
	}
}
