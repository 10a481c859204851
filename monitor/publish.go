package monitor

import (
	"fmt"
	"slices"
	"time"
)

// show writes into a search's row what a clean page came to.
func (m *Monitor) show(w *watch, out outcome, page Page) {
	w.row.State, w.row.Text = out.state, out.text
	w.row.Listings = len(out.record.Baseline)
	if page.View == SignedOutView {
		w.row.Text += ", as seen signed out"
	}
	if out.note != "" {
		m.note(w, out.note)
	}
	if out.log != "" {
		m.log.Info(out.log)
	}
	if len(out.adopted) > 0 {
		w.row.Adopted, w.row.AdoptedAt = out.adopted, m.now()
	}
	for _, l := range out.adopted {
		m.log.Info(fmt.Sprintf("%s: known without an alert: %s", w.search.Name, l.Title), "url", l.URL)
	}
	for _, a := range out.alerts {
		m.log.Info(fmt.Sprintf("%s: %s: %s", w.search.Name, a.Kind, a.Headline()), "url", a.Listing.URL)
	}
}

func (m *Monitor) note(w *watch, sentence string) {
	w.row.Note, w.row.NoteAt = sentence, m.now()
}

// publish hands out a fresh view.
func (m *Monitor) publish() { m.opts.Publish(m.view()) }

func (m *Monitor) view() View {
	v := View{At: m.now(), Phase: m.phase(), PausedUntil: m.pause.RetryAt, Troubles: slices.Clone(m.incidents.troubles)}
	if next := m.next(); !next.IsZero() {
		v.NextCheck = v.At.Add(time.Until(next))
	}
	if m.cycle != nil {
		v.Done, v.Total = m.cycle.done, m.cycle.total
	}
	v.Rows = make([]Row, 0, len(m.watches))
	for _, w := range m.watches {
		v.Rows = append(v.Rows, m.viewRow(w, v.At))
	}
	m.showReplies(&v)
	return v
}

func (m *Monitor) phase() Phase {
	switch {
	case m.signing != nil:
		return SigningIn
	case m.paused:
		return Paused
	case m.cycle != nil:
		return Checking
	case m.replies.now != nil:
		return Replying
	case m.offline:
		return Offline
	}
	return Watching
}

// viewRow is a search as it is shown: what its host's backoff, its own pace and
// the network make of the last check. All searches of a host show the same retry.
func (m *Monitor) viewRow(w *watch, now time.Time) Row {
	row := w.row
	row.Name, row.URL, row.Host = w.search.Name, w.search.URL, w.search.Host()
	h := m.book.host(row.Host)
	row.Adopted = slices.Clone(row.Adopted)
	checking := m.cycle != nil && m.cycle.inFlight[w]
	switch {
	case !w.search.Enabled:
		row.State, row.Text = RowDisabled, "disabled"
		return row
	case m.pausedSearch(w): // at once, also while its last check is on its way
		row.State, row.Text = RowPaused, "paused"
		return row
	case checking:
		row.State = RowChecking
		return row
	case m.offline && row.State == RowFailed:
		row.State, row.Text = RowOffline, "offline"
	case h.rec.Held() && row.State != RowRefused && row.State != RowFailed && row.State != RowSignedOut:
		row.State, row.Text = RowHeld, fmt.Sprintf("waiting for %s: %s", row.Host, h.reason)
	}
	if w.alone && row.State == RowRefused && !h.rec.Held() {
		row.Text += ", while others of " + row.Host + " are served"
	}
	if h.rec.Held() {
		row.RetryAt = h.rec.mended(now).RetryAt
	}
	if p := w.pace.mended(now); p.Waiting(now) && p.RetryAt.After(row.RetryAt) {
		row.RetryAt = p.RetryAt
	}
	return row
}
