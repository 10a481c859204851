package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

// base is one SQLite database of ours, in memory or on the disk.
type base struct {
	db    *sql.DB
	stmts map[string]*sql.Stmt
}

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

// readOnly are the options of who only looks, also while a Notifio is at work.
func readOnly() url.Values {
	return url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(1000)"}}
}

// inMemory is a database in memory that has the pages of an image, or none yet.
func inMemory(ctx context.Context, pages []byte) (*base, error) {
	// temp_store: what SQLite puts aside must not go to a disk that may be full.
	db, err := connect("file::memory:?_txlock=immediate&_dqs=0&_pragma=foreign_keys(1)&_pragma=cell_size_check(1)&_pragma=temp_store(2)")
	if err != nil || len(pages) == 0 {
		return &base{db: db}, err
	}
	if len(pages) > walMode+1 {
		pages[walMode], pages[walMode+1] = 1, 1 // memory has no WAL
	}
	b := &base{db: db}
	if err := b.raw(ctx, func(c rawConn) error { return c.Deserialize(pages) }); err != nil {
		db.Close()
		return nil, fmt.Errorf("take a database into memory: %w", err)
	}
	return b, nil
}

// rawConn is what the driver can do beyond database/sql.
type rawConn interface {
	Deserialize(pages []byte) error
	Serialize() ([]byte, error)
}

func (b *base) raw(ctx context.Context, do func(rawConn) error) error {
	conn, err := b.db.Conn(ctx)
	if err != nil {
		return err
	}
	return errors.Join(conn.Raw(func(c any) error { return do(c.(rawConn)) }), conn.Close())
}

// serialized are the pages of a database in memory.
func (b *base) serialized(ctx context.Context) (pages []byte, err error) {
	err = b.raw(ctx, func(c rawConn) error {
		pages, err = c.Serialize()
		return err
	})
	return pages, err
}

// remember takes the database at path with its WAL into memory, without touching
// either, and brings it to today's schema, provided that everything in it is sound and
// can be read. Errors wrap ErrDamaged, ErrDisk or ErrNewer.
func remember(ctx context.Context, path string) (*base, error) {
	pages, err := image(path)
	if err != nil {
		return nil, err
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrDamaged)
	}
	b, err := inMemory(ctx, pages)
	if err != nil {
		return nil, err
	}
	err = sound(ctx, b.db)
	if err == nil {
		err = b.begin(ctx)
	}
	if err == nil {
		_, err = load(ctx, b.db)
	}
	if err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

// writable opens the file in p, whose content is in memory already.
func writable(ctx context.Context, p place) (*base, error) {
	for _, name := range p.files() {
		// SQLite gives -wal and -shm the mode that it finds on the database. Who may
		// not change the mode does not own the file; opening it will tell.
		_ = os.Chmod(name, 0o600)
	}
	db, err := connect(dsn(p.path(), ledgerOptions()))
	if err != nil {
		return nil, err
	}
	b := &base{db: db}
	err = b.begin(ctx)
	if err == nil {
		// A write that changes nothing: better to learn now that the disk refuses.
		_, err = db.ExecContext(ctx, `UPDATE meta SET day = day`)
	}
	if err != nil {
		b.close()
		return nil, explain("open the database", err)
	}
	return b, nil
}

// begin brings a database to today's schema and prepares every statement once. One that
// does not fit the tables means that they are not ours.
func (b *base) begin(ctx context.Context) error {
	if err := migrate(ctx, b.db, migrations); err != nil {
		return err
	}
	b.stmts = make(map[string]*sql.Stmt, len(statements))
	for _, text := range statements {
		stmt, err := b.db.PrepareContext(ctx, text)
		if err != nil {
			err = explain("prepare a statement", err)
			if !errors.Is(err, ErrDisk) && !errors.Is(err, ErrDamaged) && ctx.Err() == nil {
				err = errors.Join(ErrDamaged, err)
			}
			return err
		}
		b.stmts[text] = stmt
	}
	return nil
}

// write is one transaction.
func (b *base) write(ctx context.Context, do func(writer) error) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	w := writer{ctx: ctx, tx: tx, stmts: b.stmts, ids: make(map[string]int64)}
	if err := w.one(dayOfUse).Scan(&w.day); err != nil {
		return err
	}
	if err := do(w); err != nil {
		return err
	}
	return tx.Commit()
}

func (b *base) close() error {
	for _, stmt := range b.stmts {
		stmt.Close()
	}
	return b.db.Close()
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
