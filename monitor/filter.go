package monitor

import (
	"fmt"
	"slices"
	"strings"
)

// Filter decides what a search tells, never what it knows.
type Filter struct {
	MaxPrice float64  // per month, in the page's own currency; 0: no limit
	MinArea  float64  // m²; 0: no limit
	Require  []string // every one of these must stand somewhere on the card
	Exclude  []string // none of these may
}

// Passes says whether a listing may be told. What the page does not show cannot
// rule a listing out: an unknown or doubtful price and an unknown area pass.
func (f Filter) Passes(l Listing) bool {
	return !f.rulesOut(l) && !slices.ContainsFunc(f.Require, func(word string) bool { return !l.says(word) })
}

// rulesOut says whether a value or an excluded word that the listing shows stands
// against it.
func (f Filter) rulesOut(l Listing) bool {
	price, known := l.Price.Monthly()
	return f.MaxPrice > 0 && known && !l.Price.Unsure && price > f.MaxPrice ||
		f.MinArea > 0 && l.AreaM2 > 0 && l.AreaM2 < f.MinArea || f.excludes(l)
}

func (f Filter) excludes(l Listing) bool { return slices.ContainsFunc(f.Exclude, l.says) }

// String is a filter in one line, another one for each filter.
func (f Filter) String() string {
	return fmt.Sprintf("max_price=%g min_area=%g require=%q exclude=%q", f.MaxPrice, f.MinArea, f.Require, f.Exclude)
}

// says looks for a word, in any case, in all that is known of a card's text. Text
// has title and address in it as a rule, but is not there in what comes from disk.
func (l Listing) says(word string) bool {
	return strings.Contains(strings.ToLower(l.words()), strings.ToLower(word))
}

func (l Listing) words() string { return l.Title + "\n" + l.Address + "\n" + l.Text }
