package monitor

import (
	"slices"
	"strings"
	"time"
)

// Kind says what an alert tells.
type Kind string

// The kinds of an alert.
const (
	New       Kind = "new"
	PriceDrop Kind = "price drop"
	Back      Kind = "back"
)

// Alert is one listing to tell. It is unique over all searches by its ID, which
// is made of the listing's key, the kind and, for a drop or a return, what
// distinguishes it from the one before.
type Alert struct {
	ID      string
	Kind    Kind
	Listing Listing
	// Was is the price before, of a drop, or of a new listing whose price fell
	// before it could be told. Its Amount is 0 otherwise.
	Was      Price
	Searches []string      // names of the searches that found it, in the order they did
	Doubt    string        // "" or `at the end of the page, perhaps not new`
	Away     time.Duration // set when it was found after a gap: how long nobody looked
	Found    time.Time

	// What follows is not the alert's own: the ledger puts it beside.
	Gone     bool                 `json:"-"` // it has left the page since
	Bannered bool                 `json:"-"` // it has had its banner, or will have none
	Seen     bool                 `json:"-"` // by the user
	Told     map[string]time.Time `json:"-"` // destinations that know of it, and since when
	Pending  []string             `json:"-"` // destinations that have still to be told
}

// Delivery is one alert for one destination.
type Delivery struct {
	Alert       string // Alert.ID
	Destination string
	Told        time.Time // zero: pending
}

// Names says whether the alert already carries the name of a search.
func (a Alert) Names(search string) bool { return slices.Contains(a.Searches, search) }

// Headline is an alert in a few words.
func (a Alert) Headline() string {
	price := a.Listing.Price.Text
	if a.Was.Amount > 0 {
		price = a.Was.Text + " → " + price
	}
	place := a.Listing.Address
	if place == "" {
		place = a.Listing.Title
	}
	if place == "" {
		place = a.Listing.URL
	}
	switch a.Kind {
	case PriceDrop:
		place = "Cheaper: " + place
	case Back:
		place = "Back on the market: " + place
	}
	return joined(" · ", price, place)
}

// joined joins what is not empty.
func joined(sep string, parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, sep)
}
