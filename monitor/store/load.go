package store

import (
	"context"
	"database/sql"

	"notifio.app/notifio/monitor"
)

// querier is a database or a transaction in it.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// load reads what the monitor starts from.
func load(ctx context.Context, db querier) (monitor.Memory, error) {
	var m monitor.Memory
	var err error
	if m.Records, err = bodies[monitor.Record](ctx, db, `SELECT body FROM record ORDER BY search, view`); err != nil {
		return m, explain("load the baselines", err)
	}
	if m.Hosts, err = bodies[monitor.HostRecord](ctx, db, `SELECT body FROM host ORDER BY host`); err != nil {
		return m, explain("load the hosts", err)
	}
	m.Outbox, err = outbox(ctx, db)
	return m, err
}

// bodies decodes the JSON in the one column of a query.
func bodies[T any](ctx context.Context, db querier, query string, args ...any) ([]T, error) {
	return collect(ctx, db, func(rows *sql.Rows) (T, error) {
		var v T
		var body string
		err := rows.Scan(&body)
		if err == nil {
			err = decode(body, &v)
		}
		return v, err
	}, query, args...)
}

// collect reads all rows of a query.
func collect[T any](ctx context.Context, db querier, scan func(*sql.Rows) (T, error), query string, args ...any) ([]T, error) {
	rows, err := db.QueryContext(ctx, query, args...)
	return gather(rows, err, scan)
}

// gather reads all rows that a query gave, if it did, and closes them.
func gather[T any](rows *sql.Rows, err error, scan func(*sql.Rows) (T, error)) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []T
	for rows.Next() {
		v, err := scan(rows)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}
