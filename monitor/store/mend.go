package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"
)

// refusal is what stands between memory and the disk.
type refusal struct {
	why   error     // the file is not used: one of the errors below, an ErrDisk or an ErrDamaged
	did   string    // where what is in memory comes from, when not from the file
	read  bool      // all that can be had of the file is in memory
	met   error     // at the last try to put things right
	tried time.Time // when that was; zero: try now
}

// Why the file is not used although nothing is wrong with it or with the disk.
var (
	errFirst      = errors.New("there is none yet")
	errEmpty      = errors.New("it is empty")
	errUnfinished = errors.New("it was about to be replaced when Notifio ended")
)

// retryAfter is how long a disk that refuses is left alone.
const retryAfter = time.Minute

func (r refusal) due(now time.Time) bool { return now.Sub(r.tried).Abs() >= retryAfter }

// lose gives up the file, for whose trouble memory stands in from now on. A full disk may
// have room in a minute; a damaged file is replaced at once.
func (s *Store) lose(cause error) {
	cause = trouble(cause)
	if s.disk != nil {
		_ = s.disk.close()
		s.disk = nil
	}
	s.refuse = refusal{why: cause, met: cause, read: true}
	if errors.Is(cause, ErrDisk) {
		s.refuse.tried = time.Now()
	} else {
		s.refuse.did = "All of it was in memory and is written anew: nothing is forgotten."
	}
}

// retry tries the disk again if that is due, and returns the file that is used then.
func (s *Store) retry(ctx context.Context, now time.Time) *base {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk == nil && s.memory != nil && s.refuse.due(time.Now()) {
		s.settle(ctx, now)
	}
	return s.disk
}

// mend replaces a file in which damage was met, unless that was done meanwhile, and says
// whether there is a good one now.
func (s *Store) mend(ctx context.Context, damaged *base, cause error, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk == damaged && damaged != nil {
		s.lose(cause)
		s.settle(ctx, now)
	}
	return s.disk != nil
}

// settle puts all that is in memory into a new file and that in the place of the other
// one, and goes on with it. When it fails, nothing is lost, and the next try begins anew.
func (s *Store) settle(ctx context.Context, now time.Time) error {
	kept, err := s.replace(ctx, now)
	if err == nil {
		s.note(kept)
		s.refuse = refusal{why: ErrDisk, read: true} // nothing is wrong with the new one
		s.disk, err = writable(ctx, s.place)
	}
	if err != nil {
		s.refuse.met, s.refuse.tried = trouble(err), time.Now()
		return s.refuse.met
	}
	s.refuse = refusal{}
	return nil
}

func (s *Store) replace(ctx context.Context, now time.Time) (kept string, err error) {
	p := s.place
	if err := p.prepareFolder(); err != nil {
		return "", err
	}
	if !s.refuse.read {
		if s.rescue(ctx); !s.refuse.read {
			return "", s.refuse.met // nothing is set aside that was not read
		}
	}
	err = makeFile(p.next(), func(part string) error {
		return s.look(func(memory *base) error { return memory.copyTo(ctx)(part) })
	}, good(ctx))
	if err != nil {
		return "", fmt.Errorf("write a new database: %w", err)
	}
	moves, kept := p.moves(now)
	for _, m := range moves {
		if err := os.Rename(m.from, m.to); err != nil {
			return "", fmt.Errorf("put a new database in its place: %w", err)
		}
	}
	return kept, syncFolder(p.dir)
}

// note says what was done, and drops what was set aside for nothing, or long ago.
func (s *Store) note(kept string) {
	r, said := s.refuse, ""
	switch {
	case errors.Is(r.why, errFirst):
		s.place.drop(kept) // an empty file, if anything
		return
	case errors.Is(r.why, ErrDisk) && r.did == "":
		s.place.drop(kept) // all of it is in the new one
		s.notes = append(s.notes, s.place.dir+" can be written again: nothing of this run is forgotten.")
		return
	case errors.Is(r.why, errUnfinished):
		said = fmt.Sprintf("A new %s was about to take the place of another one when Notifio ended, and does so now.", fileName)
	case errors.Is(r.why, errMissing):
		said = fileName + " is missing."
	default:
		said = fmt.Sprintf("%s cannot be used (%v).", fileName, r.why)
	}
	if kept != "" {
		said += " It is kept as " + kept + "."
	}
	said = strings.TrimSpace(said + " " + r.did)
	if dropped := s.place.dropBad(kept); len(dropped) > 0 {
		said += " Of the damaged files that were kept before, the oldest are removed: " + strings.Join(dropped, ", ") + "."
	}
	s.notes = append(s.notes, said)
}
