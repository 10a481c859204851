package browser

import (
	"fmt"
	"net/http"
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

// Cards that a page has asked for and not got yet are waited for.
func TestReadsWhatAPageHasAskedFor(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	at := serve(t, asks)
	for path, want := range map[string]int{
		"/10/20/1500": 30,
		"/0/30/3000":  30,
		"/10/20/0":    10, // never comes
	} {
		p := mustCheck(t, b, at("a", path))
		if len(p.Listings) != want {
			t.Errorf("%s: %d listings, want %d (%s)", path, len(p.Listings), want, p.Reason)
		}
	}
	if never := at("a", "/10/20/0"); !b.idle.has(never) || b.idle.has(at("a", "/10/20/1500")) {
		t.Errorf("what never came is not remembered, or what came: %v", b.idle.what)
	}
	// What another site is asked for is its own matter: an advertisement may hang.
	elsewhere := at("b", "/10/20/0")
	if p := mustCheck(t, b, at("a", "/10/20/0")+"?from="+elsewhere); len(p.Listings) != 10 {
		t.Errorf("%d listings", len(p.Listings))
	}
	if b.idle.has(elsewhere) {
		t.Error("another site was waited for")
	}
}
