package monitor

import (
	"context"
	"time"
)

// Ledger is the disk. What it has saved survives a crash of the program and of
// the machine.
type Ledger interface {
	// Recall finds what is on record about the given listings: as known to the
	// search, by key, canonical URL or alias, and as told or pending by anyone.
	Recall(ctx context.Context, search string, listings []Listing) (Recollection, error)
	// Alerts are those of the given IDs that are on record.
	Alerts(ctx context.Context, ids []string) (map[string]Alert, error)
	// Save writes a change as one transaction, or nothing of it.
	Save(ctx context.Context, c Change) error
	// Trouble says for the user why what is saved does not reach the disk; "" when it does.
	Trouble() string
}

// Memory is what a Ledger hands over when the program starts.
type Memory struct {
	Records []Record
	Hosts   []HostRecord
	Outbox
}

// Outbox is what waits to be told, and what was told last.
type Outbox struct {
	// Alerts are those that somebody has still to be told of or that had no banner yet,
	// and the ten newest of all, in the order in which they were found.
	Alerts   []Alert
	Messages []Message // whose fate is not known, the oldest first
	Unseen   int       // alerts that the user has not looked at
}

// Recollection answers Ledger.Recall.
type Recollection struct {
	Known  map[string]Known    // by Listing.Key as asked for, also when found by canonical URL or alias
	Alerts map[string][]string // Listing.Key as asked for -> IDs of its alerts
	Open   map[string]Alert    // those of Alerts that somebody has still to be told of, by ID
	// SameID has, by the Listing.ID of listings that are not in Known, what the search
	// knows under that number.
	SameID map[string][]Known
}

// Record is what is kept of one view of one search.
type Record struct {
	Search     string    // Search.URL
	View       string    // Page.View
	Baseline   []Listing // of the last accepted page, in page order, nothing promoted
	AcceptedAt time.Time // zero: there is no baseline yet
	// Provisional is set by a first check that found something, until the second
	// accepted check: the first read may have been half a page.
	Provisional bool
	// FinalURL is the final address of the last accepted page; before there is one,
	// that of the last page that was not-results.
	FinalURL    string
	LinkPattern string // of the last accepted page
	// Reader is Page.Reader of the last accepted page; "" in a ledger of the first
	// round, which did not note it.
	Reader string
	// Days counts the calendar days (UTC) with an accepted check of a page that
	// showed all its results; LastDay is the last of them, in days since 1970.
	Days, LastDay int
	Half          int       // half-loaded checks in a row
	HalfAt        time.Time // of the last of them that counted
	Look          *Look     // a first look after a gap, waiting for the second
	Unordered     int       // accepted checks in a row with news between known ones, where the page is called newest-first
	DisabledAt    time.Time // zero while the search is enabled
	Paused        bool      // by the user, in the menu; of the view "" alone
	Alone         Backoff   // while others of its host are served; of the view "" alone
}

// landed is the final address of the last accepted page; "" before there is one.
func (r Record) landed() string {
	if r.AcceptedAt.IsZero() {
		return ""
	}
	return r.FinalURL
}

// Look is a page that was set aside until a second one confirms it.
type Look struct {
	At       time.Time
	Listings []Listing
}

// How says in which way a search came to know a listing.
type How string

// The ways of knowing.
const (
	Baselined How = "baselined"
	Adopted   How = "adopted"
	Filtered  How = "filtered"
	Let       How = "let" // new to the search when its card already called it let
	Alerted   How = "alerted"
)

// Known is what one search knows of one listing.
type Known struct {
	Search    string // Search.URL
	Key       string
	Canonical string
	ID        string // Listing.ID; "" as well where another row has taken it over
	How       How
	// Filter names the filter and the reader that kept a Filtered listing back; "" for
	// others, and in a ledger of the first round, which did not note it.
	Filter string
	// Hidden is how many accepted checks in a row must not call the home let, nor show
	// the excluded word that keeps it back, before it counts as free: hiddenChecks
	// while its card does, 0 for a home that is free.
	Hidden int
	// Listing values as last read: a filter decides anew against them, and a
	// price drop is measured from Price.
	Price  Price
	AreaM2 float64
	Title  string
	// Words are those of the card of a Filtered listing, as last read; "" for others,
	// and in a ledger that did not note them.
	Words string
	// LeftDay is Record.Days when the listing left the page; -1 while it is there.
	LeftDay int
	At      time.Time // when it became known
}

// HostRecord is how we stand with one host, across restarts.
type HostRecord struct {
	Host string
	Backoff
	Errors int // cycles in a row with nothing but failures
	// Probe is the Search.URL of the last probe, or of what brought the backoff
	// about, so that the next probe is another one.
	Probe string
}

// Message is a letter of which nobody knows whether it has arrived.
type Message struct {
	ID          string // Message-ID, without angle brackets
	Destination string
	Alerts      []string // Alert.ID of all that it tells
	Plain       bool     // as plain text: its last try
	// Raw are the bytes as handed to the server. They are saved just before DATA and go
	// again as they are until the answer to them is known.
	Raw   []byte
	At    time.Time // of the first try
	Tries int       // that had no answer
	// Perhaps is set when trying was given up: it is sent again on the user's word alone.
	Perhaps bool
}

// CheckRecord is one finished check, for the history.
type CheckRecord struct {
	Search   string
	At       time.Time
	Took     time.Duration
	Verdict  Verdict
	Reason   string
	Listings int // ordinary ones
	News     int
}

// Change is everything that one step writes, in one transaction.
type Change struct {
	Records []Record     // insert or replace by search and view
	Known   []Known      // insert or replace by search and key
	Hosts   []HostRecord // insert or replace by host
	// Alerts are inserted, pending for every destination that there is, or replaced by
	// ID in what is their own.
	Alerts     []Alert
	Deliveries []Delivery    // insert or replace by alert and destination
	Bannered   []string      // Alert.ID
	AllSeen    bool          // the user has looked at all alerts
	Messages   []Message     // insert or replace by ID
	Sent       []string      // messages to forget, by ID
	Checks     []CheckRecord // append
}
