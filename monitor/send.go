package monitor

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"sync/atomic"
	"time"
)

// deliverLimit is beyond all steps of a slow SMTP conversation together.
const deliverLimit = 15 * time.Minute

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
	if msg.Raw == nil && !msg.Plain {
		letter.Notices, p.notices = p.notices, nil
	}
	for _, id := range msg.Alerts {
		if a, ok := m.outbox.open[id]; ok {
			a.Gone = m.gone(a)
			letter.Alerts = append(letter.Alerts, a)
		}
	}
	courier := m.settings.Courier
	var sealed atomic.Bool
	seal := func(raw []byte) error {
		sealed.Store(true)
		return m.ask(ctx, func() error {
			msg.Raw = raw
			m.outbox.messages[msg.ID] = msg
			m.save(Change{Messages: []Message{msg}})
			return nil
		})
	}
	go func() {
		_, err := Call(ctx, m.log, deliverLimit, func(ctx context.Context) (none struct{}, err error) { return none, courier.Deliver(ctx, letter, seal) })
		var fault *Fault
		switch {
		case errors.As(err, &fault) && sealed.Load(): // it may be with the server by now
			err = &DeliveryError{Refusal: AnswerUnknown, Err: err}
		case errors.As(err, &fault):
			err = &DeliveryError{Refusal: MessageRefused, Err: err}
		case errors.Is(err, ErrLeft):
			err = fmt.Errorf("the email did not get anywhere within %v", deliverLimit)
		}
		m.do(func() {
			if err != nil {
				p.notices = append(letter.Notices, p.notices...)
			}
			m.delivered(p, msg, err)
		})
	}()
}

// write puts a notice into the next email to everybody, which goes at once.
func (m *Monitor) write(b Banner) {
	if m.settings.Courier == nil {
		return
	}
	for _, recipient := range m.settings.Recipients {
		p := m.outbox.post(recipient)
		p.notices, p.want = append(p.notices, b), true
	}
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

// newMessageID is unique for ever; its domain needs no mail server.
func newMessageID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:]) + "@notifio.app"
}
