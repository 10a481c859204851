package monitor

import "strings"

// Filter decides what a search tells, never what it knows.
type Filter struct {
	MaxPrice float64  // per month, in the page's own currency; 0: no limit
	MinArea  float64  // m²; 0: no limit
	Require  []string // every one of these must stand in the title or the address
	Exclude  []string // none of these may
}

// Passes says whether a listing may be told. What the page does not show cannot
// rule a listing out: an unknown price or area passes.
func (f Filter) Passes(l Listing) bool {
	if price, ok := l.Price.Monthly(); ok && f.MaxPrice > 0 && price > f.MaxPrice {
		return false
	}
	if f.MinArea > 0 && l.AreaM2 > 0 && l.AreaM2 < f.MinArea {
		return false
	}
	text := strings.ToLower(l.Title + "\n" + l.Address)
	for _, word := range f.Require {
		if !strings.Contains(text, strings.ToLower(word)) {
			return false
		}
	}
	for _, word := range f.Exclude {
		if strings.Contains(text, strings.ToLower(word)) {
			return false
		}
	}
	return true
}
