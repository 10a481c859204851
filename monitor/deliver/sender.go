package deliver

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"notifio.app/notifio/monitor"
)

// sender tells one destination. It is idle, waiting (until when and why), sending, or it
// has letters whose fate is unknown; then those go again as they are.
type sender struct {
	to      monitor.Destination
	account *account
	sending bool
	news    bool // something is due
	wait    wait // for what the server says of this recipient
	unknown wait // before a letter without an answer goes again
	most    int  // listings in one letter
	// alone are alerts to send once more, one each and as plain text; refused are those
	// that were refused even so, and when they are tried again.
	alone   map[string]bool
	refused map[string]time.Time
	refusal string
	notices []monitor.Banner // to go along with the next letter, or alone
	noticed time.Time        // monotonic: no letter of notices alone before
}

// account is what the destinations behind one server and login share.
type account struct {
	wait wait
	busy bool // one of them is being served
}

// wait is a reason not to try. The zero one is none.
type wait struct {
	rung  int
	last  time.Time // monotonic: of the attempt that failed
	until time.Time // monotonic
	hard  bool      // refused for good: news does not hasten the next attempt
	why   string
}

// climb makes the wait the next of a ladder.
func (w wait) climb(ladder []time.Duration, now time.Time) wait {
	rung := min(w.rung+1, len(ladder))
	return wait{rung: rung, last: now, until: now.Add(ladder[rung-1])}
}

// over is when the wait ends; with news, a while after the last attempt at the latest.
func (w wait) over(news bool, fresh time.Duration) time.Time {
	if news && !w.hard && !w.until.IsZero() {
		return earlier(w.until, w.last.Add(fresh))
	}
	return w.until
}

// The numbers of the letters.
const (
	perLetter = 35 // listings, which make less than 90 kB of HTML as a rule; Gmail cuts at 102
	// A letter has so many tries without an answer before what came since goes in another.
	triesBefore = 3
	// giveUp is how long a letter without an answer goes again as it is; then it goes once
	// as plain text.
	giveUp = 24 * time.Hour
)

func newSender() *sender {
	return &sender{news: true, most: perLetter, alone: map[string]bool{}, refused: map[string]time.Time{}}
}

func (s *sender) retry() {
	s.most = perLetter
	s.news, s.wait, s.account.wait, s.unknown.until, s.noticed = true, wait{}, wait{}, time.Time{}, time.Time{}
	for id := range s.refused {
		s.alone[id] = true
	}
	clear(s.refused)
}

// next is the letter that goes now; else it says when there may be one (zero: not before
// something happens).
func (s *sender) next(box monitor.Outbox, now, wall time.Time, timing monitor.Timing) (*job, time.Time) {
	if s.sending || s.account.busy {
		return nil, time.Time{}
	}
	unknown := s.unknowns(box)
	if len(unknown) > 0 {
		if at := later(s.unknown.until, s.account.wait.until, s.wait.until); !now.Before(at) {
			return s.again(unknown[0], box, wall), time.Time{}
		}
	}
	at := time.Time{}
	if len(unknown) > 0 {
		at = later(s.unknown.until, s.account.wait.until, s.wait.until)
	}
	if len(unknown) > 1 || len(unknown) == 1 && unknown[0].Tries < triesBefore {
		return nil, at
	}
	j, ripe := s.compose(box, now)
	at = earlier(at, ripe)
	if j == nil {
		s.news = false
		return nil, at
	}
	waited := !s.wait.until.IsZero() || !s.account.wait.until.IsZero()
	if !s.news && !waited && !j.ripe {
		return nil, at
	}
	due := later(s.wait.over(s.news, timing.MailFresh), s.account.wait.over(s.news, timing.MailFresh))
	if !s.unknown.last.IsZero() {
		due = later(due, s.unknown.last.Add(timing.MailFresh))
	}
	if now.Before(due) {
		return nil, earlier(at, due)
	}
	return j, time.Time{}
}

// unknowns are the letters of this destination without an answer: the one to try next
// first, which is the oldest of those with the fewest tries.
func (s *sender) unknowns(box monitor.Outbox) []monitor.Message {
	var out []monitor.Message
	for _, m := range box.Messages {
		if m.Destination == s.to.Name && !m.Perhaps {
			out = append(out, m)
		}
	}
	slices.SortStableFunc(out, func(a, b monitor.Message) int { return cmp.Compare(a.Tries, b.Tries) })
	return out
}

// trouble says what is wrong with telling this destination.
func (s *sender) trouble(box monitor.Outbox) string {
	switch {
	case s.account.wait.why != "":
		return s.account.wait.why
	case s.wait.why != "":
		return s.wait.why
	case s.unknown.why != "" && len(s.unknowns(box)) > 0:
		return s.unknown.why
	}
	if len(s.refused) > 0 {
		return s.refusal
	}
	perhaps := 0
	for _, m := range box.Messages {
		if m.Destination == s.to.Name && m.Perhaps {
			perhaps++
		}
	}
	switch perhaps {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("An email to %s has perhaps arrived: its server did not answer for a day. Its listings are in the menu; a test email sends it again", s.to.Name)
	}
	return fmt.Sprintf("%d emails to %s have perhaps arrived: its server did not answer for a day. Their listings are in the menu; a test email sends them again", perhaps, s.to.Name)
}

func later(times ...time.Time) time.Time {
	return slices.MaxFunc(times, time.Time.Compare)
}
