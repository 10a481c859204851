package monitor

import "time"

// Timing holds every duration that the monitor goes by. Tests scale it; the
// configuration reaches Interval and Jitter alone.
type Timing struct {
	Interval time.Duration // start to start
	Jitter   time.Duration // uniform, plus or minus, drawn anew each cycle
	// Floor between two cycles, even when one overran. Back to back would look
	// mechanical to a portal and would leave Pause nothing to interrupt.
	Floor         time.Duration
	Spacing       time.Duration // between the starts of two requests to one host
	SpacingJitter time.Duration
	MailDelay     time.Duration // the longest a mail waits for the end of its cycle

	Refusals      []time.Duration // waits after the first, second, … refusal
	Errors        []time.Duration // waits after failing cycles
	LadderJitter  float64         // each wait is drawn within ± this share
	RetryAfterMax time.Duration   // the longest wait that a host may ask for

	SignedOutPace time.Duration // between checks of a signed-out search
	TroublePace   time.Duration // between checks of a search that fails alone

	Provisional time.Duration // how long a first baseline waits for its second check
	Gap         time.Duration // without an accepted check, after which a page full of news may be news
	Disabled    time.Duration // a search disabled for longer starts anew
	BackDays    int           // checked days of absence, after which a listing is back

	Mail        []time.Duration // waits after temporary failures of the mail
	MailFresh   time.Duration   // new news does not wait longer than this after an attempt
	MailRefused time.Duration   // between attempts after a permanent refusal

	Lasting     time.Duration // what is wrong for longer has a banner
	LastingMail time.Duration // and for longer than this an email, once

	SignInRemind time.Duration // a sign-in window that is open for longer has a banner
	SignInLimit  time.Duration // and one that is open for longer than this is closed

	ReplyPatience time.Duration // for what a step of a reply waits for, and for the confirmation
	ReplyStale    time.Duration // a listing found longer ago is not replied to

	// Stuck is when a check that should have ended by itself after 30 s is given up.
	Stuck  time.Duration
	Pulse  time.Duration // how often the wall clock is looked at for sleep and jumps
	Asleep time.Duration // a jump of the wall clock by more than this is a sleep
}

// DefaultTiming are the promises of the product.
func DefaultTiming() Timing {
	const min = time.Minute
	return Timing{
		Interval: 30 * time.Second, Jitter: 5 * time.Second, Floor: 5 * time.Second,
		Spacing: 2 * time.Second, SpacingJitter: time.Second, MailDelay: 10 * time.Second,
		Refusals:     []time.Duration{1 * min, 2 * min, 5 * min, 10 * min, 20 * min, 30 * min},
		Errors:       []time.Duration{1 * min, 2 * min, 5 * min, 10 * min},
		LadderJitter: 0.1, RetryAfterMax: 6 * time.Hour,
		SignedOutPace: 10 * min, TroublePace: 5 * min,
		Provisional: 10 * min, Gap: 30 * min, Disabled: 24 * time.Hour, BackDays: 14,
		Mail:      []time.Duration{1 * min, 2 * min, 5 * min, 10 * min, 30 * min},
		MailFresh: min, MailRefused: time.Hour,
		Lasting: 10 * min, LastingMail: 30 * min, SignInRemind: 5 * min, SignInLimit: 15 * min,
		ReplyPatience: 15 * time.Second, ReplyStale: 6 * time.Hour,
		Stuck: 45 * time.Second, Pulse: time.Second, Asleep: 5 * time.Second,
	}
}
