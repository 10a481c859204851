package monitor

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// save writes a change. The ledger takes it also while the disk refuses, and says so.
func (m *Monitor) save(c Change) {
	if c.empty() {
		return
	}
	trouble := ""
	if err := m.opts.Ledger.Save(context.Background(), c); err != nil {
		trouble = "Nothing can be saved: " + err.Error() + ". Some listings may be told again"
	}
	m.report("disk", cmp.Or(trouble, m.opts.Ledger.Trouble()), true)
}

func (c Change) empty() bool {
	return len(c.Records)+len(c.Known)+len(c.Alerts)+len(c.Hosts)+len(c.Checks) == 0
}

// recall asks the ledger about everything that a decision may touch: the page, the
// baseline that it is compared with, and a first look.
func (m *Monitor) recall(rec Record, page Page) (Recollection, error) {
	asked := slices.Concat(page.Ordinary(), rec.Baseline)
	if rec.Look != nil {
		asked = append(asked, rec.Look.Listings...)
	}
	memo, err := m.opts.Ledger.Recall(context.Background(), rec.Search, asked)
	if memo.Known == nil {
		memo.Known = map[string]Known{}
	}
	if memo.Alerts == nil {
		memo.Alerts = map[string][]string{}
	}
	return memo, err
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
