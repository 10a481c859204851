package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"notifio.app/notifio/monitor"
)

// Reopen opens the files again while the program runs. After an ErrDamaged it
// sets the file aside and takes the newest good backup, like Open. A ledger that
// was Temporary goes to the disk with what it has gathered, except the history of
// its checks; as long as the disk refuses it stays as it is and Reopen says why.
// Otherwise nothing changes but that the file is read anew. The Store of the
// result is s.
func (s *Store) Reopen(ctx context.Context, now time.Time) (Opened, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return Opened{}, errClosed
	}
	if s.temporary {
		return s.toDisk(ctx)
	}
	p, cause := s.place, s.damage
	if err := s.close(); err != nil && cause == nil {
		return Opened{}, err
	}
	var o Opened
	if cause != nil {
		r, err := p.replace(ctx, now, cause)
		if err != nil {
			r.note = err.Error()
		}
		o.Notes = append(o.Notes, r.note)
		o.Restored = err == nil
	}
	next, err := p.open(ctx, now, o)
	if err != nil {
		return o, err
	}
	s.become(next.Store)
	next.Store = s
	return next, nil
}

// become takes over the open database of another store that nobody else knows.
func (s *Store) become(next *Store) {
	s.place, s.db, s.stmts = next.place, next.db, next.stmts
	s.day, s.temporary, s.damage = next.day, next.temporary, nil
}

// toDisk saves what a ledger in memory holds, once there is a file to save it to.
func (s *Store) toDisk(ctx context.Context) (Opened, error) {
	disk, before, err := s.place.file(ctx, true)
	if err != nil {
		return Opened{}, err
	}
	gathered, err := everything(ctx, s.db)
	if err == nil {
		gathered.Sent = delivered(before.Messages, gathered.Messages)
		err = disk.Save(ctx, gathered)
	}
	var memory monitor.Memory
	if err == nil {
		memory, err = load(ctx, disk.db)
	}
	if err != nil {
		disk.close()
		return Opened{}, fmt.Errorf("take the ledger from memory to the disk: %w", err)
	}
	s.close()
	s.become(disk)
	return Opened{Store: s, Memory: memory, Notes: []string{s.place.dir + " can be written again: nothing of this run is forgotten."}}, nil
}

// delivered are the messages that are no more among those after.
func delivered(before, after []monitor.Message) []string {
	left := make(map[string]bool)
	for _, m := range after {
		left[m.ID] = true
	}
	var gone []string
	for _, m := range before {
		if !left[m.ID] {
			gone = append(gone, m.ID)
		}
	}
	return gone
}

// everything is a whole ledger as one change, without the history of checks.
func everything(ctx context.Context, db *sql.DB) (monitor.Change, error) {
	memory, err := load(ctx, db)
	if err != nil {
		return monitor.Change{}, err
	}
	c := monitor.Change{Records: memory.Records, Hosts: memory.Hosts, Messages: memory.Messages}
	c.Alerts, err = bodies[monitor.Alert](ctx, db, `SELECT body FROM alert ORDER BY found, id`)
	if err != nil {
		return c, err
	}
	c.Known, err = collect(ctx, db, func(rows *sql.Rows) (monitor.Known, error) {
		var url string
		k, err := scanKnown(func(into ...any) error { return rows.Scan(append(into, &url)...) })
		k.Search = url
		return k, err
	}, knownColumns+`, url FROM known JOIN search ON search.id = known.search`)
	return c, err
}

// note remembers damage that was met, for Reopen, and hands err on.
func (s *Store) note(err error) error {
	if errors.Is(err, ErrDamaged) {
		s.damage = err
	}
	return err
}
