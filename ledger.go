package main

import (
	"slices"
	"time"

	"notifio.app/notifio/monitor"
)

// tendLedger keeps one good copy of the ledger a day, and says what was mended.
func (a *app) tendLedger() {
	const often = time.Minute // cheap: all but one a day find today's copy
	tick := time.NewTicker(often)
	defer tick.Stop()
	told := ""
	began := time.Now()
	for {
		for _, note := range a.ledger.Notes() {
			a.mon.Report("saved data", note)
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
