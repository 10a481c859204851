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

// A portal that allows its pages to be kept for ten minutes is asked at each cycle
// all the same, and its new room is told in the next one.
func TestPageThatMayBeKeptIsAskedForAnew(t *testing.T) {
	w := newWorld(t)
	var rooms, asked atomic.Int32
	rooms.Store(20)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/rooms" {
			http.NotFound(w, r)
			return
		}
		asked.Add(1)
		w.Header().Set("Cache-Control", "max-age=600")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>Rooms</title><main>")
		for n := int(rooms.Load()); n > 0; n-- {
			fmt.Fprintf(w, `<article><a href="/room/%d">Room %d</a><p>Elm Street %d</p><p>€ %d</p></article>`, 7000+n, n, n, 500+n)
		}
	}))
	t.Cleanup(server.Close)
	w.configure(w.file("1s", wanted{"Rooms", server.URL + "/rooms"}))
	w.start()
	w.row("Rooms", "20 listings")
	rooms.Store(21)
	if mail := w.mails(1)[0]; !strings.Contains(mail.Text(), "/room/7021") {
		t.Errorf("the email does not tell the new room:\n%s", mail.Text())
	}
	if n := asked.Load(); n < 2 {
		t.Errorf("the page was asked for %d times", n)
	}
}
