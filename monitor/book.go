package monitor

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"
)

// book is what is kept of searches and hosts, and how much of it the disk has.
type book struct {
	ledger     Ledger
	incidents  *incidents
	records    map[recordKey]Record
	hosts      map[string]*host
	savedAt    map[recordKey]time.Time // Record.AcceptedAt as on disk
	savedHosts map[string]HostRecord   // as on disk
}

type recordKey struct{ search, view string }

func newBook(l Ledger, i *incidents, kept Memory) *book {
	b := &book{
		ledger: l, incidents: i,
		records: map[recordKey]Record{}, hosts: map[string]*host{},
		savedAt: map[recordKey]time.Time{}, savedHosts: map[string]HostRecord{},
	}
	for _, r := range kept.Records {
		b.put(r)
		b.savedAt[r.key()] = r.AcceptedAt
	}
	for _, h := range kept.Hosts {
		b.hosts[h.Host] = &host{rec: h, reason: h.Ladder.before()}
		b.savedHosts[h.Host] = h
	}
	return b
}

func (r Record) key() recordKey { return recordKey{r.Search, r.View} }

func (b *book) put(r Record) { b.records[r.key()] = r }

// save writes a change. The ledger takes it also while the disk refuses, and says so.
func (b *book) save(c Change) {
	if c.empty() {
		return
	}
	trouble := ""
	if err := b.ledger.Save(context.Background(), c); err != nil {
		trouble = "Nothing can be saved: " + err.Error() + ". Some listings may be told again"
	}
	b.incidents.report("disk", cmp.Or(trouble, b.ledger.Trouble()), true)
}

func (c Change) empty() bool {
	return len(c.Records)+len(c.Known)+len(c.Alerts)+len(c.Hosts)+len(c.Checks) == 0
}

// recall asks the ledger about everything that a decision may touch: the page, the
// baseline that it is compared with, and a first look.
func (b *book) recall(rec Record, page Page) (Recollection, error) {
	asked := slices.Concat(page.Ordinary(), rec.Baseline)
	if rec.Look != nil {
		asked = append(asked, rec.Look.Listings...)
	}
	memo, err := b.ledger.Recall(context.Background(), rec.Search, asked)
	if memo.Known == nil {
		memo.Known = map[string]Known{}
	}
	if memo.Alerts == nil {
		memo.Alerts = map[string][]string{}
	}
	return memo, err
}

// record is what is kept of a view of a search; a new one has no baseline.
func (b *book) record(search, view string) Record {
	if rec, ok := b.records[recordKey{search, view}]; ok {
		return rec
	}
	return Record{Search: search, View: view}
}

// recordFresh is how old a saved baseline may get while nothing in it changes.
// Writing it at every check would wear the disk for nothing.
const recordFresh = 5 * time.Minute

// worthSaving is the record, unless the disk has all of it but the last minutes.
func (b *book) worthSaving(before, after Record) []Record {
	key := after.key()
	if after.AcceptedAt.Sub(b.savedAt[key]).Abs() < recordFresh && sameRecord(before, after) {
		return nil
	}
	b.savedAt[key] = after.AcceptedAt
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
func (b *book) changedHosts() []HostRecord {
	var changed []HostRecord
	for _, name := range slices.Sorted(maps.Keys(b.hosts)) {
		if rec := b.hosts[name].rec; rec != b.savedHosts[name] {
			b.savedHosts[name] = rec
			changed = append(changed, rec)
		}
	}
	return changed
}

// host is what is kept of a host; a new one is in good standing.
func (b *book) host(name string) *host {
	if b.hosts[name] == nil {
		b.hosts[name] = &host{rec: HostRecord{Host: name}}
	}
	return b.hosts[name]
}
