package main

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// ledger is the store, which mends itself when its file turns out to be damaged.
type ledger struct {
	*store.Store
	log *slog.Logger
}

func (l ledger) Save(ctx context.Context, c monitor.Change) error {
	err := l.Store.Save(ctx, c)
	if errors.Is(err, store.ErrDamaged) && l.reopen(ctx) {
		return l.Store.Save(ctx, c)
	}
	return err
}

func (l ledger) Recall(ctx context.Context, search string, listings []monitor.Listing) (monitor.Recollection, error) {
	memo, err := l.Store.Recall(ctx, search, listings)
	if errors.Is(err, store.ErrDamaged) && l.reopen(ctx) {
		return l.Store.Recall(ctx, search, listings)
	}
	return memo, err
}

func (l ledger) reopen(ctx context.Context) bool {
	opened, err := l.Store.Reopen(ctx, time.Now())
	for _, note := range opened.Notes {
		l.log.Warn(note)
	}
	return err == nil
}

// tendLedger keeps one good copy of the ledger a day, and takes the ledger back to
// a disk that could not be written.
func (a *app) tendLedger() {
	const often = time.Minute // cheap: all but one a day find today's copy
	tick := time.NewTicker(often)
	defer tick.Stop()
	told := ""
	began := time.Now()
	for {
		if a.unwritten {
			a.takeToDisk()
		}
		a.seat.moveIn()
		if !a.learnt() && time.Since(began) < learning {
			// today's copy would be one of nothing
		} else if err := a.ledger.Backup(a.ctx, time.Now()); err != nil && a.ctx.Err() == nil && err.Error() != told {
			told = err.Error()
			a.log.Warn("No backup was made", "reason", err)
		}
		select {
		case <-a.ctx.Done():
			return
		case <-tick.C:
		}
	}
}

// learning is how long the first backup waits for the searches to be known.
const learning = 10 * time.Minute

// learnt says whether every search that is watched has been checked.
func (a *app) learnt() bool {
	rows := a.latest.Load().Rows
	return len(rows) > 0 && !slices.ContainsFunc(rows, func(r monitor.Row) bool {
		return r.State != monitor.RowDisabled && r.State != monitor.RowPaused && r.Checked.IsZero()
	})
}

func (a *app) takeToDisk() {
	opened, err := a.ledger.Reopen(a.ctx, time.Now())
	if err != nil || opened.Temporary {
		return
	}
	a.unwritten = false
	a.mon.Report("saved data", "")
}
