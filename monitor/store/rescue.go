package store

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"notifio.app/notifio/monitor"
)

// dropDeliveries makes room for those that were read: an alert that is added is pending for
// everybody.
const dropDeliveries = `DELETE FROM delivery WHERE alert = ?`

// rescue adds to memory what can still be read of the one thing that cannot be found again
// on a page: alerts that wait to be told, and the messages about which nobody knows
// whether they have arrived. It reads the file that is not used, its WAL, and the next
// one. When the disk does not let it, the refusal says so.
func (s *Store) rescue(ctx context.Context) {
	var r rescued
	for _, path := range []string{s.place.next(), s.place.path()} {
		pages, err := image(path)
		if errors.Is(err, ErrDisk) {
			s.refuse.met = err
			return
		}
		r.from(ctx, pages)
	}
	if err := s.look(func(memory *base) error { return memory.write(ctx, r.write) }); err != nil {
		s.refuse.met = err
		return
	}
	s.refuse.read = true
	if n := len(r.alerts); n > 0 {
		s.refuse.did += fmt.Sprintf(" %d alert(s) could still be read and are not forgotten.", n)
	}
}

// rescued is what could be read.
type rescued struct {
	alerts   []rescuedAlert // as they were found
	messages []monitor.Message
	told     map[string]map[string]int64 // by alert and destination, as in delivery
	have     map[string]bool             // IDs of alerts and messages
	partly   bool                        // deliveries are missing, perhaps
}

type rescuedAlert struct {
	monitor.Alert
	closed bool // by a Notifio that noted no deliveries
}

// write adds what was read to what is on record. An alert is pending for whom its
// deliveries name; for everybody when those could not be read.
func (r *rescued) write(w writer) error {
	for _, a := range r.alerts {
		if err := w.alert(a.Alert); err != nil {
			return err
		}
		if a.closed || len(r.told[a.ID]) > 0 && !r.partly {
			if err := w.exec(dropDeliveries, a.ID); err != nil {
				return err
			}
		}
		for destination, told := range r.told[a.ID] {
			if err := w.exec(saveDelivery, a.ID, destination, told); err != nil {
				return err
			}
		}
		if a.Bannered {
			if err := w.exec(setBannered, a.ID); err != nil {
				return err
			}
		}
		if a.Seen {
			if err := w.exec(setSeen, a.ID); err != nil {
				return err
			}
		}
	}
	return each(r.messages, w.message)
}

// from reads an image by its tables, and then page by page if they do not lead to
// everything any more.
func (r *rescued) from(ctx context.Context, pages []byte) {
	if len(pages) == 0 {
		return
	}
	b, err := inMemory(ctx, pages)
	if err != nil {
		return
	}
	defer b.close()
	err = errors.Join(
		b.rows(ctx, `SELECT * FROM alert NOT INDEXED ORDER BY rowid`, r.alert),
		b.rows(ctx, `SELECT * FROM message NOT INDEXED ORDER BY rowid`, r.message),
		b.rows(ctx, `SELECT * FROM delivery`, r.delivery))
	if err != nil {
		r.partly = true
		_ = r.leaves(ctx, pages) // what cannot be read is lost
	}
}

// leaves reads every page with rows on it as if it were a table of its own: of a WAL alone
// there is no page that leads to the others.
func (r *rescued) leaves(ctx context.Context, pages []byte) error {
	const size = 4096 // of all pages that Notifio has ever written
	blank, err := inMemory(ctx, nil)
	if err != nil {
		return err
	}
	defer blank.close()
	_, err = blank.db.ExecContext(ctx, `CREATE TABLE row (a, b, c, d, e, f, g, h);
		CREATE TABLE pair (a, b, c, PRIMARY KEY (a, b)) WITHOUT ROWID`)
	if err != nil {
		return err
	}
	first, err := blank.serialized(ctx)
	if err != nil {
		return err
	}
	pages = resized(pages, max(len(pages)/size*size, len(first)))
	lone := slices.Clone(pages)
	copy(lone, first[:size])
	binary.BigEndian.PutUint32(lone[pageCountAt:], uint32(len(lone)/size))
	b, err := inMemory(ctx, lone)
	if err != nil {
		return err
	}
	defer b.close()
	for number := 2; number <= len(pages)/size; number++ {
		switch pages[(number-1)*size] {
		case tableLeaf:
			err = b.lone(ctx, "row", number, func(v []any) { r.alert(v); r.message(v) })
		case indexLeaf:
			err = b.lone(ctx, "pair", number, r.delivery)
		}
	}
	return err
}

