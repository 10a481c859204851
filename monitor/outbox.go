package monitor

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"
)

// recentAlerts is how many alerts are kept for the menu after they were told.
const recentAlerts = 10

// perMessage is how many listings one email tells at most; the others follow in
// the next one.
const perMessage = 50

// outbox holds the alerts that somebody has still to be told of, and the ten
// newest of all. It belongs to the monitor's goroutine.
type outbox struct {
	open     map[string]Alert   // by ID
	fresh    []string           // IDs that have no banner yet
	messages map[string]Message // sealed ones, whose fate is not known, by ID
	posts    map[string]*post   // by recipient
	mailAt   time.Time          // monotonic: when the first news goes at the latest; zero: none waits
}

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
	draft     string               // Message-ID of what is being composed
	plain     map[string]bool      // alerts to send once more, alone and as plain text
	refused   map[string]time.Time // alerts refused even so, and when they are tried again
}

func newOutbox(mem Memory) outbox {
	o := outbox{open: map[string]Alert{}, messages: map[string]Message{}, posts: map[string]*post{}}
	for _, a := range mem.Alerts {
		o.open[a.ID] = a
		if !a.Bannered {
			o.fresh = append(o.fresh, a.ID)
		}
	}
	for _, msg := range mem.Messages {
		o.messages[msg.ID] = msg
	}
	return o
}

// add takes over what a check has found, and says what is to be written.
func (o *outbox) add(out outcome) []Alert {
	var changed []Alert
	put := func(a Alert) {
		o.open[a.ID] = a
		changed = append(changed, a)
	}
	for _, a := range out.repriced {
		put(a)
	}
	for _, a := range out.alerts {
		put(a)
		o.fresh = append(o.fresh, a.ID)
	}
	return changed
}

// join adds a search's name to alerts that are still on their way to everybody.
func (o *outbox) join(ids []string, search string) []Alert {
	var changed []Alert
	for _, id := range ids {
		a, open := o.open[id]
		if !open || a.Closed || a.Names(search) {
			continue
		}
		a.Searches = append(slices.Clone(a.Searches), search)
		o.open[id] = a
		changed = append(changed, a)
	}
	return changed
}

// trim forgets what has been told, but for the ten newest.
func (o *outbox) trim() {
	for i, a := range o.newest() {
		if i >= recentAlerts && a.Closed {
			delete(o.open, a.ID)
		}
	}
}

// newest are all alerts, the newest first.
func (o *outbox) newest() []Alert {
	var all []Alert
	for _, a := range o.open {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b Alert) int {
		if c := b.Found.Compare(a.Found); c != 0 {
			return c
		}
		return compare(a.ID, b.ID)
	})
	return all
}

