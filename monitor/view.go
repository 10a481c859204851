package monitor

import "time"

// View is the state that others show: fresh and unshared, published after every
// change. It holds instants rather than countdowns, so whoever shows it can move
// a countdown without asking.
type View struct {
	At          time.Time
	Phase       Phase
	PausedUntil time.Time // with Paused; zero: until resumed
	NextCheck   time.Time // start of the next cycle; zero while checking or paused
	Done, Total int       // checks of the cycle in flight
	Rows        []Row     // in the order of the file, disabled searches included
	Deliveries
	Asks    []ReplyRow // replies that wait for the user's click, the oldest first
	Replies []ReplyRow // the last ones, newest first, at most ten
	// RepliesStopped says that no reply is sent, or not with every recipe, until the
	// user allows it; a trouble says why.
	RepliesStopped bool
	Troubles       []Trouble // what is wrong beyond a single search, most urgent first
}

// Deliveries is the part of a View that tells of what was found. It is published by the
// machine that tells.
type Deliveries struct {
	Recent  []Alert // one for each listing, newest first, at most ten
	Unseen  int     // listings that the user has not looked at
	Pending int     // listings that some destination has still to be told
}

// Phase is what the monitor is doing as a whole.
type Phase string

// The phases.
const (
	Watching Phase = "watching"
	Checking Phase = "checking"
	Paused   Phase = "paused"
	Offline  Phase = "offline" // watching, but the machine has no network
	// SigningIn: a sign-in window is open, and every check waits for its end.
	SigningIn Phase = "signing in"
	Replying  Phase = "replying" // between two cycles
)

// Row is one search as it is shown.
type Row struct {
	Name, URL, Host string
	State           RowState
	// Text says in words what the last check came to: `23 listings`,
	// `refused (429)`, `page looked half-loaded (2 of 3)`. It has no countdown.
	Text     string
	Verdict  Verdict // of the last check; "" before it
	Reason   string  // the evidence for it
	Listings int     // in the baseline
	// Note is the last thing worth telling about this search, as a sentence
	// (`Re-based after a smaller page`), and stays until the next one.
	Note    string
	NoteAt  time.Time
	Checked time.Time // when the last check settled; zero: not yet
	Took    time.Duration
	RetryAt time.Time // later than the next cycle; zero: tried at the next check
	// Adopted are the listings that a guard last made known without an alert.
	Adopted   []Listing
	AdoptedAt time.Time
}

// RowState is the kind of a row, for icons and colours; Row.Text has the words.
type RowState string

// The states of a row.
const (
	RowNew       RowState = "new" // not checked yet
	RowFine      RowState = "fine"
	RowChecking  RowState = "checking"
	RowDoubt     RowState = "doubt" // a guard set the page aside
	RowRefused   RowState = "refused"
	RowSignedOut RowState = "signed out"
	RowFailed    RowState = "failed" // failed, not-results or browser trouble
	RowHeld      RowState = "held"   // not asked, because its host is being left alone
	RowOffline   RowState = "offline"
	RowPaused    RowState = "paused" // this search alone, by the user
	RowDisabled  RowState = "disabled"
)

// Trouble is something wrong that concerns more than one search.
type Trouble struct {
	Source string // "configuration", "mail", "disk", "saved data", "browser", "tray", "replies": one trouble each
	Text   string // what is wrong and what to do, in one line
	Since  time.Time
}

// begun is what heads the banner of a trouble.
var begun = map[string]string{
	"browser":       "The browser is not ready",
	"configuration": "Your configuration has a mistake",
	"disk":          "Nothing can be saved",
	"mail":          "Email does not work",
	"replies":       "Replies are not sent",
	"saved data":    "About your saved data",
	"tray":          "The icon cannot be shown",
}

func heading(source string) string {
	if said, ok := begun[source]; ok {
		return said
	}
	return "Notifio needs a look: " + source
}

// ended is what there is to say when a trouble is over.
var ended = map[string]string{
	"browser":       "The browser is ready",
	"configuration": "The configuration is good again",
	"disk":          "Saving works again",
	"mail":          "Email works again",
	"replies":       "Replies are sent again",
	"saved data":    "The saved data is in use again",
	"tray":          "The icon is back",
}

// Ended says, as a sentence, that a trouble of this source is over.
func Ended(source string) string {
	if said, ok := ended[source]; ok {
		return said
	}
	return "Over: " + source
}
