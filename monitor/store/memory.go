package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"notifio.app/notifio/monitor"
)

// inMemory is the way out when the disk cannot be written: a ledger for this run,
// filled with whatever can still be read, so that known listings stay known.
func (p place) inMemory(ctx context.Context, now time.Time, o Opened, cause error) (Opened, error) {
	s, memory, from, err := p.memory(ctx, now)
	if err != nil {
		return o, fmt.Errorf("open a ledger in memory: %w", err)
	}
	o.Store, o.Memory, o.Temporary = s, memory, true
	o.Restored = o.Restored || from != p.name
	o.Notes = append(o.Notes, fmt.Sprintf("Nothing can be saved in %s (%v). Notifio goes on from memory, with %s: listings are told, but what happens now is forgotten when it quits.",
		p.dir, cause, from))
	return o, nil
}

func (p place) memory(ctx context.Context, now time.Time) (s *Store, memory monitor.Memory, from string, err error) {
	db, err := connect("file::memory:?_txlock=immediate&_dqs=0")
	if err != nil {
		return nil, memory, "", err
	}
	s = &Store{place: p, db: db, temporary: true}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	if err := migrate(ctx, db, migrations); err != nil {
		return nil, memory, "", err
	}
	from = p.fill(ctx, db, now)
	if memory, err = s.begin(ctx); err != nil || from == p.name {
		return s, memory, from, err
	}
	if err := s.Save(ctx, p.rescue(ctx)); err != nil {
		return nil, memory, "", err
	}
	memory, err = load(ctx, db)
	return s, memory, from, err
}

// fill copies into memory what the disk still gives, and names its source. The
// database is read where it is, WAL and all; else from a copy in the system's
// temporary folder; else as it was when the WAL was last folded in; else it is
// what a newer Notifio has left, or the newest good backup.
func (p place) fill(ctx context.Context, db *sql.DB, now time.Time) string {
	if p.fillFrom(ctx, db, p.path(), url.Values{"mode": {"ro"}}) == nil ||
		p.fillFromCopy(ctx, db) == nil ||
		p.fillFrom(ctx, db, p.path(), url.Values{"mode": {"ro"}, "immutable": {"1"}}) == nil {
		return p.name
	}
	if p.name != fileName && p.fillFromNewer(ctx, db) == nil {
		return fileName
	}
	for _, path := range p.backups(now) {
		if p.fillFrom(ctx, db, path, url.Values{"mode": {"ro"}, "immutable": {"1"}}) == nil {
			return filepath.Base(path)
		}
	}
	return "nothing on record"
}

// fillFromNewer copies what a newer Notifio has left, where it still has today's
// tables and columns, beside others of its own.
func (p place) fillFromNewer(ctx context.Context, db *sql.DB) error {
	newer := filepath.Join(p.dir, fileName)
	err := p.fillFrom(ctx, db, newer, url.Values{"mode": {"ro"}})
	if err != nil {
		err = p.fillFrom(ctx, db, newer, url.Values{"mode": {"ro"}, "immutable": {"1"}})
	}
	return err
}

// fillFrom copies a sound database of today's schema, of an earlier one, or of a later
// one that has all that is needed.
func (p place) fillFrom(ctx context.Context, db *sql.DB, path string, options url.Values) error {
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		return errors.Join(err, errNoBackup)
	}
	if _, err := db.ExecContext(ctx, "ATTACH ? AS disk", dsn(path, options)); err != nil {
		return err
	}
	defer db.ExecContext(ctx, "DETACH disk")
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA disk.quick_check(1)").Scan(&found); err != nil || found != "ok" {
		return errors.Join(err, errors.New(found))
	}
	return copyTables(ctx, db)
}

// fillFromCopy lets SQLite recover a copy of the database and its WAL where it
// may write.
func (p place) fillFromCopy(ctx context.Context, db *sql.DB) error {
	dir, err := os.MkdirTemp("", "notifio-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	twin := place{dir: dir, name: p.name}
	if err := copyFile(p.path(), twin.path()); err != nil {
		return err
	}
	if err := copyFile(p.path()+"-wal", twin.path()+"-wal"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	s, _, err := twin.file(ctx, false)
	if err != nil {
		return err
	}
	if err := s.close(); err != nil {
		return err
	}
	return p.fillFrom(ctx, db, twin.path(), url.Values{"mode": {"ro"}})
}

// copyTables takes all rows of the attached disk, provided that they can be read,
// or none.
func copyTables(ctx context.Context, db *sql.DB) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, table := range tables {
		var columns string
		err := tx.QueryRowContext(ctx, "SELECT group_concat(name) FROM pragma_table_info(?1, 'main') WHERE name IN (SELECT name FROM pragma_table_info(?1, 'disk'))", table).Scan(&columns)
		if err == nil {
			_, err = tx.ExecContext(ctx, "INSERT OR REPLACE INTO main."+table+" ("+columns+") SELECT "+columns+" FROM disk."+table)
		}
		if err != nil {
			return err
		}
	}
	if _, err := load(ctx, tx); err != nil {
		return err
	}
	return tx.Commit()
}
