package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"notifio.app/notifio/monitor"
)

const (
	addSearch = `INSERT INTO search (url) VALUES (?) ON CONFLICT DO NOTHING`
	searchID  = `SELECT id FROM search WHERE url = ?`

	saveRecord = `INSERT INTO record (search, view, body) VALUES (?, ?, ?)
		ON CONFLICT (search, view) DO UPDATE SET body = excluded.body`
	saveKnown = `INSERT OR REPLACE INTO known (search, key, canonical, id, how, filter, hidden, amount, amount_max,
		currency, period, price_text, unsure, area, title, words, left_day, at, day)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	saveAlert = `INSERT INTO alert (id, key, canonical, closed, found, day, body) VALUES (?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET key = excluded.key, canonical = excluded.canonical,
		closed = excluded.closed, found = excluded.found, day = excluded.day, body = excluded.body`
	saveHost = `INSERT INTO host (host, body) VALUES (?, ?)
		ON CONFLICT (host) DO UPDATE SET body = excluded.body`
	saveMessage = `INSERT OR REPLACE INTO message (id, recipient, alerts, plain, raw, at) VALUES (?, ?, ?, ?, ?, ?)`
	forget      = `DELETE FROM message WHERE id = ?`

	// A check without news lengthens the stretch before it when that is of the
	// same search, verdict and hour: fifteen searches make 43,000 checks a day.
	lengthen = `UPDATE stretch SET until = ?, checks = checks + 1, took = took + ?, slowest = max(slowest, ?),
		listings = ?, reason = ?, day = ?
		WHERE id = (SELECT max(id) FROM stretch WHERE search = ?)
		AND verdict = ? AND news = 0 AND since / 3600000000000 = ?`
	addStretch = `INSERT INTO stretch (search, verdict, reason, since, until, checks, took, slowest, listings, news, day)
		VALUES (?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)`
)

// Save writes c whole or not at all. It does not stop half way when ctx ends: a
// change takes a millisecond, and one that was cut short would leave its caller
// without knowing what is on disk. Errors wrap ErrDisk or ErrDamaged where that
// is the trouble.
func (s *Store) Save(ctx context.Context, c monitor.Change) error {
	ctx = context.WithoutCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return errClosed
	}
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.note(explain("save", err))
	}
	defer tx.Rollback()
	w := writer{ctx: ctx, tx: tx, stmts: s.stmts, day: s.day, ids: make(map[string]int64)}
	if err := w.change(c); err != nil {
		return s.note(explain("save", err))
	}
	return s.note(explain("save", tx.Commit()))
}

// writer puts the parts of one change into one transaction.
type writer struct {
	ctx   context.Context
	tx    *sql.Tx
	stmts map[string]*sql.Stmt
	day   int64
	ids   map[string]int64 // of searches, by URL, as seen in this transaction
}

func (w writer) change(c monitor.Change) error {
	if err := each(c.Records, w.record); err != nil {
		return err
	}
	if err := each(c.Known, w.known); err != nil {
		return err
	}
	if err := each(c.Alerts, w.alert); err != nil {
		return err
	}
	if err := each(c.Hosts, w.host); err != nil {
		return err
	}
	if err := each(c.Messages, w.message); err != nil {
		return err
	}
	// After the messages: one that is both saved and sent is sent.
	if err := each(c.Sent, func(id string) error { return w.exec(forget, id) }); err != nil {
		return err
	}
	return each(c.Checks, w.check)
}

func each[T any](items []T, write func(T) error) error {
	for _, item := range items {
		if err := write(item); err != nil {
			return err
		}
	}
	return nil
}

func (w writer) exec(text string, args ...any) error {
	_, err := w.tx.StmtContext(w.ctx, w.stmts[text]).ExecContext(w.ctx, args...)
	return err
}

// search is the number that stands for a search in the other tables.
func (w writer) search(url string) (int64, error) {
	if id, ok := w.ids[url]; ok {
		return id, nil
	}
	if err := w.exec(addSearch, url); err != nil {
		return 0, err
	}
	var id int64
	err := w.tx.StmtContext(w.ctx, w.stmts[searchID]).QueryRowContext(w.ctx, url).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("number a search: %w", err)
	}
	w.ids[url] = id
	return id, nil
}

func (w writer) record(r monitor.Record) error {
	id, err := w.search(r.Search)
	if err != nil {
		return err
	}
	body, err := encode(cleanRecord(r))
	if err != nil {
		return err
	}
	return w.exec(saveRecord, id, r.View, body)
}

func (w writer) known(k monitor.Known) error {
	id, err := w.search(k.Search)
	if err != nil {
		return err
	}
	p := cleanPrice(k.Price)
	return w.exec(saveKnown, id, k.Key, k.Canonical, k.ID, string(k.How), k.Filter, k.Hidden,
		p.Amount, p.AmountMax, p.Currency, string(p.Period), p.Text, p.Unsure,
		finite(k.AreaM2), k.Title, k.Words, k.LeftDay, nanos(k.At), w.day)
}

func (w writer) alert(a monitor.Alert) error {
	body, err := encode(cleanAlert(a))
	if err != nil {
		return err
	}
	return w.exec(saveAlert, a.ID, a.Listing.Key, a.Listing.Canonical, a.Closed, nanos(a.Found), w.day, body)
}

func (w writer) host(h monitor.HostRecord) error {
	body, err := encode(cleanHost(h))
	if err != nil {
		return err
	}
	return w.exec(saveHost, h.Host, body)
}

func (w writer) message(m monitor.Message) error {
	alerts, err := encode(m.Alerts)
	if err != nil {
		return err
	}
	return w.exec(saveMessage, m.ID, m.Recipient, alerts, m.Plain, m.Raw, nanos(m.At))
}

func (w writer) check(c monitor.CheckRecord) error {
	id, err := w.search(c.Search)
	if err != nil {
		return err
	}
	at, verdict := nanos(c.At), string(c.Verdict)
	if c.News == 0 {
		done, err := w.tx.StmtContext(w.ctx, w.stmts[lengthen]).ExecContext(w.ctx, at, int64(c.Took), int64(c.Took),
			c.Listings, c.Reason, w.day, id, verdict, at/int64(time.Hour))
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n > 0 {
			return err
		}
	}
	return w.exec(addStretch, id, verdict, c.Reason, at, at, int64(c.Took), int64(c.Took), c.Listings, c.News, w.day)
}
