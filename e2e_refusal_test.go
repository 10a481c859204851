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
	refused := func(n int) []portal.Request {
		t.Helper()
		return w.portal.Await(t.Context(), fmt.Sprintf("%d refused requests", n), func(all []portal.Request) bool {
			return len(served(all, "a", "refused")) >= n
		})
	}
	refused(1)
	a.Search("/part-3").ShowRange(30, 21) // while nobody may look
	for i := range 5 {
		w.row(fmt.Sprintf("Part %d", i+1), "refused (429)", "next try in")
	}
	before := len(refused(2))
	a.Recover()
	all := w.portal.Await(t.Context(), "the five searches after the second refusal", func(all []portal.Request) bool {
		return len(served(all[before:], "a", "page")) >= 5
	})

	wait := served(all, "a", "refused")
	if len(wait) != 2 {
		t.Fatalf("%d requests were refused, want the first one and one probe", len(wait))
	}
	onA := slices.DeleteFunc(slices.Clone(all), func(r portal.Request) bool { return r.Host != "a" })
	first := slices.IndexFunc(onA, func(r portal.Request) bool { return r.Served == "refused" })
	probe, second := onA[first+1], onA[first+2]
	if probe.Served != "refused" {
		t.Errorf("between the refusals there was another request: %s", probe)
	}
	if probe.Path == second.Path {
		t.Errorf("the same search probed twice: %s", probe.Path)
	}
	// A wait is drawn within ± 10 % and starts a moment after the request.
	for i, rung := range w.timing.Refusals[:2] {
		if gap := onA[first+1+i].At.Sub(onA[first+i].At); gap < rung*9/10 {
			t.Errorf("asked again %v after refusal %d, want at least %v", gap, i+1, rung*9/10)
		}
	}
	released := onA[first+2 : first+7]
	paths := map[string]bool{}
	for _, r := range released {
		paths[r.Path] = true
	}
	if len(paths) != 5 {
		t.Errorf("after the clean probe %v were asked, want all five", released)
	}
	elsewhere := func(from, to time.Time) int {
		return len(slices.DeleteFunc(slices.Clone(all), func(r portal.Request) bool {
			return r.Host != "b" || r.At.Before(from) || r.At.After(to)
		}))
	}
	if n := elsewhere(onA[first].At, second.At); n < 3 {
		t.Errorf("the other host was asked %d times while the first one was left alone", n)
	}
	if n := elsewhere(second.At, released[4].At); n > 1 { // every cycle asks it once
		t.Errorf("the five searches took %d cycles", n)
	}
	p.awaitLog("Recovered 1 site(s), checking 4 held search(es)", 1)

	w.row("Part 1", "9 listings")
	w.tells(w.mails(1)[0], a.Search("/part-3").Link(30))
	w.lastNews(2, a.Search("/part-1").Show(append([]int{60}, portal.Range(9, 1)...)...), 60)
}
