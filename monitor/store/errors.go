package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

var (
	// ErrDamaged is wrapped when a file cannot be believed any more.
	ErrDamaged = errors.New("the database is damaged")
	// ErrDisk is wrapped when the disk cannot be written or read: it is full, read
	// only, or gone. Nothing is wrong with what was saved before.
	ErrDisk = errors.New("the disk refuses")
	// ErrNewer is wrapped when a later Notifio has written the file, which is sound.
	ErrNewer = errors.New("written by a newer Notifio")
)

// errMissing says that there was a database and is none.
var errMissing = fmt.Errorf("%w: it is missing", ErrDamaged)

// explain puts what was being done before err, and what kind of trouble it is.
func explain(doing string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", doing, classify(err))
}

// classify wraps ErrDamaged or ErrDisk around an error of SQLite or of the system, with
// the remedy.
func classify(err error) error {
	for _, done := range []error{ErrDamaged, ErrDisk, ErrNewer} {
		if errors.Is(err, done) {
			return err
		}
	}
	var e *sqlite.Error
	if errors.As(err, &e) {
		const primary = 0xff // an extended code carries the primary one in its low byte
		switch e.Code() & primary {
		case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
			return fmt.Errorf("%w: %w", ErrDamaged, err)
		case sqlite3.SQLITE_FULL:
			return refuses(fullDisk, err)
		case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM:
			return refuses(readOnlyDisk, err)
		case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
			return refuses("another program has the database open, close it", err)
		case sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN:
			return refuses(oddDisk, err)
		}
	}
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return refuses(fullDisk, err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return refuses(readOnlyDisk, err)
	case errors.As(err, &path), errors.As(err, &link):
		return refuses(oddDisk, err)
	}
	return err
}

// trouble is err as ErrDisk or ErrDamaged: a file that does not do what is done with any
// other is damaged, whatever SQLite calls it.
func trouble(err error) error {
	err = classify(err)
	if !errors.Is(err, ErrDisk) && !errors.Is(err, ErrDamaged) {
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// The commonest remedies.
const (
	fullDisk     = "it is full, free some space"
	readOnlyDisk = "it is read-only, make the data folder writable"
	oddDisk      = "look at the data folder and its disk"
)

func refuses(remedy string, err error) error {
	return fmt.Errorf("%w: %s: %w", ErrDisk, remedy, err)
}
