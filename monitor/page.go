package monitor

import (
	"context"
	"errors"
	"slices"
	"time"
)

// Verdict is what one check saw.
type Verdict string

// The six verdicts. Results and Empty are clean.
const (
	Results    Verdict = "results"     // the saved search, with listings
	Empty      Verdict = "empty"       // the saved search, which says itself that nothing matches
	SignedOut  Verdict = "signed-out"  // a login page, or a login form where the listings were
	Refused    Verdict = "refused"     // 401, 403, 405, 429, 503 or a robot check
	Failed     Verdict = "failed"      // nothing came: DNS, timeout, reset, TLS, crash of the page
	NotResults Verdict = "not-results" // a page, but not the one that was saved
)

// Clean says whether the page may be compared with what is known.
func (v Verdict) Clean() bool { return v == Results || v == Empty }

// SignedOutView is the Page.View of results that a portal shows to a visitor who
// is not signed in where its definition knows a signed-in view as well.
const SignedOutView = "signed-out"

// Page is what one check brought back.
type Page struct {
	Verdict Verdict
	Reason  string // the evidence, in one line for a person: `answered 429`, `20 links like /huur/*`
	Status  int    // of the document; 0 when none came
	// RetryAfter is how long the host asked us to stay away; 0 when it did not.
	RetryAfter time.Duration
	// Robot, with Refused: the page asks whether there is a person.
	Robot bool
	// Unreachable, with Failed: the name did not resolve, there was no route, or
	// the network was disconnected. A reset, a refused connection or a timeout is not.
	Unreachable bool

	FinalURL    string    // after redirects
	LinkPattern string    // which links were read as listings; "" when none
	View        string    // "" or SignedOutView; each view has a baseline of its own
	Listings    []Listing // in page order, one per key; promoted ones are marked
	Total       int       // the page's own count of results; 0 when it shows none
	NewestFirst bool      // the page is known to show the newest first
	// Reader is the version of what read the page: script, definition of its portal,
	// list of trackers. Another one may name the same homes otherwise.
	Reader string
	// Dropped are the parameters of the saved address that a redirect of a clean page
	// took away or changed, as written ("city=utrecht"); trackers and empty ones aside.
	Dropped []string
	Took    time.Duration
}

// Ordinary are the listings that count: all but the promoted ones, in page order.
func (p Page) Ordinary() []Listing {
	out := make([]Listing, 0, len(p.Listings))
	for _, l := range p.Listings {
		if !l.Promoted {
			out = append(out, l)
		}
	}
	return out
}

// promoted are the others.
func (p Page) promoted() []Listing {
	return slices.DeleteFunc(slices.Clone(p.Listings), func(l Listing) bool { return !l.Promoted })
}

// ShowsAll says whether the page shows every result it counts.
func (p Page) ShowsAll() bool { return p.Total > 0 && p.Total == p.ordinary() }

// ordinary counts the listings that count.
func (p Page) ordinary() int {
	n := 0
	for i := range p.Listings {
		if !p.Listings[i].Promoted {
			n++
		}
	}
	return n
}

// ErrBrowser marks an error of Checker.Check that is ours and not the host's:
// the browser died, does not answer, or is not installed yet.
var ErrBrowser = errors.New("browser trouble")

// Checker loads a results page and reads it.
type Checker interface {
	// Check loads s once, within 30 s, and says what it saw. It may be called for
	// several searches at a time. An error means that there is no verdict: ctx
	// ended (then it returns within a second), or one that wraps ErrBrowser and
	// says in words what is wrong.
	Check(ctx context.Context, s Search) (Page, error)
	// Rest is called between cycles, when no check is in flight: the moment to
	// recycle a browser. It returns soon after ctx ends.
	Rest(ctx context.Context)
}
