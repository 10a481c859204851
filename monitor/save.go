package monitor

import (
	"context"
	"maps"
	"slices"
	"time"
)

// save writes a change, together with what the disk refused before. While it
// refuses, the monitor goes on from memory and says so.
func (m *Monitor) save(c Change) {
	c = m.unsaved.and(c)
	if c.empty() {
		return
	}
	if err := m.opts.Ledger.Save(context.Background(), c); err != nil {
		m.unsaved = c
		m.report("disk", "Nothing can be saved: "+err.Error()+". New listings are told, but some may be told again after a restart", true)
		return
	}
	m.unsaved = Change{}
	m.report("disk", "", false)
}

// and is both changes in one; what is written twice is written as in d.
func (c Change) and(d Change) Change {
	return Change{
		Records:  latest(c.Records, d.Records, func(r Record) recordKey { return recordKey{r.Search, r.View} }),
		Known:    latest(c.Known, d.Known, func(k Known) [2]string { return [2]string{k.Search, k.Key} }),
		Alerts:   latest(c.Alerts, d.Alerts, func(a Alert) string { return a.ID }),
		Hosts:    latest(c.Hosts, d.Hosts, func(h HostRecord) string { return h.Host }),
		Messages: latest(c.Messages, d.Messages, func(msg Message) string { return msg.ID }),
		Sent:     append(slices.Clone(c.Sent), d.Sent...),
		Checks:   append(slices.Clone(c.Checks), d.Checks...),
	}
}

// latest joins two lists; of what has the same key the last one stays.
func latest[T any, K comparable](a, b []T, key func(T) K) []T {
	var out []T
	place := map[K]int{}
	for _, v := range slices.Concat(a, b) {
		if i, seen := place[key(v)]; seen {
			out[i] = v
			continue
		}
		place[key(v)] = len(out)
		out = append(out, v)
	}
	return out
}

func (c Change) empty() bool {
	return len(c.Records)+len(c.Known)+len(c.Alerts)+len(c.Hosts)+len(c.Messages)+len(c.Sent)+len(c.Checks) == 0
}

// recall asks the disk about everything that a decision may touch: the page, the
// baseline that it is compared with, and a first look. When the disk does not
// answer, the baseline is what is known: told twice is better than never.
func (m *Monitor) recall(rec Record, page Page) Recollection {
	asked := slices.Concat(page.Ordinary(), rec.Baseline)
	if rec.Look != nil {
		asked = append(asked, rec.Look.Listings...)
	}
	memo, err := m.opts.Ledger.Recall(context.Background(), rec.Search, asked)
	if err != nil {
		m.report("disk", "What is known cannot be read: "+err.Error()+". Some listings may be told again", true)
		memo = recollected(rec)
	}
	if memo.Known == nil {
		memo.Known = map[string]Known{}
	}
	if memo.Alerts == nil {
		memo.Alerts = map[string][]string{}
	}
	m.overlay(&memo, rec.Search, asked)
	return memo
}

// recollected is what a baseline alone tells of what is known.
func recollected(rec Record) Recollection {
	memo := Recollection{Known: map[string]Known{}}
	for _, l := range rec.Baseline {
		memo.Known[l.Key] = Known{
			Search: rec.Search, Key: l.Key, Canonical: l.Canonical, ID: l.ID, How: Baselined,
			Price: l.Price, AreaM2: l.AreaM2, Title: l.Title, LeftDay: -1, At: rec.AcceptedAt,
		}
	}
	return memo
}

// overlay adds what the disk has not taken yet.
func (m *Monitor) overlay(memo *Recollection, search string, asked []Listing) {
	if len(m.unsaved.Known) == 0 && len(m.unsaved.Alerts) == 0 {
		return
	}
	byIdent := map[string][]string{}
	for _, l := range asked {
		byIdent["key "+l.Key] = append(byIdent["key "+l.Key], l.Key)
		for _, url := range append([]string{l.Canonical}, l.Aliases...) {
			if url != "" {
				byIdent["url "+url] = append(byIdent["url "+url], l.Key)
			}
		}
	}
	for _, k := range m.unsaved.Known {
		if k.Search != search {
			continue
		}
		for _, key := range slices.Concat(byIdent["key "+k.Key], byIdent["url "+k.Canonical]) {
			memo.Known[key] = k
		}
	}
	for _, a := range m.unsaved.Alerts {
		for _, key := range slices.Concat(byIdent["key "+a.Listing.Key], byIdent["url "+a.Listing.Canonical]) {
			if !slices.Contains(memo.Alerts[key], a.ID) {
				memo.Alerts[key] = append(memo.Alerts[key], a.ID)
			}
		}
	}
}

// record is what is kept of a view of a search; a new one has no baseline.
func (m *Monitor) record(search, view string) Record {
	if rec, ok := m.records[recordKey{search, view}]; ok {
		return rec
	}
	return Record{Search: search, View: view}
}

// recordFresh is how old a saved baseline may get while nothing in it changes.
// Writing it at every check would wear the disk for nothing.
const recordFresh = 5 * time.Minute

// worthSaving is the record, unless the disk has all of it but the last minutes.
func (m *Monitor) worthSaving(before, after Record) []Record {
	key := recordKey{after.Search, after.View}
	if after.AcceptedAt.Sub(m.savedAt[key]).Abs() < recordFresh && sameRecord(before, after) {
		return nil
	}
	m.savedAt[key] = after.AcceptedAt
	return []Record{after}
}

// sameRecord compares all but the time of acceptance, the fields of listings and the
// final address beyond its host, which may have a number of each visit in it.
func sameRecord(a, b Record) bool {
	sameKey := func(x, y Listing) bool { return x.Key == y.Key && x.Canonical == y.Canonical }
	if !slices.EqualFunc(a.Baseline, b.Baseline, sameKey) || (a.Look == nil) != (b.Look == nil) {
		return false
	}
	return a.Provisional == b.Provisional && HostOf(a.FinalURL) == HostOf(b.FinalURL) && a.LinkPattern == b.LinkPattern && a.Reader == b.Reader &&
		a.Days == b.Days && a.LastDay == b.LastDay && a.Half == b.Half && a.Paused == b.Paused && a.DisabledAt.Equal(b.DisabledAt)
}

// changedHosts are the host records that differ from what is on disk.
func (m *Monitor) changedHosts() []HostRecord {
	var changed []HostRecord
	for _, name := range slices.Sorted(maps.Keys(m.hosts)) {
		if rec := m.hosts[name].rec; rec != m.savedHosts[name] {
			m.savedHosts[name] = rec
			changed = append(changed, rec)
		}
	}
	return changed
}