func compare(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
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
	for _, a := range slices.Backward(o.newest()) {
		switch {
		case !a.PendingFor(p.recipient):
		case !p.refused[a.ID].IsZero(): // waits for its hour
		case p.plain[a.ID]:
			plain = append(plain, a.ID)
		case len(together) < perMessage:
			together = append(together, a.ID)
		}
	}
	switch {
	case len(together) > 0:
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

// post sends what is due, one message per recipient at a time, beside the loop.
func (m *Monitor) post(ctx context.Context) {
	o := &m.outbox
	now := time.Now()
	if m.settings.Courier == nil {
		m.toldByBanner()
		return
	}
	news := !o.mailAt.IsZero() && !now.Before(o.mailAt)
	if news {
		o.mailAt = time.Time{}
	}
	for _, recipient := range m.settings.Recipients {
		p := o.post(recipient)
		p.want = p.want || news
		p.ripen(now)
		msg, any := o.pick(p)
		if !any {
			p.want = p.want && p.sending
			continue
		}
		if at := o.dueAt(p, now, m.timing.MailFresh); !at.IsZero() && !now.Before(at) {
			m.send(ctx, p, msg)
		}
	}
}

// send hands one message to the courier, beside the loop.
func (m *Monitor) send(ctx context.Context, p *post, msg Message) {
	if msg.ID == "" {
		if p.draft == "" {
			p.draft = newMessageID()
		}
		msg.ID, msg.At = p.draft, m.now()
	}
	p.sending, p.want, p.last = true, false, time.Now()
	letter := Letter{ID: msg.ID, To: msg.Recipient, Plain: msg.Plain, Raw: msg.Raw}
	for _, id := range msg.Alerts {
		if a, ok := m.outbox.open[id]; ok {
			a.Gone = m.gone(a)
			letter.Alerts = append(letter.Alerts, a)
		}
	}
	courier := m.settings.Courier
	seal := func(raw []byte) error {
		return m.ask(ctx, func() error {
			msg.Raw = raw
			m.outbox.messages[msg.ID] = msg
			m.save(Change{Messages: []Message{msg}})
			return nil
		})
	}
	go func() {
		err := courier.Deliver(ctx, letter, seal)
		m.do(func() { m.delivered(p, msg, err) })
	}()
}

// delivered writes down that listings are told, or when they are tried again.
func (m *Monitor) delivered(p *post, msg Message, err error) {
	p.sending = false
	if err == nil {
		m.told(p, msg)
		return
	}
	refusal := Temporary
	var failure *DeliveryError
	_, sealed := m.outbox.messages[msg.ID]
	switch {
	case errors.As(err, &failure):
		refusal = failure.Refusal
	case sealed:
		refusal = AnswerUnknown
	}
	if sealed && refusal != AnswerUnknown { // the answer is known: compose afresh
		delete(m.outbox.messages, msg.ID)
		m.save(Change{Sent: []string{msg.ID}})
	}
	switch refusal {
	case MessageRefused:
		m.messageRefused(p, msg, err)
		return
	case AccountRefused:
		p.hard, p.notBefore = true, time.Now().Add(m.timing.MailRefused)
	default:
		ladder := m.timing.Mail
		p.failures++
		p.hard, p.notBefore = false, time.Now().Add(ladder[min(p.failures, len(ladder))-1])
	}
	again := clock(m.now().Add(time.Until(p.notBefore)))
	m.log.Warn(fmt.Sprintf("[notify] Failed to send: %v. Keeping listings untold, will retry at %s", err, again))
	p.trouble = fmt.Sprintf("Email failed: %v. Tried again at %s", err, again)
	m.mailTrouble()
}

// told is one transaction, after the recipient's side has answered.
func (m *Monitor) told(p *post, msg Message) {
	if p.failures > 0 || p.hard {
		m.log.Info("Email works again", "to", p.recipient)
	}
	p.failures, p.hard, p.notBefore, p.draft, p.trouble = 0, false, time.Time{}, "", ""
	change := Change{Sent: []string{msg.ID}}
	for _, id := range msg.Alerts {
		delete(p.plain, id)
		delete(p.refused, id)
		if a, ok := m.outbox.open[id]; ok {
			change.Alerts = append(change.Alerts, m.tell(a, p.recipient))
		}
	}
	delete(m.outbox.messages, msg.ID)
	m.save(change)
	m.log.Info("Told "+count(len(msg.Alerts)), "to", p.recipient)
	m.outbox.trim()
	p.want = m.outbox.mailAt.IsZero() // what came meanwhile, if anything did
	m.mailTrouble()
}

// tell notes that a recipient knows, and closes the alert when everybody does.
func (m *Monitor) tell(a Alert, recipient string) Alert {
	told := map[string]time.Time{recipient: m.now()}
	for r, at := range a.Told {
		told[r] = at
	}
	a.Told = told
	a.Closed = !slices.ContainsFunc(m.recipients(), a.PendingFor)
	m.outbox.open[a.ID] = a
	return a
}

// messageRefused sends each listing once more, alone and as plain text. One that
// is refused even so stays pending; the user hears of it by banner.
func (m *Monitor) messageRefused(p *post, msg Message, err error) {
	m.log.Warn(fmt.Sprintf("[notify] Failed to send: %v. Keeping listings untold", err), "plain", msg.Plain)
	p.draft, p.want, p.notBefore = "", true, time.Time{}
	for _, id := range msg.Alerts {
		if !msg.Plain {
			p.plain[id] = true
			continue
		}
		delete(p.plain, id)
		p.refused[id] = time.Now().Add(m.timing.MailRefused)
		a := m.outbox.open[id]
		m.notice(Banner{Title: "Email refused: " + headline(a), Body: err.Error(), URL: a.Listing.URL})
		p.trouble = fmt.Sprintf("Email refused: %v. The listing is in the menu, and tried again in an hour", err)
	}
	m.mailTrouble()
}

// mailTrouble shows the first recipient's trouble, or that there is none.
func (m *Monitor) mailTrouble() {
	for _, recipient := range m.settings.Recipients {
		if text := m.outbox.post(recipient).trouble; text != "" {
			m.report("mail", text, false)
			return
		}
	}
	m.report("mail", "", false)
}

// toldByBanner closes alerts where the desktop is the only way to tell.
func (m *Monitor) toldByBanner() {
	var change Change
	m.outbox.mailAt = time.Time{}
	for _, a := range m.outbox.newest() {
		if a.PendingFor(BannerRecipient) && (a.Bannered || !m.settings.Banners) {
			change.Alerts = append(change.Alerts, m.tell(a, BannerRecipient))
		}
	}
	if len(change.Alerts) > 0 {
		m.save(change)
		m.outbox.trim()
	}
}

// recipients are all who are to be told of what is found now.
func (m *Monitor) recipients() []string {
	if m.settings.Courier == nil {
		return []string{BannerRecipient}
	}
	return m.settings.Recipients
}

// gone says whether a listing has left every page that it was found on.
func (m *Monitor) gone(a Alert) bool {
	found := false
	for _, w := range m.watches {
		if !a.Names(w.search.Name) {
			continue
		}
		found = true
		if identsOf(m.records[recordKey{w.search.URL, w.view}].Baseline).has(a.Listing) {
			return false
		}
	}
	return found
}

// newMessageID is unique for ever; its domain needs no mail server.
func newMessageID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:]) + "@notifio.app"
}
