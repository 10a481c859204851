package store

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"notifio.app/notifio/monitor"
)

const (
	dayOfUse = `SELECT day FROM meta WHERE one = 1`

	addSearch = `INSERT INTO search (url, day) VALUES (?, ?) ON CONFLICT (url) DO UPDATE SET day = excluded.day WHERE day <> excluded.day`
	searchID  = `SELECT id FROM search WHERE url = ?`

	saveRecord = `INSERT INTO record (search, view, body) VALUES (?, ?, ?)
		ON CONFLICT (search, view) DO UPDATE SET body = excluded.body`
	saveKnown = `INSERT OR REPLACE INTO known (search, key, canonical, id, how, filter, hidden, amount, amount_max,
		currency, period, price_text, unsure, area, title, words, left_day, at, day)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
	addAlert = `INSERT INTO alert (id, key, canonical, found, day, body) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`
	// A new alert is for every destination, or for those that will be there next.
	addressAlert = `INSERT INTO delivery SELECT ?1, name, 0 FROM destination
		UNION ALL SELECT ?1, '', 0 WHERE NOT EXISTS (SELECT 1 FROM destination)`
	changeAlert = `UPDATE alert SET key = ?2, canonical = ?3, found = ?4, day = ?5, body = ?6 WHERE id = ?1`
	// A delivery of an alert that is not there any more is of no use.
	saveDelivery = `INSERT OR REPLACE INTO delivery SELECT id, ?2, ?3 FROM alert WHERE id = ?1`
	setBannered  = `UPDATE alert SET bannered = 1 WHERE id = ?`
	setSeen      = `UPDATE alert SET seen = 1 WHERE id = ?`
	setAllSeen   = `UPDATE alert SET seen = 1 WHERE seen = 0`
	saveHost     = `INSERT INTO host (host, body) VALUES (?, ?)
		ON CONFLICT (host) DO UPDATE SET body = excluded.body`
	saveMessage = `INSERT OR REPLACE INTO message (id, destination, alerts, plain, raw, at, tries, perhaps) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`
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

// writer puts the parts of one change into one transaction.
type writer struct {
	ctx   context.Context
	tx    *sql.Tx
	stmts map[string]*sql.Stmt
	day   int64
	ids   map[string]int64 // of searches, by URL, as seen in this transaction
}

func (w writer) change(c monitor.Change) error {
	for _, part := range []func() error{
		func() error { return each(c.Records, w.record) },
		func() error { return each(c.Known, w.known) },
		func() error { return each(c.Alerts, w.alert) },
		func() error { return each(c.Deliveries, w.delivery) },
		func() error { return each(c.Bannered, w.by(setBannered)) },
		func() error { return w.seen(c.AllSeen) },
		func() error { return each(c.Hosts, w.host) },
		func() error { return each(c.Messages, w.message) },
		// After the messages: one that is both saved and sent is sent.
		func() error { return each(c.Sent, w.by(forget)) },
		func() error { return each(c.Checks, w.check) },
	} {
		if err := part(); err != nil {
			return err
		}
	}
	return nil
}

// by is a statement about one ID.
func (w writer) by(text string) func(id string) error {
	return func(id string) error { return w.exec(text, id) }
}

func (w writer) seen(all bool) error {
	if !all {
		return nil
	}
	return w.exec(setAllSeen)
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
	_, err := w.done(text, args...)
	return err
}

// done is exec for who wants to know how many rows it was.
func (w writer) done(text string, args ...any) (int64, error) {
	done, err := w.tx.StmtContext(w.ctx, w.stmts[text]).ExecContext(w.ctx, args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

func (w writer) one(text string, args ...any) *sql.Row {
	return w.tx.StmtContext(w.ctx, w.stmts[text]).QueryRowContext(w.ctx, args...)
}

// search is the number that stands for a search in the other tables.
func (w writer) search(url string) (int64, error) {
	if id, ok := w.ids[url]; ok {
		return id, nil
	}
	if err := w.exec(addSearch, url, w.day); err != nil {
		return 0, err
	}
	var id int64
	if err := w.one(searchID, url).Scan(&id); err != nil {
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
	args := []any{a.ID, a.Listing.Key, a.Listing.Canonical, nanos(a.Found), w.day, body}
	if added, err := w.done(addAlert, args...); err != nil {
		return err
	} else if added > 0 {
		return w.exec(addressAlert, a.ID)
	}
	return w.exec(changeAlert, args...)
}

func (w writer) delivery(d monitor.Delivery) error {
	return w.exec(saveDelivery, d.Alert, d.Destination, nanos(d.Told))
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
	return w.exec(saveMessage, m.ID, m.Destination, alerts, m.Plain, m.Raw, nanos(m.At), m.Tries, m.Perhaps)
}

func (w writer) check(c monitor.CheckRecord) error {
	id, err := w.search(c.Search)
	if err != nil {
		return err
	}
	at, verdict := nanos(c.At), string(c.Verdict)
	if c.News == 0 {
		longer, err := w.done(lengthen, at, int64(c.Took), int64(c.Took), c.Listings, c.Reason, w.day, id, verdict, at/int64(time.Hour))
		if err != nil || longer > 0 {
			return err
		}
	}
	return w.exec(addStretch, id, verdict, c.Reason, at, at, int64(c.Took), int64(c.Took), c.Listings, c.News, w.day)
}
