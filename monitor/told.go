package monitor

import (
	"slices"
	"time"
)

// told is one transaction, after the recipient's side has answered.
func (m *Monitor) told(p *post, msg Message) {
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
	if len(msg.Alerts) > 0 {
		m.log.Info("Told "+count(len(msg.Alerts)), "to", p.recipient)
	}
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

// toldByBanner closes alerts where the desktop is the only way to tell.
func (m *Monitor) toldByBanner() {
	var change Change
	m.outbox.mailAt = time.Time{}
	for _, a := range m.outbox.pendingFor(BannerRecipient) {
		if a.Bannered || !m.settings.Banners {
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
