package deliver

import (
	"crypto/rand"
	"encoding/hex"
	"slices"
	"time"

	"notifio.app/notifio/monitor"
)

// job is a letter that is to go, and what is to be written down with it.
type job struct {
	letter  monitor.Letter
	message monitor.Message // as it is saved before the data
	// again says that the letter has been sent before, and nobody knows whether it has
	// arrived; instead, that it goes in the place of that one.
	again   bool
	instead string
	ripe    bool // the hour after a refusal is over
	spent   bool // it goes again, and tells nothing that is pending still
	sealed  bool // the data may be out
	left    bool // given up: nothing may be sent any more
}

// again is a letter that had no answer: as it is, or once as plain text in the end.
func (s *sender) again(m monitor.Message, box monitor.Outbox, wall time.Time) *job {
	alerts := slices.DeleteFunc(slices.Clone(box.Alerts), func(a monitor.Alert) bool {
		return !slices.Contains(m.Alerts, a.ID) || !slices.Contains(a.Pending, s.to.Name)
	})
	if m.Plain || wall.Sub(m.At) < giveUp || len(alerts) == 0 {
		letter := monitor.Letter{ID: m.ID, To: m.Destination, Plain: m.Plain, Raw: m.Raw}
		return &job{again: true, spent: len(alerts) == 0, message: m, letter: letter}
	}
	j := s.job(alerts, true)
	j.again, j.instead = true, m.ID
	return j
}

// compose makes a letter of what is pending and in no other; nil when there is nothing
// to say now, with the instant when there may be.
func (s *sender) compose(box monitor.Outbox, now time.Time) (j *job, at time.Time) {
	sent := map[string]bool{}
	for _, m := range box.Messages {
		if m.Destination == s.to.Name {
			for _, id := range m.Alerts {
				sent[id] = true
			}
		}
	}
	var together, alone []monitor.Alert
	ripe := false
	for _, a := range box.Alerts {
		until, refused := s.refused[a.ID]
		switch {
		case sent[a.ID] || !slices.Contains(a.Pending, s.to.Name):
		case refused && now.Before(until):
			at = earlier(at, until)
		case refused || s.alone[a.ID]:
			ripe = ripe || refused
			alone = append(alone, a)
		default:
			together = append(together, a)
		}
	}
	switch {
	case len(together) > 0:
		return s.job(together, false), at
	case len(alone) > 0:
		j := s.job(alone[:1], true)
		j.ripe = ripe
		return j, at
	case len(s.notices) > 0 && now.Before(s.noticed):
		return nil, earlier(at, s.noticed)
	case len(s.notices) > 0:
		j := s.job(nil, false)
		j.ripe = !s.noticed.IsZero()
		return j, at
	}
	return nil, at
}

// job is a letter about alerts, as many as fit.
func (s *sender) job(alerts []monitor.Alert, plain bool) *job {
	id := newMessageID()
	j := &job{
		letter:  monitor.Letter{ID: id, To: s.to.Name, Plain: plain},
		message: monitor.Message{ID: id, Destination: s.to.Name, Plain: plain},
	}
	if !plain {
		j.letter.Notices = slices.Clone(s.notices)
	}
	for _, h := range byHome(alerts) {
		if len(j.letter.Alerts) == s.most {
			break
		}
		j.letter.Alerts = append(j.letter.Alerts, h.says)
		j.message.Alerts = append(j.message.Alerts, h.covers...)
	}
	return j
}

// home is what is said of one listing, and the alerts that are told by it.
type home struct {
	says   monitor.Alert
	covers []string
}

// byHome puts together what is pending of one listing: a new one has its present price,
// so the drops to it are told with it; of several drops the last one is told, with the
// price before the first.
func byHome(alerts []monitor.Alert) []*home {
	var homes []*home
	place := map[string]*home{}
	for _, a := range alerts {
		h := place[a.Listing.Key]
		switch {
		case h == nil || a.Kind != monitor.PriceDrop:
			h = &home{says: a}
			place[a.Listing.Key] = h
			homes = append(homes, h)
		case h.says.Kind == monitor.PriceDrop:
			a.Was = h.says.Was
			h.says = a
		}
		h.covers = append(h.covers, a.ID)
	}
	return homes
}

// newMessageID is unique for ever; its domain needs no mail server.
func newMessageID() string {
	var b [16]byte
	rand.Read(b[:])
	return hex.EncodeToString(b[:]) + "@notifio.app"
}
