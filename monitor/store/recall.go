package store

import (
	"context"
	"database/sql"
	"errors"

	"notifio.app/notifio/monitor"
)

const (
	knownColumns = `SELECT key, canonical, how, amount, amount_max, currency, period, price_text,
		area, title, left_day, at`
	knownByKey       = knownColumns + ` FROM known WHERE search = ? AND key = ?`
	knownByCanonical = knownColumns + ` FROM known WHERE search = ? AND canonical = ? AND canonical <> ''
		ORDER BY at DESC, key LIMIT 1`
	alertsOf = `SELECT id FROM alert WHERE key = ? OR (canonical = ? AND canonical <> '') ORDER BY found, id`
)

// statements are prepared once, when the file is opened.
var statements = []string{
	addSearch, searchID, saveRecord, saveKnown, saveAlert, saveHost, saveMessage, forget, lengthen, addStretch,
	knownByKey, knownByCanonical, alertsOf,
}

// Recall finds what search knows of the listings, and the alerts that anybody has
// of them, the oldest first. A key counts before a canonical URL; where several
// known listings share a canonical URL, the one that became known last is meant.
// Errors wrap ErrDisk or ErrDamaged where that is the trouble.
func (s *Store) Recall(ctx context.Context, search string, listings []monitor.Listing) (monitor.Recollection, error) {
	out := monitor.Recollection{Known: make(map[string]monitor.Known), Alerts: make(map[string][]string)}
	if err := ctx.Err(); err != nil {
		return out, err
	}
	ctx = context.WithoutCancel(ctx) // a driver that may be interrupted costs a goroutine per look-up
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return out, errClosed
	}
	var id int64 // none has 0: the look-ups below find nothing then
	err := s.stmts[searchID].QueryRowContext(ctx, search).Scan(&id)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return out, s.note(explain("recall", err))
	}
	for _, l := range listings {
		known, found, err := s.known(ctx, id, l)
		if err != nil {
			return out, s.note(explain("recall", err))
		}
		if found {
			known.Search = search
			out.Known[l.Key] = known
		}
		alerts, err := s.alerts(ctx, l)
		if err != nil {
			return out, s.note(explain("recall", err))
		}
		if len(alerts) > 0 {
			out.Alerts[l.Key] = alerts
		}
	}
	return out, nil
}

func (s *Store) known(ctx context.Context, search int64, l monitor.Listing) (known monitor.Known, found bool, err error) {
	known, err = scanKnown(s.stmts[knownByKey].QueryRowContext(ctx, search, l.Key).Scan)
	if errors.Is(err, sql.ErrNoRows) && l.Canonical != "" {
		known, err = scanKnown(s.stmts[knownByCanonical].QueryRowContext(ctx, search, l.Canonical).Scan)
	}
	if errors.Is(err, sql.ErrNoRows) {
		return known, false, nil
	}
	return known, err == nil, err
}

// scanKnown reads knownColumns; Known.Search is its caller's to set.
func scanKnown(scan func(...any) error) (monitor.Known, error) {
	var k monitor.Known
	var at int64
	err := scan(&k.Key, &k.Canonical, &k.How, &k.Price.Amount, &k.Price.AmountMax, &k.Price.Currency,
		&k.Price.Period, &k.Price.Text, &k.AreaM2, &k.Title, &k.LeftDay, &at)
	k.At = instant(at)
	return k, err
}

func (s *Store) alerts(ctx context.Context, l monitor.Listing) ([]string, error) {
	rows, err := s.stmts[alertsOf].QueryContext(ctx, l.Key, l.Canonical)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var ids []string
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
