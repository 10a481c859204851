package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// replace puts the newest good backup, or a fresh database, in the place of a
// damaged one, and into it what alerts can still be read there. The new file is
// complete before the damaged one is set aside, so that a crash in between loses
// nothing. The note says what happened; it is the reason when the disk does not
// let it, which ok tells.
func (p place) replace(ctx context.Context, now time.Time, cause error) (note string, ok bool) {
	part := place{dir: p.dir, name: p.name + ".part"}
	for _, left := range part.files() {
		_ = os.Remove(left) // of an earlier try; one that stays is met below
	}
	backup, day, err := p.newestGood(ctx, now)
	if err == nil {
		err = copyFile(backup, part.path())
	}
	if err != nil && !errors.Is(err, errNoBackup) {
		return fmt.Sprintf("copy the backup %s: %v", filepath.Base(backup), err), false
	}
	alerts := p.rescue(ctx)
	if err := part.add(ctx, alerts); err != nil {
		return fmt.Sprintf("make a new database: %v", err), false
	}
	kept, err := p.setAside(now)
	if err == nil {
		err = os.Rename(part.path(), p.path())
	}
	if err = errors.Join(err, syncFolder(p.dir)); err != nil {
		return err.Error(), false
	}
	note = p.tell(cause, kept, day, len(alerts))
	if dropped := p.dropBad(kept); len(dropped) > 0 {
		note += " Of the damaged files that were kept before, the oldest are removed: " + strings.Join(dropped, ", ") + "."
	}
	return note, true
}

// tell says what replace has done: day is that of the backup, or "".
func (p place) tell(cause error, kept, day string, alerts int) string {
	note := p.name + " is missing."
	if !errors.Is(cause, errMissing) {
		note = fmt.Sprintf("%s cannot be used (%v). It is kept as %s.", p.name, cause, kept)
	}
	if day == "" {
		note += " There is no good backup: Notifio starts afresh and learns each search anew, without telling what is there now."
	} else {
		note += " The backup of " + day + " is in its place: what was told since then may be told again."
	}
	if alerts > 0 {
		note += fmt.Sprintf(" %d alert(s) could still be read and are not forgotten.", alerts)
	}
	return note
}

// add opens p, or makes it, saves alerts in it and closes it.
func (p place) add(ctx context.Context, alerts []monitor.Alert) error {
	s, _, err := p.file(ctx, true)
	if err != nil {
		return err
	}
	return errors.Join(s.Save(ctx, monitor.Change{Alerts: alerts}), s.Close())
}

// rescue reads what alerts it can from a damaged database: those that wait to be
// told are the one thing that cannot be found again on a page. Beside a newer file
// it asks that one as well.
func (p place) rescue(ctx context.Context) []monitor.Alert {
	found := make(map[string]monitor.Alert)
	rescueFrom(ctx, found, p.path())
	if p.name != fileName {
		rescueFrom(ctx, found, filepath.Join(p.dir, fileName))
	}
	return slices.Collect(maps.Values(found))
}

// rescueFrom reads with the WAL if it can. It reads from both ends, since the
// first damaged page ends a reading.
func rescueFrom(ctx context.Context, found map[string]monitor.Alert, path string) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return
	}
	for _, options := range []url.Values{{"mode": {"ro"}}, {"mode": {"ro"}, "immutable": {"1"}}} {
		db, err := connect(dsn(path, options))
		if err != nil {
			continue
		}
		for _, order := range []string{"rowid", "rowid DESC"} {
			rescueInto(ctx, found, db, `SELECT id, body FROM alert NOT INDEXED ORDER BY `+order)
		}
		db.Close()
		if len(found) > 0 {
			return
		}
	}
}

// rescueInto adds the whole alerts among the rows of query, up to the first error.
func rescueInto(ctx context.Context, found map[string]monitor.Alert, db *sql.DB, query string) {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() {
		var id, body string
		var a monitor.Alert
		if rows.Scan(&id, &body) == nil && json.Unmarshal([]byte(body), &a) == nil && a.ID == id && a.Listing.URL != "" {
			found[id] = a
		}
	}
}
