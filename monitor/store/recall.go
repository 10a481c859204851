package store

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strings"

	"notifio.app/notifio/monitor"
)

// asked is how many listings one look-up takes: a page of them, as a rule. A
// shorter list is padded with NULL, which equals nothing.
const asked = 64

const knownColumns = `SELECT key, canonical, known.id, how, filter, hidden, amount, amount_max, currency, period,
	price_text, unsure, area, title, words, left_day, at`

var (
	marks = `(?` + strings.Repeat(`, ?`, asked-1) + `)`

	knownByKey       = knownColumns + ` FROM known WHERE search = ? AND key IN ` + marks
	knownByCanonical = knownColumns + ` FROM known WHERE search = ? AND canonical IN ` + marks + `
		AND canonical <> '' ORDER BY at, key DESC`
	knownByID = knownColumns + ` FROM known WHERE search = ? AND id IN ` + marks + ` AND id <> '' ORDER BY key`
	alertsOf  = `SELECT id, key, canonical, CASE WHEN EXISTS (SELECT 1 FROM delivery WHERE alert = alert.id AND told = 0)
		THEN body ELSE '' END FROM alert WHERE key IN ` + marks + `
		OR (canonical IN ` + marks + ` AND canonical <> '') ORDER BY found, id`
)

// statements are prepared once, when a database is opened.
var statements = append([]string{
	dayOfUse, addSearch, searchID, saveRecord, saveKnown, addAlert, addressAlert, changeAlert,
	saveDelivery, setBannered, setSeen, setAllSeen, saveHost, saveMessage, forget, lengthen, addStretch,
	knownByKey, knownByCanonical, knownByID, alertsOf, dropDeliveries,
}, addressing...)

// Recall finds what search knows of the listings, and the alerts that anybody has
// of them, the oldest first. A key counts before a canonical URL, and that before an
// alias; where several known listings share a canonical URL, the one that became known
// last is meant.
// It fails when ctx has ended or the store is closed.
func (s *Store) Recall(ctx context.Context, search string, listings []monitor.Listing) (monitor.Recollection, error) {
	out := monitor.Recollection{Known: make(map[string]monitor.Known), Alerts: make(map[string][]string), Open: make(map[string]monitor.Alert)}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	ctx = context.WithoutCancel(ctx) // a driver that may be interrupted costs a goroutine per look-up
	err := s.look(func(memory *base) error { return memory.recall(ctx, search, listings, &out) })
	return out, explain("recall", err)
}

