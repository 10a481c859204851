package monitor

import (
	"context"
	"errors"
	"time"
)

// Replier fills in the form of a listing and sends it.
type Replier interface {
	// Reply does the steps of a job in a page of its own. Just before the click that
	// sends it calls seal; when seal fails, nothing is sent and the error is that of
	// seal. In a dry run it ends there. It returns within a few minutes, and within
	// seconds of the end of ctx. An error means that nothing was sent and that it is
	// not the site's doing: ctx ended, or one that wraps ErrBrowser.
	Reply(ctx context.Context, job ReplyJob, seal func() error) (ReplyResult, error)
}

// ReplyJob is one reply, ready to be done.
type ReplyJob struct {
	Listing  Listing
	Recipe   Recipe
	Message  string
	Steps    []Step        // filled in
	MaxPrice float64       // per month, held against Recipe.Price; 0: no limit
	DryRun   bool          // stop before the submit
	Patience time.Duration // for what a step waits for, and for the confirmation
}

// ReplyOutcome is how a job ended.
type ReplyOutcome string

// The outcomes.
const (
	ReplyConfirmed   ReplyOutcome = "confirmed"   // sent, and the site says so
	ReplyUnconfirmed ReplyOutcome = "unconfirmed" // the click is done, and no confirmation came
	ReplyPrepared    ReplyOutcome = "prepared"    // a dry run that came to its end
	ReplyStopped     ReplyOutcome = "stopped"     // not sent: the page is not what the recipe expects
	ReplyRefused     ReplyOutcome = "refused"     // not sent: the host refuses us
)

// ReplyResult is what came of a job.
type ReplyResult struct {
	Outcome    ReplyOutcome
	Reason     string        // the evidence, in one line for a person
	Picture    string        // file of what the page looked like; "" for none
	Status     int           // with ReplyRefused; 0 when it was not a status
	RetryAfter time.Duration // with ReplyRefused: what the host asked for
}

// ReplyJournal is an append-only record outside the ledger.
type ReplyJournal interface {
	// Write returns once e is on the disk. After an error it may be there or not.
	Write(e ReplyEntry) error
}

// ReplyEvent is what happened to the reply to one listing.
type ReplyEvent string

// The events. ReplyAbout is written before the click that sends: whatever happens
// then, the reply counts as sent until one of the others says more.
const (
	ReplyQueued  ReplyEvent = "queued"
	ReplyAbout   ReplyEvent = "about"
	ReplySent    ReplyEvent = "sent"
	ReplyTried   ReplyEvent = "tried" // a dry run
	ReplyFailed  ReplyEvent = "failed"
	ReplySkipped ReplyEvent = "skipped"
	// ReplyHold and ReplyRelease have no key. After a hold replies wait for the
	// user's click; the release is that click, and forgives recipes their failures.
	ReplyHold    ReplyEvent = "hold"
	ReplyRelease ReplyEvent = "release"
)

// ReplyEntry is one line of the journal.
type ReplyEntry struct {
	At     time.Time  `json:"at"`
	Key    string     `json:"key,omitempty"`    // Listing.Key
	Recipe string     `json:"recipe,omitempty"` // its name
	Event  ReplyEvent `json:"event"`
	Note   string     `json:"note,omitempty"` // why, in words

	Canonical string `json:"canonical,omitempty"` // of the listing, as the rest
	URL       string `json:"url,omitempty"`
	Title     string `json:"title,omitempty"`
	Print     string `json:"print,omitempty"`   // tells one state of the recipe from another
	Text      string `json:"text,omitempty"`    // what was, or would have been, sent
	Picture   string `json:"picture,omitempty"` // a file
}

// errNotNow is the answer to a reply that was about to be sent when something came
// before it. It is tried again later.
var errNotNow = errors.New("not now")

// replyLimit is when a reply that should have ended by itself is given up.
const replyLimit = 5 * time.Minute

// replyTries is how often a reply is begun that something of ours, or a refusal,
// has cut short before anything was sent.
const replyTries = 3

// failuresToSwitchOff is how many failures in a row switch a recipe off.
const failuresToSwitchOff = 3
