package store

import (
	"errors"
	"fmt"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	// ErrDamaged is wrapped when the file on disk cannot be believed any more:
	// Reopen, or a restart, sets it aside and takes the newest good backup.
	ErrDamaged = errors.New("the database is damaged")
	// ErrDisk is wrapped when the disk cannot be written or read: it is full, read
	// only, or gone. Nothing is wrong with what was saved before, and the next
	// Save may succeed.
	ErrDisk = errors.New("the disk refuses")
)

// errMissing says that there was a database and is none: its backups are there.
var errMissing = fmt.Errorf("%w: it is missing", ErrDamaged)

// explain puts what was being done before err, and what kind of trouble it is.
func explain(doing string, err error) error {
	var e *sqlite.Error
	if err == nil || errors.Is(err, ErrDamaged) || !errors.As(err, &e) {
		return wrap(doing, err)
	}
	const primary = 0xff // an extended code carries the primary one in its low byte
	switch e.Code() & primary {
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("%s: %w: %w", doing, ErrDamaged, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%s: %w: it is full, free some space: %w", doing, ErrDisk, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
		return fmt.Errorf("%s: %w: it is read-only, make the data folder writable: %w", doing, ErrDisk, err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%s: %w: another program has the database open, close it: %w", doing, ErrDisk, err)
	case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
		return fmt.Errorf("%s: %w: look at the data folder and its disk: %w", doing, ErrDisk, err)
	}
	return wrap(doing, err)
}

func wrap(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, err)
}