func (b *base) recall(ctx context.Context, search string, listings []monitor.Listing, out *monitor.Recollection) error {
	var id int64 // none has 0: the look-ups below find nothing then
	err := b.stmts[searchID].QueryRowContext(ctx, search).Scan(&id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	for page := range slices.Chunk(withAliases(listings), asked) {
		if err := b.recallKnown(ctx, id, search, page, out.Known); err != nil {
			return err
		}
		if err := b.recallAlerts(ctx, page, *out); err != nil {
			return err
		}
	}
	out.SameID, err = b.recallIDs(ctx, id, search, listings, out.Known)
	return err
}

func keyOf(l monitor.Listing) string       { return l.Key }
func canonicalOf(l monitor.Listing) string { return l.Canonical }
func idOf(l monitor.Listing) string        { return l.ID }

// withAliases has each listing, and behind all of them each once more for an alias.
func withAliases(listings []monitor.Listing) []monitor.Listing {
	all := slices.Clip(listings)
	for _, l := range listings {
		for _, alias := range l.Aliases {
			all = append(all, monitor.Listing{Key: l.Key, Canonical: alias})
		}
	}
	return all
}

// padded are a field of the listings as arguments for marks.
func padded(page []monitor.Listing, field func(monitor.Listing) string) []any {
	args := make([]any, asked)
	for i, l := range page {
		args[i] = field(l)
	}
	return args
}

func (b *base) recallKnown(ctx context.Context, id int64, search string, page []monitor.Listing, out map[string]monitor.Known) error {
	byKey, err := b.knownBy(ctx, knownByKey, id, padded(page, keyOf))
	if err != nil {
		return err
	}
	known := make(map[string]monitor.Known)
	for _, k := range byKey {
		known[k.Key] = k
	}
	renamed := slices.DeleteFunc(slices.Clone(page), func(l monitor.Listing) bool {
		_, found := known[l.Key]
		return found || l.Canonical == ""
	})
	canonical := make(map[string]monitor.Known)
	if len(renamed) > 0 {
		byCanonical, err := b.knownBy(ctx, knownByCanonical, id, padded(renamed, canonicalOf))
		if err != nil {
			return err
		}
		for _, k := range byCanonical {
			canonical[k.Canonical] = k // the last is the newest
		}
	}
	for _, l := range page {
		k, found := known[l.Key]
		if !found {
			k, found = canonical[l.Canonical]
		}
		if _, before := out[l.Key]; found && !before {
			k.Search = search
			out[l.Key] = k
		}
	}
	return nil
}

// recallIDs finds what is known under the same number as listings that are unknown.
func (b *base) recallIDs(ctx context.Context, id int64, search string, listings []monitor.Listing, known map[string]monitor.Known) (map[string][]monitor.Known, error) {
	unknown := make(map[string]monitor.Listing) // by Listing.ID; a page and its baseline may both ask
	for _, l := range listings {
		if _, found := known[l.Key]; !found && l.ID != "" {
			unknown[l.ID] = l
		}
	}
	out := make(map[string][]monitor.Known)
	for page := range slices.Chunk(slices.Collect(maps.Values(unknown)), asked) {
		same, err := b.knownBy(ctx, knownByID, id, padded(page, idOf))
		if err != nil {
			return nil, err
		}
		for _, k := range same {
			k.Search = search
			out[k.ID] = append(out[k.ID], k)
		}
	}
	return out, nil
}

func (b *base) knownBy(ctx context.Context, statement string, search int64, args []any) ([]monitor.Known, error) {
	rows, err := b.stmts[statement].QueryContext(ctx, append([]any{search}, args...)...)
	return gather(rows, err, func(rows *sql.Rows) (monitor.Known, error) { return scanKnown(rows.Scan) })
}

func (b *base) recallAlerts(ctx context.Context, page []monitor.Listing, out monitor.Recollection) error {
	type row struct{ id, key, canonical, body string }
	rows, err := b.stmts[alertsOf].QueryContext(ctx, append(padded(page, keyOf), padded(page, canonicalOf)...)...)
	alerts, err := gather(rows, err, func(rows *sql.Rows) (row, error) {
		var r row
		err := rows.Scan(&r.id, &r.key, &r.canonical, &r.body)
		return r, err
	})
	if err != nil {
		return err
	}
	for _, a := range alerts {
		if a.body != "" {
			var open monitor.Alert
			if err := decode(a.body, &open); err != nil {
				return err
			}
			out.Open[a.id] = open
		}
		for _, l := range page {
			if (l.Key == a.key || l.Canonical == a.canonical && a.canonical != "") && !slices.Contains(out.Alerts[l.Key], a.id) {
				out.Alerts[l.Key] = append(out.Alerts[l.Key], a.id)
			}
		}
	}
	return nil
}

// scanKnown reads knownColumns; Known.Search is its caller's to set.
func scanKnown(scan func(...any) error) (monitor.Known, error) {
	var k monitor.Known
	var at int64
	err := scan(&k.Key, &k.Canonical, &k.ID, &k.How, &k.Filter, &k.Hidden, &k.Price.Amount, &k.Price.AmountMax,
		&k.Price.Currency, &k.Price.Period, &k.Price.Text, &k.Price.Unsure, &k.AreaM2, &k.Title, &k.Words, &k.LeftDay, &at)
	k.At = instant(at)
	return k, err
}
