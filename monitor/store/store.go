package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"notifio.app/notifio/monitor"
)

// Store is an open ledger. It is safe for use from several goroutines: changes take
// turns, and reading waits for none that is on its way to the disk.
type Store struct {
	place place

	backing sync.Mutex // held by Backup, one at a time; taken before mu

	mu     sync.Mutex  // held for a whole change; guards what follows
	disk   *base       // nil while the file cannot be used, and once closed
	refuse refusal     // what stands between memory and the disk while disk is nil
	notes  []string    // for Notes
	late   lateRecords // history that is not written yet

	reading sync.Mutex // held for a whole reading; taken after mu
	memory  *base      // all that is on record; nil once closed
}

var _ monitor.Ledger = (*Store)(nil)

var errClosed = errors.New("the ledger is closed")

// Save writes c whole or not at all. It does not fail because of the disk: what that
// refuses is kept in memory and written later (see Trouble). It does not stop half way
// when ctx ends: one that was cut short would leave its caller without knowing what is
// on record. A change that has nothing but finished checks is written with a later one,
// within two minutes if there is any.
func (s *Store) Save(ctx context.Context, c monitor.Change) error {
	ctx = context.WithoutCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory == nil {
		return errClosed
	}
	if !s.late.join(&c, time.Now()) {
		return nil
	}
	return s.change(ctx, func(w writer) error { return w.change(c) })
}

// Address says where things are told from now on. What a destination that is gone has
// not been told, and no other has either, is handed to those that are there; a new one
// begins with now. Without any destination nothing changes. Like Save it does not fail
// because of the disk.
func (s *Store) Address(ctx context.Context, destinations []string) error {
	if len(destinations) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.change(context.WithoutCancel(ctx), func(w writer) error { return w.address(destinations) })
}

// change makes one change on the disk and then in memory. What memory takes and the disk
// does not is no fault of the change.
func (s *Store) change(ctx context.Context, write func(writer) error) error {
	var refused error
	if s.disk != nil {
		refused = s.disk.write(ctx, write)
	}
	err := s.look(func(memory *base) error { return memory.write(ctx, write) })
	if err != nil {
		return explain("save", err)
	}
	if refused != nil {
		s.lose(refused)
	}
	if s.disk == nil && s.refuse.due(time.Now()) {
		s.settle(ctx, time.Now())
	}
	return nil
}

// look reads in memory.
func (s *Store) look(do func(memory *base) error) error {
	s.reading.Lock()
	defer s.reading.Unlock()
	if s.memory == nil {
		return errClosed
	}
	return do(s.memory)
}

// Close ends the use of the file, after writing what is not written yet; the WAL is
// folded into it. What was saved is safe without it, unless there is a Trouble: then
// the disk is tried once more, and the error says that it refuses still.
func (s *Store) Close() error {
	ctx := context.Background()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.memory == nil {
		return nil
	}
	if late := s.late.take(); len(late) > 0 {
		_ = s.change(ctx, func(w writer) error { return each(late, w.check) })
	}
	var err error
	if s.disk == nil {
		err = s.settle(ctx, time.Now())
	}
	if s.disk != nil {
		err = explain("close the database", s.disk.close())
	}
	s.reading.Lock()
	defer s.reading.Unlock()
	s.memory.close()
	s.disk, s.memory = nil, nil
	return err
}

// Trouble is one sentence or two for the user as long as nothing can be saved: why, and
// what to do about it; "" when all is well. Every change and every Backup tries the disk
// again when the last try was a minute ago.
func (s *Store) Trouble() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.disk != nil || s.refuse.met == nil {
		return ""
	}
	const most = 300 // runes of the cause
	why := []rune(s.refuse.met.Error())
	if len(why) > most {
		why = append(why[:most], '…')
	}
	said := fmt.Sprintf("Nothing can be saved: %s. Listings are told all the same; what is not on the disk when Notifio ends is forgotten. %s", string(why), s.refuse.did)
	return strings.TrimSpace(said)
}

// Notes are what was wrong and what was done about it since the last call, one sentence
// or two each, for the user.
func (s *Store) Notes() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	notes := s.notes
	s.notes = nil
	return notes
}

// lateRecords are finished checks that wait for a change that is worth a transaction:
// fifteen searches make 43,000 checks a day, and their history is all that a kill may
// take.
type lateRecords struct {
	checks []monitor.CheckRecord
	since  time.Time
}

const (
	lateFor  = 2 * time.Minute
	lateMost = 500
)

// join adds what is late to a change and says whether that is to be written now.
func (l *lateRecords) join(c *monitor.Change, now time.Time) bool {
	if len(l.checks) == 0 {
		l.since = now
	}
	checks := slices.Concat(l.checks, c.Checks)
	only := len(c.Records)+len(c.Known)+len(c.Hosts)+len(c.Alerts)+len(c.Deliveries)+len(c.Bannered)+len(c.Messages)+len(c.Sent) == 0 && !c.AllSeen
	if only && len(checks) < lateMost && now.Sub(l.since).Abs() < lateFor {
		l.checks = checks
		return false
	}
	c.Checks = checks
	l.checks = nil // also when writing fails: history must not stop the changes after it
	return true
}

func (l *lateRecords) take() []monitor.CheckRecord {
	checks := l.checks
	l.checks = nil
	return checks
}