// lone reads one page as the whole of a table.
func (b *base) lone(ctx context.Context, table string, number int, take func([]any)) error {
	_, err := b.db.ExecContext(ctx, `PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET rootpage = ? WHERE name = ?;
		PRAGMA writable_schema = RESET`, number, table)
	if err != nil {
		return err
	}
	return errors.Join(b.rows(ctx, `SELECT * FROM `+table, take), b.rows(ctx, `SELECT * FROM `+table+` ORDER BY 1 DESC`, take))
}

// rows hands every row of a query on, up to the first error.
func (b *base) rows(ctx context.Context, query string, take func([]any)) error {
	rows, err := b.db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	for rows.Next() {
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return err
		}
		take(values)
	}
	return rows.Err()
}

// columns are the values of a row that may be of another table, or of an earlier schema;
// what is not there, or of another kind, is the zero value.
type columns []any

func (c columns) text(n int) string  { return column[string](c, n) }
func (c columns) number(n int) int64 { return column[int64](c, n) }

func column[T any](c columns, n int) (v T) {
	if n < len(c) {
		v, _ = c[n].(T)
	}
	return v
}

func (r *rescued) alert(row []any) {
	c := columns(row)
	id, body := c.text(0), c.text(5)
	a := rescuedAlert{}
	a.Bannered, a.Seen = c.number(6) != 0, c.number(7) != 0
	var old struct { // up to schema 3 these were in the body
		Bannered, Seen bool
		Told           map[string]time.Time
	}
	if body == "" {
		body, a.closed = c.text(6), c.number(3) != 0
		_ = json.Unmarshal([]byte(body), &old)
		a.Bannered, a.Seen = old.Bannered, old.Seen
	}
	if r.have[id] || json.Unmarshal([]byte(body), &a.Alert) != nil || a.ID != id || a.Listing.URL == "" {
		return
	}
	for name, at := range old.Told {
		r.delivery([]any{id, name, nanos(at)})
	}
	r.alerts = append(r.alerts, a)
	r.mark(id)
}

func (r *rescued) message(row []any) {
	c := columns(row)
	m := monitor.Message{ID: c.text(0), Destination: c.text(1), Plain: c.number(3) != 0, Raw: column[[]byte](c, 4),
		At: instant(c.number(5)), Tries: int(c.number(6)), Perhaps: c.number(7) != 0}
	if m.ID == "" || m.Destination == "" || r.have[m.ID] || json.Unmarshal([]byte(c.text(2)), &m.Alerts) != nil {
		return
	}
	r.messages = append(r.messages, m)
	r.mark(m.ID)
}

func (r *rescued) mark(id string) {
	if r.have == nil {
		r.have = make(map[string]bool)
	}
	r.have[id] = true
}

func (r *rescued) delivery(row []any) {
	c := columns(row)
	alert, destination := c.text(0), c.text(1)
	if len(c) != 3 || alert == "" || c[2] == nil {
		return
	}
	if r.told == nil {
		r.told = make(map[string]map[string]int64)
	}
	if r.told[alert] == nil {
		r.told[alert] = make(map[string]int64)
	}
	// Of two that are there, one is older: what was told stays told.
	r.told[alert][destination] = max(r.told[alert][destination], c.number(2))
}
