package monitor

import (
	"slices"
	"time"
)

// Listing is one home on offer, as a results page shows it. Only Key, Canonical
// and URL are always there; a missing field never drops a listing.
type Listing struct {
	// Key is the portal's name and the listing's id there ("funda:88373769"), or
	// the host and the canonical URL where no portal is known.
	Key string `json:"key"`
	ID  string `json:"id,omitempty"`
	// Canonical is the host (without port and "www."), path and meaningful query
	// of the link: a second way to recognise a listing when its key has changed.
	Canonical string    `json:"canonical,omitempty"`
	URL       string    `json:"url"` // absolute, http or https, ready to be opened
	Title     string    `json:"title,omitempty"`
	Price     Price     `json:"price,omitzero"`
	AreaM2    float64   `json:"area_m2,omitempty"` // 0: not shown
	Rooms     float64   `json:"rooms,omitempty"`   // 0: not shown
	Address   string    `json:"address,omitempty"`
	Photo     string    `json:"photo,omitempty"`    // absolute URL
	Published time.Time `json:"published,omitzero"` // zero: the page does not say
	Promoted  bool      `json:"promoted"`           // a paid or "similar" card: never news
	// Let says that the card itself calls the home let, rented or under offer: it is
	// known and not told.
	Let bool `json:"let,omitempty"`
	// Text is all that the card says, at most 4,000 letters. Filters read it; it is
	// not kept.
	Text string `json:"-"`
	// Aliases are other canonical URLs under which the listing may be on record: by
	// the rules of an older reader. They are not kept.
	Aliases []string `json:"-"`
}

// Period is what a price pays for.
type Period string

// The periods that portals name. An unnamed one is "".
const (
	Night Period = "night"
	Week  Period = "week"
	Month Period = "month"
	Year  Period = "year"
	Total Period = "total"
)

// Price is an amount of money as a card shows it.
type Price struct {
	Amount    float64 `json:"amount,omitempty"`     // 0: no number could be read
	AmountMax float64 `json:"amount_max,omitempty"` // the upper end of a range, else 0
	Currency  string  `json:"currency,omitempty"`   // ISO 4217, or "" when not shown
	Period    Period  `json:"period,omitempty"`
	Text      string  `json:"text,omitempty"` // as shown
	// Unsure is set where nothing beside the amount says that it is the rent or the
	// price, and something speaks against it: no filter hides a home because of it.
	Unsure bool `json:"unsure,omitempty"`
}

// perMonth are the months in one period, for comparing a weekly price with a
// monthly limit: 52 weeks and 365 nights spread over 12 months.
var perMonth = map[Period]float64{Night: 365.0 / 12, Week: 52.0 / 12, Month: 1, Year: 1.0 / 12}

// Monthly is the amount per month, and whether one can be named: a total, an unread
// and a doubtful price have none; a price without a period counts as monthly.
func (p Price) Monthly() (float64, bool) {
	if p.Amount <= 0 || p.Period == Total || p.Unsure {
		return 0, false
	}
	if p.Period == "" {
		return p.Amount, true
	}
	f, ok := perMonth[p.Period]
	return p.Amount * f, ok
}

// Comparable says whether two prices may be compared as numbers: both read without a
// doubt, in the same currency, for the same period.
func (p Price) Comparable(q Price) bool {
	return p.Amount > 0 && q.Amount > 0 && !p.Unsure && !q.Unsure && p.Currency == q.Currency && p.Period == q.Period
}

// kept are listings as they are kept: without what only the reading of a page needs.
func kept(listings []Listing) []Listing {
	out := slices.Clone(listings)
	for i := range out {
		out[i].Text, out[i].Aliases = "", nil
	}
	return out
}
