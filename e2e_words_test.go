//go:build linux

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// The words of a filter are looked for in all that a card says: in a list of
// features and in a description, and not in its title and address alone.
func TestFilterReadsTheWholeCard(t *testing.T) {
	w := newWorld(t)
	var published atomic.Bool
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/rooms" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Rooms</title><main>")
		card := func(n int, more string) {
			fmt.Fprintf(w, `<article><a href="/room/%d">Room %d</a><p>Elm Street %d</p><p>€ %d</p>%s</article>`, 7000+n, n, n, 500+n, more)
		}
		if published.Load() {
			card(21, `<ul><li>16 m²</li><li>Large balcony</li></ul>`)
			card(22, `<p>A parking place only. Its balcony is the neighbour's.</p>`)
			card(23, `<ul><li>No garden</li></ul>`)
		}
		for n := 20; n > 0; n-- {
			card(n, "")
		}
	}))
	t.Cleanup(server.Close)
	text := w.file("1s", wanted{"Rooms", server.URL + "/rooms"})
	w.configure(strings.Replace(text, "/rooms\"\n", "/rooms\"\nrequire = [\"balcony\"]\nexclude = [\"parking\"]\n", 1))
	w.start()
	w.row("Rooms", "20 listings")
	published.Store(true)
	mail := w.mails(1)[0].Text()
	if !strings.Contains(mail, "/room/7021") || strings.Contains(mail, "/room/7022") || strings.Contains(mail, "/room/7023") {
		t.Errorf("the email tells of others than room 21:\n%s", mail)
	}
}
