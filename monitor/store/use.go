package store

import (
	"context"
	"fmt"
)

// Rows age by days of use, not by the clock: a day counts when a backup is made
// on it. So a clock that stands in the year 2040 for an afternoon ages everything
// by a day and not by fourteen years, and nothing is forgotten for it.
const (
	keepLeft    = 400 // days of use that a listing is known after it left the page, and a search after its last check
	keepAlerts  = 400 // … that a closed alert is kept
	keepHistory = 100 // … that finished checks are kept
)

// tidyBatch keeps a transaction of tidy short, so that Save need not wait.
const tidyBatch = 500

// old are the rows that nobody needs any more, by the days of use after which that is so.
// What is known of a search that is gone goes before the search itself.
var old = []struct {
	days int64
	drop string
}{
	// On the page is also what its last baseline has: the view of the signed out does not
	// say when a listing has left it.
	{keepLeft, `DELETE FROM known WHERE (search, key) IN (SELECT search, key FROM known WHERE day < ?1 AND (left_day >= 0 OR NOT EXISTS (
		SELECT 1 FROM record, json_each(body, '$.Baseline') AS listing
		WHERE record.search = known.search AND json_extract(listing.value, '$.key') = known.key)) LIMIT ?2)`},
	{keepLeft, `DELETE FROM known WHERE (search, key) IN (SELECT search, key FROM search
		CROSS JOIN known ON known.search = search.id WHERE search.day < ?1 LIMIT ?2)`},
	{keepLeft, `DELETE FROM record WHERE search IN (SELECT id FROM search WHERE day < ?1 LIMIT ?2)`},
	{keepHistory, `DELETE FROM stretch WHERE id IN (SELECT id FROM stretch WHERE day < ?1 LIMIT ?2)`},
	{keepLeft, `DELETE FROM search WHERE id IN (SELECT id FROM search WHERE day < ?1
		AND NOT EXISTS (SELECT 1 FROM stretch WHERE search = search.id) LIMIT ?2)`},
	{keepAlerts, `DELETE FROM alert WHERE id IN (SELECT id FROM alert WHERE day < ?1
		AND NOT EXISTS (SELECT 1 FROM delivery WHERE alert = alert.id AND told = 0) LIMIT ?2)`},
}

// tidy counts today and drops what has grown old. What it drops is in a backup.
func (s *Store) tidy(ctx context.Context, today string) error {
	if err := s.locked(ctx, func(w writer) error {
		_, err := w.tx.ExecContext(ctx, `UPDATE meta SET day = day + 1, today = ? WHERE today <> ?`, today, today)
		return err
	}); err != nil {
		return fmt.Errorf("count a day of use: %w", err)
	}
	for _, rows := range old {
		for dropped := int64(tidyBatch); dropped >= tidyBatch; { // others come in between the batches
			if err := s.locked(ctx, func(w writer) error {
				done, err := w.tx.ExecContext(ctx, rows.drop, w.day-rows.days, tidyBatch)
				if err == nil {
					dropped, err = done.RowsAffected()
				}
				return err
			}); err != nil {
				return fmt.Errorf("drop old rows: %w", err)
			}
		}
	}
	return nil
}

func (s *Store) locked(ctx context.Context, write func(writer) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.change(ctx, write)
}
