package store

import (
	"context"
	"database/sql"
	"maps"
	"slices"
	"time"

	"notifio.app/notifio/monitor"
)

const (
	// Rows are numbered as they come, whatever the clock says: an afternoon in the year
	// 2040 does not make its alerts the newest for ever.
	alertColumns = `SELECT body, bannered, seen,
		coalesce((SELECT min(left_day) FROM search CROSS JOIN known ON known.search = search.id AND known.key = alert.key), -1) >= 0,
		(SELECT json_group_object(destination, told) FROM delivery WHERE delivery.alert = alert.id) FROM alert`
	waiting = alertColumns + ` WHERE rowid IN (
		SELECT rowid FROM (SELECT rowid FROM alert ORDER BY rowid DESC LIMIT ?)
		UNION SELECT alert.rowid FROM delivery CROSS JOIN alert ON alert.id = delivery.alert WHERE told = 0
		UNION SELECT rowid FROM alert WHERE bannered = 0
	) ORDER BY rowid`
	messageColumns = `SELECT id, destination, alerts, plain, raw, at, tries, perhaps FROM message`
)

// recentAlerts is how many alerts are handed over after all are told of them.
const recentAlerts = 10

// Outbox is what waits to be told, and what was told last. It fails only once the store
// is closed.
func (s *Store) Outbox(ctx context.Context) (o monitor.Outbox, err error) {
	err = s.look(func(memory *base) error {
		o, err = outbox(context.WithoutCancel(ctx), memory.db)
		return err
	})
	return o, err
}

// Alerts are those of the given IDs that are on record. It fails only once the store is
// closed.
func (s *Store) Alerts(ctx context.Context, ids []string) (map[string]monitor.Alert, error) {
	byID := make(map[string]monitor.Alert)
	if len(ids) == 0 {
		return byID, nil
	}
	list, err := encode(ids)
	if err != nil {
		return nil, err
	}
	return byID, s.look(func(memory *base) error {
		found, err := alerts(context.WithoutCancel(ctx), memory.db, alertColumns+` WHERE id IN (SELECT value FROM json_each(?))`, list)
		for _, a := range found {
			byID[a.ID] = a
		}
		return explain("load the alerts", err)
	})
}

// address makes destinations those that there are: see Store.Address.
func (w writer) address(destinations []string) error {
	list, err := encode(destinations)
	if err != nil {
		return err
	}
	for _, statement := range addressing {
		if err := w.exec(statement, list); err != nil {
			return err
		}
	}
	return nil
}

const goneNow = `destination NOT IN (SELECT value FROM json_each(?1))`

var addressing = []string{
	`DELETE FROM destination WHERE name NOT IN (SELECT value FROM json_each(?1))`,
	`INSERT OR IGNORE INTO destination SELECT value FROM json_each(?1)`,
	// An alert for whoever is there next, or told nowhere and pending nowhere else.
	`INSERT OR IGNORE INTO delivery SELECT DISTINCT lost.alert, name, 0 FROM delivery AS lost, destination
		WHERE lost.told = 0 AND lost.` + goneNow + ` AND (lost.destination = '' OR NOT EXISTS (
			SELECT 1 FROM delivery AS other WHERE other.alert = lost.alert AND (told > 0 OR other.destination IN (SELECT value FROM json_each(?1)))))`,
	`DELETE FROM delivery WHERE told = 0 AND ` + goneNow,
	`DELETE FROM message WHERE ` + goneNow,
}

func outbox(ctx context.Context, db querier) (o monitor.Outbox, err error) {
	if o.Alerts, err = alerts(ctx, db, waiting, recentAlerts); err != nil {
		return o, explain("load the alerts", err)
	}
	if o.Messages, err = collect(ctx, db, scanMessage, messageColumns+` ORDER BY at, id`); err != nil {
		return o, explain("load the messages", err)
	}
	unseen, err := collect(ctx, db, func(rows *sql.Rows) (n int, err error) { return n, rows.Scan(&n) }, `SELECT count(DISTINCT key) FROM alert WHERE seen = 0`)
	if err != nil {
		return o, explain("count the alerts", err)
	}
	o.Unseen = unseen[0]
	return o, nil
}

// alerts reads a query of alertColumns.
func alerts(ctx context.Context, db querier, query string, args ...any) ([]monitor.Alert, error) {
	return collect(ctx, db, scanAlert, query, args...)
}

func scanAlert(rows *sql.Rows) (monitor.Alert, error) {
	var a monitor.Alert
	var body, deliveries string
	var bannered, seen, gone bool
	if err := rows.Scan(&body, &bannered, &seen, &gone, &deliveries); err != nil {
		return a, err
	}
	if err := decode(body, &a); err != nil {
		return a, err
	}
	a.Bannered, a.Seen, a.Gone = bannered, seen, gone
	told := map[string]int64{}
	if err := decode(deliveries, &told); err != nil {
		return a, err
	}
	for _, name := range slices.Sorted(maps.Keys(told)) {
		if at := told[name]; at == 0 {
			a.Pending = append(a.Pending, name)
		} else {
			if a.Told == nil {
				a.Told = map[string]time.Time{}
			}
			a.Told[name] = instant(at)
		}
	}
	return a, nil
}

func scanMessage(rows *sql.Rows) (monitor.Message, error) {
	var m monitor.Message
	var alerts string
	var at int64
	err := rows.Scan(&m.ID, &m.Destination, &alerts, &m.Plain, &m.Raw, &at, &m.Tries, &m.Perhaps)
	if err == nil {
		err = decode(alerts, &m.Alerts)
	}
	m.At = instant(at)
	return m, err
}
