package monitor

import "time"

// The numbers of the guards.
const (
	// halfLoadedFrom keeps the half-loaded guard away from small searches, where
	// going from three results to one is ordinary.
	halfLoadedFrom = 4
	// halfLoadedLimit agreeing checks, a minute and a half of the page insisting,
	// and the smaller page is the page.
	halfLoadedLimit = 3
	// shapeFrom keeps the changed-shape guard away from small pages, where a high
	// share of new listings means little.
	shapeFrom = 3
	// shapeGrowth is how many listings may join a baseline that is still all there.
	shapeGrowth = 10
	// provisionalGrowth is how many listings may join a first baseline as news.
	provisionalGrowth = 3
	// perhapsLimit is how many listings are told at once that may have been there
	// before; more are another page, or another reading of it.
	perhapsLimit = 10
	// hiddenChecks accepted checks in a row without the word, and a home that was let,
	// or kept back for that word, is free: a card may be without it for a moment.
	hiddenChecks = 2
	// hiddenFrom homes that become free at once, and over half of all that were not,
	// are another view of the page.
	hiddenFrom = 3
)

// mostlyUnknown says whether a page is complete but unfamiliar: more than three
// listings, at least 80 % of them unknown. A burst in a student city stays below.
func mostlyUnknown(listings, unknown int) bool {
	return listings > shapeFrom && unknown*5 >= listings*4
}

// halfLoaded says whether a page lost more than half of what it held.
func halfLoaded(baseline, current int) bool {
	return baseline >= halfLoadedFrom && current*2 < baseline
}

// same says whether two looks at a page share 80 % of the larger one.
func same(a, b []Listing) bool {
	known := identsOf(a)
	shared := 0
	for _, l := range b {
		if known.has(l) {
			shared++
		}
	}
	return shared*5 >= max(len(a), len(b))*4
}

// grown says whether every listing of the baseline is still on the page.
func grown(baseline, current []Listing) bool {
	return len(missing(baseline, current)) == 0
}

// missing are the listings of from that in does not have.
func missing(from, in []Listing) []Listing {
	there := identsOf(in)
	var out []Listing
	for _, l := range from {
		if !there.has(l) {
			out = append(out, l)
		}
	}
	return out
}

// movedUp are the unknown listings at the end of a page that may be older homes
// which moved up when others left: they stand below the last known one, are no
// more than those that left, and are not shown as published since.
func movedUp(current []Listing, unknown idents, left int, since time.Time) []Listing {
	last := -1
	for i, l := range current {
		if !unknown.has(l) {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	var tail []Listing
	for _, l := range current[last+1:] {
		if !l.Published.After(since) {
			tail = append(tail, l)
		}
	}
	if len(tail) > left {
		return nil
	}
	return tail
}

// idents is a set of listings, recognised by key or by canonical URL.
type idents struct{ keys, urls map[string]bool }

func identsOf(listings []Listing) idents {
	s := idents{make(map[string]bool, len(listings)), make(map[string]bool, len(listings))}
	for _, l := range listings {
		s.keys[l.Key] = true
		if l.Canonical != "" {
			s.urls[l.Canonical] = true
		}
	}
	return s
}

func (s idents) has(l Listing) bool {
	return s.keys[l.Key] || l.Canonical != "" && s.urls[l.Canonical]
}
