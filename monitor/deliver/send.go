package deliver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"notifio.app/notifio/monitor"
)

// deliverLimit is beyond all steps of a slow SMTP conversation together.
const deliverLimit = 15 * time.Minute

// send hands a letter to the courier, beside the loop.
func (t *Teller) send(ctx context.Context, s *sender, j *job) {
	s.sending, s.account.busy, s.news = true, true, false
	began, courier := time.Now(), s.to.Courier
	s.notices = s.notices[len(j.letter.Notices):]
	seal := func(raw []byte) error { return t.events.Ask(ctx, func() error { return t.seal(j, raw) }) }
	go func() {
		_, err := monitor.Call(ctx, t.log, deliverLimit, func(ctx context.Context) (none struct{}, err error) {
			return none, courier.Deliver(ctx, j.letter, seal)
		})
		t.events.Do(func() {
			s.sending, s.account.busy, j.left = false, false, true
			t.delivered(s, j, began, err)
		})
	}()
}

// seal writes down that the data of a letter is about to go.
func (t *Teller) seal(j *job, raw []byte) error {
	if j.left {
		return monitor.ErrLeft
	}
	if j.message.Raw == nil { // else it is of the first try
		j.message.Raw, j.message.At = raw, t.now()
	}
	c := monitor.Change{Messages: []monitor.Message{j.message}}
	if j.instead != "" {
		c.Sent = []string{j.instead}
	}
	if err := t.opts.Ledger.Save(context.Background(), c); err != nil {
		return err
	}
	t.unread, j.sealed = true, true
	return nil
}

// refusalOf says how a delivery has failed. What is out without an answer is unknown,
// and so is what goes again until its answer comes, whatever happens before the data.
func (j *job) refusalOf(err error) (refusal monitor.Refusal, recipient bool) {
	var failure *monitor.DeliveryError
	var fault *monitor.Fault
	switch {
	case errors.As(err, &failure):
		refusal, recipient = failure.Refusal, failure.Recipient
	case errors.As(err, &fault):
		refusal = monitor.MessageRefused
		if j.sealed {
			refusal = monitor.AnswerUnknown
		}
	case j.sealed:
		refusal = monitor.AnswerUnknown
	default:
		refusal = monitor.Temporary
	}
	return refusal, recipient
}

// delivered writes down that listings are told, or when they are tried again.
func (t *Teller) delivered(s *sender, j *job, began time.Time, err error) {
	if err == nil {
		t.told(s, j)
		return
	}
	refusal, recipient := j.refusalOf(err)
	if refusal == monitor.AnswerUnknown {
		t.unanswered(s, j, began, err)
		return
	}
	s.notices = append(j.letter.Notices, s.notices...)
	if len(j.letter.Alerts) == 0 && !j.again {
		s.noticed = time.Now().Add(t.timing.MailRefused)
	}
	if j.sealed && !(j.again && refusal == monitor.Temporary) { // the answer is known
		t.save(monitor.Change{Sent: []string{j.message.ID}})
	}
	switch homes := len(j.letter.Alerts); {
	case j.again && !j.sealed && (refusal == monitor.TooLarge || refusal == monitor.MessageRefused):
		t.unwritten(s, j, err)
	case refusal == monitor.TooLarge && homes > 1:
		s.most, s.news = (homes+1)/2, true
		t.log.Info(fmt.Sprintf("[notify] An email with %s is too large for its server. Sending half of them at a time", count(homes)), "to", s.to.Name)
	case refusal == monitor.TooLarge || refusal == monitor.MessageRefused:
		t.refused(s, j, err)
	default:
		t.postpone(s, refusal, recipient, began, err)
	}
}

