package store

import "context"

// Rows age by days of use, not by the clock: a day counts when a backup is made
// on it. So a clock that stands in the year 2040 for an afternoon ages everything
// by a day and not by fourteen years, and nothing is forgotten for it.
const (
	keepLeft    = 400 // days of use that a listing is known after it left the page
	keepAlerts  = 400 // … that a closed alert is kept
	keepHistory = 100 // … that finished checks are kept
)

// tidyBatch keeps a transaction of tidy short, so that Save need not wait.
const tidyBatch = 500

// tidy counts today and drops what has grown old. What it drops is in a backup.
func (s *Store) tidy(ctx context.Context, today string) error {
	if err := s.locked(func() error { return s.countDay(ctx, today) }); err != nil {
		return explain("count a day of use", err)
	}
	for _, old := range []struct {
		statement string
		days      int64
	}{
		{`DELETE FROM known WHERE (search, key) IN
			(SELECT search, key FROM known WHERE left_day >= 0 AND day < ? LIMIT ?)`, keepLeft},
		{`DELETE FROM alert WHERE id IN (SELECT id FROM alert WHERE closed = 1 AND day < ? LIMIT ?)`, keepAlerts},
		{`DELETE FROM stretch WHERE id IN (SELECT id FROM stretch WHERE day < ? LIMIT ?)`, keepHistory},
	} {
		if err := s.drop(ctx, old.statement, old.days); err != nil {
			return explain("drop old rows", err)
		}
	}
	return nil
}

func (s *Store) countDay(ctx context.Context, today string) error {
	_, err := s.db.ExecContext(ctx, `UPDATE meta SET day = day + 1, today = ? WHERE today <> ?`, today, today)
	if err != nil {
		return err
	}
	return s.db.QueryRowContext(ctx, `SELECT day FROM meta`).Scan(&s.day)
}

// drop runs a deleting statement until nothing is left that is older than days,
// letting others in between its batches.
func (s *Store) drop(ctx context.Context, statement string, days int64) error {
	for {
		var dropped int64
		err := s.locked(func() error {
			done, err := s.db.ExecContext(ctx, statement, s.day-days, tidyBatch)
			if err != nil {
				return err
			}
			dropped, err = done.RowsAffected()
			return err
		})
		if err != nil || dropped < tidyBatch {
			return err
		}
	}
}

func (s *Store) locked(do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.db == nil {
		return errClosed
	}
	return do()
}
