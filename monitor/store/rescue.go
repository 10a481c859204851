package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"notifio.app/notifio/monitor"
)

// rescue reads what it can from a damaged database of the one thing that cannot be
// found again on a page: alerts that wait to be told, and the messages about which
// nobody knows whether they have arrived. Beside a newer file it asks that one as
// well.
func (p place) rescue(ctx context.Context) monitor.Change {
	found := rescued{alerts: map[string]monitor.Alert{}, messages: map[string]monitor.Message{}}
	found.from(ctx, p.path())
	if p.name != fileName {
		found.from(ctx, filepath.Join(p.dir, fileName))
	}
	return monitor.Change{Alerts: slices.Collect(maps.Values(found.alerts)), Messages: slices.Collect(maps.Values(found.messages))}
}

// rescued is what could be read, by ID.
type rescued struct {
	alerts   map[string]monitor.Alert
	messages map[string]monitor.Message
}

// from reads a file with the WAL if it can. It reads from both ends, since the
// first damaged page ends a reading.
func (r rescued) from(ctx context.Context, path string) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	for _, options := range []url.Values{{"mode": {"ro"}}, {"mode": {"ro"}, "immutable": {"1"}}} {
		db, err := connect(dsn(path, options))
		if err != nil {
			continue
		}
		for _, order := range []string{"rowid", "rowid DESC"} {
			r.read(ctx, db, `SELECT id, body FROM alert NOT INDEXED ORDER BY `+order, r.alert)
			r.read(ctx, db, messageColumns+` FROM message NOT INDEXED ORDER BY `+order, r.message)
		}
		db.Close()
		if len(r.alerts) > 0 {
			return
		}
	}
}

// read takes the whole ones among the rows of a query, up to the first error.
func (r rescued) read(ctx context.Context, db *sql.DB, query string, take func(*sql.Rows)) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() {
		take(rows)
	}
}

func (r rescued) alert(rows *sql.Rows) {
	var id, body string
	var a monitor.Alert
	if rows.Scan(&id, &body) == nil && json.Unmarshal([]byte(body), &a) == nil && a.ID == id && a.Listing.URL != "" {
		r.alerts[id] = a
	}
}

func (r rescued) message(rows *sql.Rows) {
	if m, err := scanMessage(rows); err == nil && m.ID != "" && m.Recipient != "" {
		r.messages[m.ID] = m
	}
}
