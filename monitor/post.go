package monitor

import (
	"slices"
	"time"
)

// post is the way to one recipient.
type post struct {
	recipient string
	sending   bool
	want      bool      // there is something to send now
	last      time.Time // monotonic: start of the last attempt
	notBefore time.Time // monotonic: the retry after a failure; zero: nothing failed
	failures  int       // temporary ones in a row
	hard      bool      // refused for good: new news does not hasten the retry
	trouble   string
	notices   []Banner             // to go along with the next message, or alone
	draft     string               // Message-ID of what is being composed
	plain     map[string]bool      // alerts to send once more, alone and as plain text
	refused   map[string]time.Time // alerts refused even so, and when they are tried again
}

func (o *outbox) post(recipient string) *post {
	if o.posts[recipient] == nil {
		o.posts[recipient] = &post{
			recipient: recipient, want: true,
			plain: map[string]bool{}, refused: map[string]time.Time{},
		}
	}
	return o.posts[recipient]
}

// busy says whether an email is on its way at this moment.
func (o *outbox) busy() bool {
	for _, p := range o.posts {
		if p.sending {
			return true
		}
	}
	return false
}

// hurry makes waiting news due: the cycle that found it is over.
func (o *outbox) hurry() {
	if !o.mailAt.IsZero() {
		o.mailAt = time.Now()
	}
}

// retryAll forgets all refusals: the configuration or the password has changed.
func (o *outbox) retryAll() {
	for _, p := range o.posts {
		p.want, p.hard, p.failures, p.notBefore = true, false, 0, time.Time{}
		for id := range p.refused {
			p.plain[id] = true
		}
		clear(p.refused)
	}
}

// wake tries again what failed for the time being: the waits stood still while
// the machine slept.
func (o *outbox) wake() {
	for _, p := range o.posts {
		if !p.hard {
			p.want, p.notBefore = true, time.Time{}
		}
	}
}

// pick is what goes to a recipient next: a message whose fate is unknown, as it
// is; else all that is pending, in one; else, alone and as plain text, a listing
// that was refused.
func (o *outbox) pick(p *post) (Message, bool) {
	for _, msg := range o.messages {
		if msg.Recipient == p.recipient {
			return msg, true
		}
	}
	var together, plain []string
	for _, a := range slices.Backward(o.pendingFor(p.recipient)) {
		switch {
		case !p.refused[a.ID].IsZero(): // waits for its hour
		case p.plain[a.ID]:
			plain = append(plain, a.ID)
		case len(together) < perMessage:
			together = append(together, a.ID)
		}
	}
	switch {
	case len(together) > 0, len(plain) == 0 && len(p.notices) > 0:
		return Message{Recipient: p.recipient, Alerts: together}, true
	case len(plain) > 0:
		return Message{Recipient: p.recipient, Alerts: plain[:1], Plain: true}, true
	}
	return Message{}, false
}

// dueAt is when a recipient's post is to be looked at again; zero: not before
// something happens.
func (o *outbox) dueAt(p *post, now time.Time, fresh time.Duration) time.Time {
	if p.sending {
		return time.Time{}
	}
	var refused time.Time
	for _, until := range p.refused {
		refused = earlier(refused, until)
	}
	_, any := o.pick(p)
	switch {
	case !any:
		return refused
	case p.want && p.notBefore.IsZero():
		return now
	case p.want && !p.hard:
		return earlier(p.notBefore, p.last.Add(fresh))
	}
	return earlier(p.notBefore, refused)
}

// ripen tries listings again that were refused an hour ago.
func (p *post) ripen(now time.Time) {
	for id, until := range p.refused {
		if !now.Before(until) {
			delete(p.refused, id)
			p.plain[id], p.want = true, true
		}
	}
}

// due is when the next email is to be tried.
func (o *outbox) due(now time.Time, fresh time.Duration) time.Time {
	next := o.mailAt
	for _, p := range o.posts {
		next = earlier(next, o.dueAt(p, now, fresh))
	}
	return next
}
