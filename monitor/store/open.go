package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"notifio.app/notifio/monitor"
)

// fileName is the database in the data folder.
const fileName = "notifio.db"

// Opened is a ledger ready for use, and how it came to be.
type Opened struct {
	Store  *Store
	Memory monitor.Memory
	// Notes say what was wrong and what was done about it, one sentence or two
	// each, for the user. There are none when all is well, nor on a first start.
	Notes []string
	// Restored says that a backup, or nothing, stands where newer data was or may
	// have been: what was told or sent since may not be on record.
	Restored bool
	// Temporary says that the disk cannot be written and that what is saved now
	// ends with the program. Reopen tries the disk again.
	Temporary bool
}

// Open opens the ledger in dir and makes both when they are not there. It always
// comes back with one that works, and with Notes where that took more than
// opening; the only error is that not even memory could be had. now names what
// is set aside and tells how old a backup is. The caller makes sure that no other
// Notifio works in dir.
func Open(ctx context.Context, dir string, now time.Time) (Opened, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Opened{}, fmt.Errorf("find the data folder: %w", err)
	}
	return place{dir: dir, name: fileName}.open(ctx, now, Opened{})
}

// place is where a ledger's files are: the database name in dir, its -wal and
// -shm beside it, its backups in a folder below.
type place struct{ dir, name string }

func (p place) path() string { return filepath.Join(p.dir, p.name) }

// own is the file that this version works with beside that of a newer one.
func (p place) own() place {
	return place{dir: p.dir, name: fmt.Sprintf("notifio-schema%d.db", len(migrations))}
}

// open tries the file, then what can be done about its trouble, at most once for
// each kind of it. What o says already has happened before.
func (p place) open(ctx context.Context, now time.Time, o Opened) (Opened, error) {
	if err := p.prepareFolder(); err != nil {
		return p.inMemory(ctx, now, o, err)
	}
	fresh := o.Restored || len(p.backups(now)) == 0 // a first start: a missing file is no news
	for range 3 {
		s, memory, err := p.file(ctx, fresh)
		switch {
		case err == nil:
			o.Store, o.Memory = s, memory
			return o, nil
		case errors.Is(err, errNewer) && p.name == fileName:
			o.Notes = append(o.Notes, fmt.Sprintf("%s was written by a newer Notifio and is left as it is. This version goes on with %s; install the newer one to use the other again.",
				p.name, p.own().name))
			p, fresh = p.own(), false // when it is missing, the backups and the newer file may help
		case errors.Is(err, ErrDamaged), errors.Is(err, errNewer):
			r, failure := p.replace(ctx, now, err)
			if failure != nil {
				return p.inMemory(ctx, now, o, failure)
			}
			o.Notes, o.Restored, fresh = append(o.Notes, r.note), o.Restored || !r.whole, true
		default:
			return p.inMemory(ctx, now, o, err)
		}
	}
	return p.inMemory(ctx, now, o, errors.New("the database cannot be made to work"))
}

// file opens the database and reads the memory out of it. With fresh it may make
// a new one; without, a missing or empty file is damage, because there was one.
func (p place) file(ctx context.Context, fresh bool) (*Store, monitor.Memory, error) {
	if err := p.look(fresh); err != nil {
		return nil, monitor.Memory{}, err
	}
	if err := p.room(); err != nil {
		return nil, monitor.Memory{}, err
	}
	db, err := connect(dsn(p.path(), ledgerOptions()))
	if err != nil {
		return nil, monitor.Memory{}, err
	}
	s := &Store{place: p, db: db}
	memory, err := s.begin(ctx)
	if err != nil {
		s.close()
		return nil, monitor.Memory{}, err
	}
	return s, memory, nil
}

// look sees to it that there is a file of ours to open, for our user alone.
// SQLite gives -wal and -shm the mode that it finds on the database.
func (p place) look(fresh bool) error {
	info, err := os.Stat(p.path())
	switch {
	case errors.Is(err, fs.ErrNotExist) && !fresh:
		return errMissing
	case errors.Is(err, fs.ErrNotExist):
		f, err := os.OpenFile(p.path(), os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			return fmt.Errorf("make the database: %w: %w", ErrDisk, err)
		}
		return f.Close()
	case err != nil:
		return fmt.Errorf("look at the database: %w: %w", ErrDisk, err)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%w: %s is not a file", ErrDamaged, p.name)
	case info.Size() == 0 && (!fresh || exists(p.path()+"-wal")):
		return fmt.Errorf("%w: %s is empty", ErrDamaged, p.name)
	}
	for _, name := range p.files() {
		// Who may not change the mode does not own the file; opening it will tell.
		_ = os.Chmod(name, 0o600)
	}
	return nil
}

// begin makes an open database ready: sound, of today's schema, writable, its
// statements prepared.
func (s *Store) begin(ctx context.Context) (monitor.Memory, error) {
	var none monitor.Memory
	if err := sound(ctx, s.db); err != nil {
		return none, err
	}
	if err := migrate(ctx, s.db, migrations); err != nil {
		return none, err
	}
	if err := s.prepare(ctx); err != nil {
		return none, err
	}
	memory, err := load(ctx, s.db)
	if err != nil {
		return none, err
	}
	// A write that changes nothing: better to learn now that the disk refuses.
	if _, err := s.db.ExecContext(ctx, `UPDATE meta SET day = day`); err != nil {
		return none, explain("write to the database", err)
	}
	return memory, nil
}

// sound looks for damage in every page of an open database.
func sound(ctx context.Context, db *sql.DB) error {
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil {
		return explain("check the database", err)
	}
	if found != "ok" {
		return fmt.Errorf("%w: its pages do not fit together", ErrDamaged) // found names trees and pages
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
