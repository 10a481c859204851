package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"notifio.app/notifio/monitor"
)

// Health is what a look at a ledger from outside finds.
type Health struct {
	File   string    // its name in the data folder
	Size   int64     // bytes, with its write-ahead log
	Schema int       // its version
	Backup time.Time // when the newest backup was made; zero: there is none
	Last   []monitor.CheckRecord
}

// Inspect looks at the ledger in dir without changing it, also while a Notifio is
// at work there. Last has the last check of each search, At being when that was.
// The error says that the file is missing, damaged or cannot be read; what was found
// out before it is returned all the same.
func Inspect(ctx context.Context, dir string, now time.Time) (Health, error) {
	p := place{dir: dir}
	h := Health{File: fileName}
	if backups := p.backups(now); len(backups) > 0 {
		if info, err := os.Stat(backups[0]); err == nil {
			h.Backup = info.ModTime()
		}
	}
	info, err := os.Stat(p.path())
	if errors.Is(err, fs.ErrNotExist) {
		return h, fmt.Errorf("%s is not there: it is made on the first start", fileName)
	}
	if err != nil {
		return h, explain("look at the database", err)
	}
	h.Size = info.Size()
	if log, err := os.Stat(p.path() + "-wal"); err == nil {
		h.Size += log.Size()
	}
	return h, h.read(ctx, p.path())
}

// read checks the whole file, and then asks it.
func (h *Health) read(ctx context.Context, path string) error {
	db, err := connect(dsn(filepath.Clean(path), readOnly()))
	if err != nil {
		return err
	}
	defer db.Close()
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&h.Schema); err != nil {
		return explain("open the database", err)
	}
	if err := sound(ctx, db); err != nil {
		return err
	}
	rows, err := db.QueryContext(ctx, `SELECT url, until, verdict, reason, listings FROM stretch
		JOIN search ON search.id = stretch.search
		WHERE stretch.id IN (SELECT max(id) FROM stretch GROUP BY search) ORDER BY search.id`)
	if err != nil {
		return explain("read the last checks", err)
	}
	defer rows.Close()
	for rows.Next() {
		var c monitor.CheckRecord
		var at int64
		if err := rows.Scan(&c.Search, &at, &c.Verdict, &c.Reason, &c.Listings); err != nil {
			return explain("read the last checks", err)
		}
		c.At = time.Unix(0, at)
		h.Last = append(h.Last, c)
	}
	return explain("read the last checks", rows.Err())
}
