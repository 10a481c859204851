//go:build linux

package main

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/portal"
)

// Five searches on one host, which refuses: one request, a wait, one probe by
// another search, the next rung, and with the clean probe the four others in the
// same cycle. Another host is not touched by that.
func TestRefusingHostIsAskedOnceThenByOneProbeAtATime(t *testing.T) {
	w := newWorld(t)
	a := w.portal.Host("a")
	searches := []wanted{{"Other", w.rooms("b", 9).URL()}}
	for i := range 5 {
		s := a.Search(fmt.Sprintf("/part-%d", i+1)).ShowRange(10*i+9, 10*i+1)
		searches = append(searches, wanted{fmt.Sprintf("Part %d", i+1), s.URL()})
	}
	w.configure(w.file("1s", searches...))
	p := w.watching(6)

	a.Answer(portal.Refused(""))
	w.refusals(1)
	third := a.Search("/part-3").ShowRange(30, 21) // while nobody may look
	for i := range 5 {
		w.row(fmt.Sprintf("Part %d", i+1), "refused (429)")
	}
	before := len(w.refusals(2))
	a.Recover()
	all := w.portal.Await(t.Context(), "the five searches after the second refusal", func(all []portal.Request) bool {
		return len(served(all[before:], "a", "page")) >= 5
	})
	p.awaitLog("Recovered 1 site(s), checking 4 held search(es)", 1)
	w.asOneGuest(all)

	w.row("Part 1", "9 listings")
	w.tells(w.mails(1)[0], third.Link(30))
	w.lastNews(2, a.Search("/part-1").Show(append([]int{60}, portal.Range(9, 1)...)...), 60)
}

// refusals waits until host a has refused n requests, and returns all requests.
func (w *world) refusals(n int) []portal.Request {
	w.t.Helper()
	return w.portal.Await(w.t.Context(), fmt.Sprintf("%d refused requests", n), func(all []portal.Request) bool {
		return len(served(all, "a", "refused")) >= n
	})
}

// asOneGuest checks the requests of the story: host a had one that was refused, one
// probe that was refused, one that was clean, and four with it.
func (w *world) asOneGuest(all []portal.Request) {
	w.t.Helper()
	first := slices.IndexFunc(all, func(r portal.Request) bool { return r.Served == "refused" })
	onA := between(all, "a", all[first].At, all[len(all)-1].At)
	if len(onA) != 7 || onA[1].Served != "refused" || onA[2].Served == "refused" {
		w.t.Fatalf("from the refusal on host a had these requests, want two refused ones and five:\n%v", onA)
	}
	probe, clean, last := onA[1], onA[2], onA[6]
	if onA[0].Path == probe.Path || probe.Path == clean.Path {
		w.t.Errorf("one search was asked again and again: %v", onA[:3])
	}
	// A wait is drawn within ± 10 % and starts a moment after the request.
	for i, rung := range w.timing.Refusals[:2] {
		if gap := onA[i+1].At.Sub(onA[i].At); gap < rung*9/10 {
			w.t.Errorf("asked again %v after refusal %d, want at least %v", gap, i+1, rung*9/10)
		}
	}
	paths := map[string]bool{}
	for _, r := range onA[2:] {
		paths[r.Path] = true
	}
	if len(paths) != 5 {
		w.t.Errorf("with the clean probe %v were asked, want all five", onA[2:])
	}
	// Every cycle asks the other host once.
	if n := len(between(all, "b", onA[0].At, clean.At)); n < 3 {
		w.t.Errorf("the other host was asked %d times while this one was left alone", n)
	}
	if n := len(between(all, "b", clean.At, last.At)); n > 1 {
		w.t.Errorf("the five searches took %d cycles", n+1)
	}
}

// between are the requests of a host in a time, its ends included.
func between(all []portal.Request, host string, from, to time.Time) []portal.Request {
	return slices.DeleteFunc(slices.Clone(all), func(r portal.Request) bool {
		return r.Host != host || r.At.Before(from) || r.At.After(to)
	})
}