// told is one transaction, after the other side has answered.
func (t *Teller) told(s *sender, j *job) {
	s.wait, s.account.wait = wait{}, wait{}
	if j.again {
		s.unknown = wait{}
	}
	c := monitor.Change{Sent: []string{j.message.ID}}
	for _, id := range j.message.Alerts {
		delete(s.alone, id)
		delete(s.refused, id)
		c.Deliveries = append(c.Deliveries, monitor.Delivery{Alert: id, Destination: s.to.Name, Told: t.now()})
	}
	t.save(c)
	if n := len(j.message.Alerts); n > 0 {
		t.log.Info("Told "+count(n), "to", s.to.Name)
	}
	for _, other := range t.senders { // the account works: what came meanwhile, if anything did
		other.news = other.news || other.account == s.account && t.newsAt.IsZero()
	}
	t.opts.Told()
}

// unwritten gives up a letter without an answer that could not be written as plain text.
func (t *Teller) unwritten(s *sender, j *job, err error) {
	t.log.Warn(fmt.Sprintf("[notify] Failed to send: %v. An email has perhaps arrived before, and is not sent again by itself", err), "to", s.to.Name)
	var c monitor.Change
	for _, m := range t.box.Messages {
		if m.ID == j.instead || m.ID == j.message.ID {
			m.Perhaps = true
			c.Messages = append(c.Messages, m)
		}
	}
	t.save(c)
}

// unanswered keeps a letter whose fate is not known. In the end it has perhaps arrived.
func (t *Teller) unanswered(s *sender, j *job, began time.Time, err error) {
	j.message.Tries++
	j.message.Perhaps = j.message.Plain
	c := monitor.Change{Messages: []monitor.Message{j.message}}
	if j.spent && t.now().Sub(j.message.At) >= giveUp {
		c = monitor.Change{Sent: []string{j.message.ID}} // there is nothing in it to be told any more
	}
	t.save(c)
	s.unknown = s.unknown.climb(t.timing.Mail, time.Now())
	s.unknown.last = began
	s.unknown.why = t.failed(s.unknown, err)
	if j.message.Perhaps {
		s.unknown.why = "" // the letter is a trouble of its own
		t.log.Warn("[notify] An email has perhaps arrived. It is not sent again by itself", "to", s.to.Name)
	}
}

// postpone waits for the hour of a refusal or the next rung of the ladder: for the
// recipient that the server spoke of, else for all who share the account.
func (t *Teller) postpone(s *sender, refusal monitor.Refusal, recipient bool, began time.Time, err error) {
	w := &s.account.wait
	if recipient {
		w = &s.wait
	}
	if refusal == monitor.AccountRefused {
		*w = wait{last: began, until: time.Now().Add(t.timing.MailRefused), hard: true}
	} else {
		*w = w.climb(t.timing.Mail, time.Now())
		w.last = began
	}
	w.why = t.failed(*w, err)
}

// failed logs a failure and says it as a trouble.
func (t *Teller) failed(w wait, err error) string {
	again := t.clock(time.Until(w.until))
	t.log.Warn(fmt.Sprintf("[notify] Failed to send: %v. Keeping listings untold, will retry at %s", err, again))
	return fmt.Sprintf("Email failed: %v. Tried again at %s", err, again)
}

// refused sends each listing once more, alone and as plain text. One that is refused
// even so stays pending; the user hears of it by one banner.
func (t *Teller) refused(s *sender, j *job, err error) {
	t.log.Warn(fmt.Sprintf("[notify] Failed to send: %v. Keeping listings untold", err), "plain", j.message.Plain)
	s.news = true
	if !j.message.Plain {
		for _, id := range j.message.Alerts {
			s.alone[id] = true
		}
		return
	}
	for _, id := range j.message.Alerts {
		delete(s.alone, id)
		s.refused[id] = time.Now().Add(t.timing.MailRefused)
	}
	s.refusal = fmt.Sprintf("Email refused: %v. The listing is in the menu, and tried again in an hour", err)
	for _, a := range t.box.Alerts {
		if slices.Contains(j.message.Alerts, a.ID) && t.banners.refusal(a.ID) {
			t.notice(monitor.Banner{Title: "Email refused: " + a.Headline(), Body: err.Error(), URL: a.Listing.URL})
		}
	}
}
