package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"notifio.app/notifio/monitor"
)

// Opened is a ledger ready for use, and how it came to be.
type Opened struct {
	Store  *Store
	Memory monitor.Memory
	// Notes say what was wrong and what was done about it, one sentence or two
	// each, for the user. There are none when all is well, nor on a first start.
	// Whether something can be saved is told by Store.Trouble.
	Notes []string
	// Restored says that a backup, or nothing, stands where newer data was or may
	// have been: what was told or sent since may not be on record.
	Restored bool
}

// Open opens the ledger in dir and makes both when they are not there. It comes back with
// one that works, and with Notes where that took more than opening, except beside a
// sound file of a newer Notifio: then the error wraps ErrNewer and says what to do, and
// nothing was written. The only other error is that not even memory could be had. now
// names what is set aside and tells how old a backup is. The caller makes sure that no
// other Notifio works in dir.
func Open(ctx context.Context, dir string, now time.Time) (Opened, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Opened{}, fmt.Errorf("find the data folder: %w", err)
	}
	s := &Store{place: place{dir: dir}}
	o := Opened{Store: s}
	if o.Restored, err = s.fill(ctx, now); err != nil {
		return Opened{}, err
	}
	if s.refuse.why == nil {
		if err = s.place.prepareFolder(); err == nil {
			s.disk, err = writable(ctx, s.place)
		}
		if err != nil {
			s.lose(err)
		}
	}
	if s.disk == nil {
		s.settle(ctx, now)
	}
	if o.Memory, err = load(ctx, s.memory.db); err != nil {
		return Opened{}, err
	}
	o.Notes = s.Notes()
	return o, nil
}

// fill takes all that is on record into memory, from the best of what is there, and notes
// why the file cannot go on as it is, if so. Nothing is written. It says whether
// newer data may have been there.
func (s *Store) fill(ctx context.Context, now time.Time) (restored bool, err error) {
	p := s.place
	if s.memory, err = remember(ctx, p.next()); err == nil {
		s.refuse = refusal{why: errUnfinished, read: true}
		return true, nil
	} else if errors.Is(err, ErrNewer) {
		return false, newer(err)
	}
	s.memory, err = remember(ctx, p.path())
	switch {
	case err == nil && !empty(p.path()):
		s.refuse.read = true
		return false, nil
	case err == nil:
		s.refuse = refusal{why: errEmpty, read: true, did: "All of it could be read from the log beside it."}
		return false, nil
	case errors.Is(err, ErrNewer):
		return false, newer(err)
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	cause, day := trouble(err), ""

	if s.memory, day, err = p.newestGood(ctx, now); err != nil {
		return false, fmt.Errorf("open a ledger in memory: %w", err)
	}
	if day == "" && empty(p.path()) && empty(p.path()+"-wal") && !exists(p.next()) {
		s.refuse = refusal{why: errFirst, read: true}
		return false, nil
	}
	s.refuse = refusal{why: cause, did: "The backup of " + day + " is in its place: what was told since then may be told again."}
	if day == "" {
		s.refuse.did = "There is no good backup: Notifio starts afresh and learns each search anew, without telling what is there now."
	}
	s.rescue(ctx)
	return true, nil
}

// newer says what to do about a file of a newer Notifio.
func newer(err error) error {
	return fmt.Errorf("%s: %w: install the newer Notifio again, or give this one another folder with --data", fileName, err)
}
