package monitor

import (
	"slices"
	"time"
)

// apply puts settings in place. A search is the same one as long as its URL is.
func (m *Monitor) apply(s Settings) {
	before := map[string]*watch{}
	for _, w := range m.watches {
		before[w.search.URL] = w
	}
	shorter := s.Interval < m.settings.Interval
	m.settings = s
	m.watches = nil
	var asked []*watch // enabled just now
	for _, search := range s.Searches {
		w := before[search.URL]
		if w == nil {
			w = &watch{row: Row{State: RowNew, Text: "not checked yet"}, pace: m.book.record(search.URL, "").Alone}
			if w.pace.Held() {
				w.refused, w.alone = true, true
				w.row.State, w.row.Text = RowRefused, w.pace.Ladder.before()
			}
		}
		delete(before, search.URL)
		if search.Enabled && !w.search.Enabled {
			asked = append(asked, w)
		}
		w.search = search
		w.row.Listings = len(m.book.record(search.URL, w.view).Baseline)
		m.watches = append(m.watches, w)
	}
	for _, w := range before {
		w.search.Enabled = false
	}
	m.dropIdle()
	m.book.save(Change{Records: m.noteDisabled(m.now())})
	for _, w := range asked {
		m.soon(w)
	}
	if shorter {
		m.shorten()
	}
}

// dropIdle takes searches that are gone, disabled or paused out of a cycle.
func (m *Monitor) dropIdle() {
	idle := func(w *watch) bool { return !m.watched(w) }
	m.early = slices.DeleteFunc(m.early, idle)
	if m.cycle == nil {
		return
	}
	queued := len(m.cycle.queue)
	m.cycle.queue = slices.DeleteFunc(m.cycle.queue, idle)
	m.cycle.total -= queued - len(m.cycle.queue)
	for host, held := range m.cycle.held {
		m.cycle.held[host] = slices.DeleteFunc(held, idle)
	}
}

// noteDisabled writes down since when a search is disabled. One that was for
// over a day starts anew: what it has missed is no news.
func (m *Monitor) noteDisabled(now time.Time) []Record {
	enabled := map[string]bool{}
	for _, w := range m.watches {
		enabled[w.search.URL] = w.search.Enabled
	}
	var changed []Record
	for key, rec := range m.book.records {
		switch {
		case !enabled[key.search] && rec.DisabledAt.IsZero():
			rec.DisabledAt = now
			if _, named := enabled[key.search]; !named && len(m.watches) > 0 && key.view == "" {
				m.log.Warn("A search is not in the configuration any more, and not watched", "url", key.search)
			}
		case enabled[key.search] && !rec.DisabledAt.IsZero():
			if now.Sub(rec.DisabledAt) > m.timing.Disabled {
				rec = Record{Search: rec.Search, View: rec.View, Days: rec.Days, LastDay: rec.LastDay, Paused: rec.Paused}
			}
			rec.DisabledAt = time.Time{}
		default:
			continue
		}
		m.book.put(rec)
		changed = append(changed, rec)
	}
	return changed
}
