package monitor

import (
	"slices"
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
	Gone     bool // it has left the page since
	// Bannered is false while a banner is held back by quiet hours.
	Bannered bool
	// Told has an entry per recipient that has received it.
	Told map[string]time.Time
	// Closed alerts have reached everybody who was a recipient at that moment.
	Closed bool
	Seen   bool // the user has opened the menu since
}

// PendingFor says whether recipient has still to be told.
func (a Alert) PendingFor(recipient string) bool {
	_, told := a.Told[recipient]
	return !a.Closed && !told
}

// Names says whether the alert already carries the name of a search.
func (a Alert) Names(search string) bool { return slices.Contains(a.Searches, search) }
