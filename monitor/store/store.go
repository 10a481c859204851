package store

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"sync"

	"notifio.app/notifio/monitor"
)

// Store is an open ledger. It is safe for use from several goroutines; they take
// turns, since there is one connection and a change takes a millisecond.
type Store struct {
	place place // where its files are

	backing sync.Mutex // held by Backup, one at a time; taken before mu

	mu        sync.Mutex // guards what follows; held for a whole Save or Recall
	db        *sql.DB    // nil once closed
	stmts     map[string]*sql.Stmt
	day       int64 // days of use, written into the rows
	damage    error // an ErrDamaged that was met, for Reopen
	temporary bool  // in memory, because the disk could not be written
}

var _ monitor.Ledger = (*Store)(nil)

var errClosed = errors.New("the ledger is closed")

// dsn is the address of a database file for the driver. The path is escaped: a
// folder may have a question mark in its name.
func dsn(path string, options url.Values) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/Users
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: options.Encode()}
	return u.String()
}

// connect prepares one connection; the file is first touched by a statement.
func connect(address string) (*sql.DB, error) {
	db, err := sql.Open("sqlite", address)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return db, nil
}

// ledgerOptions are those of the working file. busy_timeout is patience with a
// reader of another program, on the real clock; nothing is decided by it.
func ledgerOptions() url.Values {
	return url.Values{
		"_txlock": {"immediate"},
		"_dqs":    {"0"},
		"_pragma": {
			"busy_timeout(1000)",
			"journal_mode(WAL)",
			"synchronous(FULL)",
			"foreign_keys(1)",
			"cell_size_check(1)",          // finds more damage when a page is read
			"journal_size_limit(4194304)", // the WAL shrinks back after a burst
		},
	}
}

// prepare prepares every statement once. A statement that does not fit the tables
// means that they are not ours.
func (s *Store) prepare(ctx context.Context) error {
	s.stmts = make(map[string]*sql.Stmt, len(statements))
	for _, text := range statements {
		stmt, err := s.db.PrepareContext(ctx, text)
		if err != nil {
			err = explain("prepare a statement", err)
			if !errors.Is(err, ErrDisk) && !errors.Is(err, ErrDamaged) && ctx.Err() == nil {
				err = errors.Join(ErrDamaged, err)
			}
			return err
		}
		s.stmts[text] = stmt
	}
	return s.db.QueryRowContext(ctx, "SELECT day FROM meta").Scan(&s.day)
}

// Close ends the use of the file; the WAL is folded into it. What was saved is
// safe without it.
func (s *Store) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.close()
}

func (s *Store) close() error {
	if s.db == nil {
		return nil
	}
	for _, stmt := range s.stmts {
		stmt.Close()
	}
	err := s.db.Close()
	s.db, s.stmts = nil, nil
	return explain("close the database", err)
}
