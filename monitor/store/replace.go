package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// replacement says what stands in the place of a database now.
type replacement struct {
	note string // for the user
	// whole says that it has all that is on record, taken from a newer file.
	whole bool
}

// replace puts something else in the place of a damaged or missing database: what
// a newer Notifio has written, as far as it can be read; else the newest good
// backup, or a fresh database, and into it what alerts can still be read. The new
// file is complete before the damaged one is set aside, so that a crash in between
// loses nothing. The error says why the disk does not let it.
func (p place) replace(ctx context.Context, now time.Time, cause error) (replacement, error) {
	part := place{dir: p.dir, name: p.name + ".part"}
	part.remove() // of an earlier try; what stays is met below
	r := replacement{whole: part.takeOver(ctx, p) == nil}
	var source string
	if !r.whole {
		part.remove()
		var err error
		if source, err = part.restore(ctx, now, p); err != nil {
			return r, err
		}
	}
	kept, err := p.setAside(now)
	if err == nil {
		err = os.Rename(part.path(), p.path())
	}
	if err = errors.Join(err, syncFolder(p.dir)); err != nil {
		return r, err
	}
	switch {
	case errors.Is(cause, errMissing) && r.whole:
		r.note = fmt.Sprintf("All that is in %s was taken over into %s.", fileName, p.name)
	case errors.Is(cause, errMissing):
		r.note = p.name + " is missing." + source
	default:
		r.note = fmt.Sprintf("%s cannot be used (%v). It is kept as %s.%s", p.name, cause, kept, source)
	}
	if dropped := p.dropBad(kept); len(dropped) > 0 {
		r.note += " Of the damaged files that were kept before, the oldest are removed: " + strings.Join(dropped, ", ") + "."
	}
	return r, nil
}

func (p place) remove() {
	for _, left := range p.files() {
		_ = os.Remove(left)
	}
}

// restore makes p out of the newest good backup of the lost database, or afresh,
// and of what can be rescued from that. What it did it says in sentences.
func (p place) restore(ctx context.Context, now time.Time, lost place) (did string, err error) {
	backup, day, err := lost.newestGood(ctx, now)
	if err == nil {
		err = copyFile(backup, p.path())
		did = " The backup of " + day + " is in its place: what was told since then may be told again."
	}
	if errors.Is(err, errNoBackup) {
		err = nil
		did = " There is no good backup: Notifio starts afresh and learns each search anew, without telling what is there now."
	}
	if err != nil {
		return "", fmt.Errorf("copy the backup %s: %w", filepath.Base(backup), err)
	}
	rescued := lost.rescue(ctx)
	if err := p.add(ctx, rescued); err != nil {
		return "", fmt.Errorf("make a new database: %w", err)
	}
	if n := len(rescued.Alerts); n > 0 {
		did += fmt.Sprintf(" %d alert(s) could still be read and are not forgotten.", n)
	}
	return did, nil
}

// add opens p, or makes it, saves a change in it and closes it.
func (p place) add(ctx context.Context, c monitor.Change) error {
	s, _, err := p.file(ctx, true)
	if err != nil {
		return err
	}
	return errors.Join(s.Save(ctx, c), s.Close())
}

// takeOver makes p out of what a newer Notifio has written, for the lost database
// of this version beside it: all of it, or it fails.
func (p place) takeOver(ctx context.Context, lost place) error {
	if lost.name == fileName || exists(lost.path()) {
		return errors.New("there is no newer one, or one of our own")
	}
	s, _, err := p.file(ctx, true)
	if err != nil {
		return err
	}
	return errors.Join(p.fillFromNewer(ctx, s.db), s.Close())
}
