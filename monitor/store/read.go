package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"notifio.app/notifio/monitor"
)

// Read returns what is on record in dir since a time: the stretches that ended
// then or later, and the alerts that were found then or later. At least the last
// hundred days of use are there. It changes nothing and may be called while a
// Notifio works in dir, whose Save it does not hold up. A folder without a
// database, or that is not there, has an empty history. Errors wrap ErrDisk, ErrDamaged
// or ErrNewer where that is the trouble.
func Read(ctx context.Context, dir string, since time.Time) (monitor.History, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return monitor.History{}, fmt.Errorf("find the data folder: %w", err)
	}
	history, err := place{dir: dir}.read(ctx, since)
	if errors.Is(err, ErrDamaged) {
		return monitor.History{}, fmt.Errorf("%w (start Notifio, which mends it)", err)
	}
	return history, err
}

func (p place) read(ctx context.Context, since time.Time) (monitor.History, error) {
	var none monitor.History
	info, err := os.Stat(p.path())
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return none, nil
	case err != nil:
		return none, explain("look at the database", err)
	case info.Size() == 0 && !exists(p.path()+"-wal"):
		return none, nil // a Notifio is about to make it
	}
	options := readOnly()
	history, err := p.readWith(ctx, options, since)
	if errors.Is(err, ErrDisk) && !exists(p.path()+"-wal") {
		// Without leave to write in the folder there is no way to take part in the
		// WAL; without a WAL nobody writes, and the file is all there is.
		options.Set("immutable", "1")
		history, err = p.readWith(ctx, options, since)
	}
	return history, err
}

// readWith reads everything in one transaction, so that it belongs together.
func (p place) readWith(ctx context.Context, options url.Values, since time.Time) (monitor.History, error) {
	var h monitor.History
	db, err := connect(dsn(p.path(), options))
	if err != nil {
		return h, err
	}
	defer db.Close()
	tx, err := db.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return h, explain("read the history", err)
	}
	defer tx.Rollback()
	var version int
	if err := tx.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return h, explain("read the schema version", err)
	}
	if version == 0 { // made, and nothing in it yet
		return h, nil
	}
	if version > len(migrations) {
		return h, newer(ErrNewer)
	}
	if h.Stretches, err = stretches(ctx, tx, since); err != nil {
		return h, explain("read the finished checks", err)
	}
	h.Alerts, err = alerts(ctx, tx, alertColumns+` WHERE found >= ? ORDER BY found, id`, nanos(since))
	return h, explain("read the alerts", err)
}

func stretches(ctx context.Context, db querier, since time.Time) ([]monitor.Stretch, error) {
	return collect(ctx, db, func(rows *sql.Rows) (monitor.Stretch, error) {
		var s monitor.Stretch
		var from, until int64
		err := rows.Scan(&s.Search, &s.Verdict, &s.Reason, &from, &until, &s.Checks, &s.Took, &s.Slowest, &s.Listings, &s.News)
		s.Since, s.Until = instant(from), instant(until)
		return s, err
	}, `SELECT url, verdict, reason, since, until, checks, took, slowest, listings, news
		FROM stretch JOIN search ON search.id = stretch.search WHERE until >= ? ORDER BY stretch.id`, nanos(since))
}
