package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// keepBackups is how many daily copies are kept.
const keepBackups = 3

const backupStem = "notifio-"

func (p place) backupFolder() string { return filepath.Join(p.dir, "backups") }

func (p place) backupPath(day string) string {
	return filepath.Join(p.backupFolder(), backupStem+day+".db")
}

// dayOf is the date in a backup's name, or "" when it is none.
func dayOf(path string) string {
	day := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), backupStem), ".db")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// Backup makes today's copy, unless there is one already, and then tidies: of the
// older copies two stay, and rows that nobody needs any more go (see tidy). Today
// is now's date on the user's clock. It is to be called about once a minute: where nothing
// can be saved (see Trouble), it tries the disk again, and makes no copy meanwhile. It
// reads the file through a connection of its own, so that Save need not wait for it, and
// replaces one that turns out to be damaged. Errors wrap ErrDisk or ErrDamaged where that
// is the trouble; the copies of other days are untouched then.
func (s *Store) Backup(ctx context.Context, now time.Time) error {
	s.backing.Lock()
	defer s.backing.Unlock()
	today := now.Local().Format(time.DateOnly)
	disk := s.retry(ctx, now)
	if disk == nil || exists(s.place.backupPath(today)) {
		return nil
	}
	err := s.place.backup(ctx, today)
	if errors.Is(err, ErrDamaged) && s.mend(ctx, disk, err, now) {
		err = s.place.backup(ctx, today)
	}
	if err == nil {
		err = s.place.dropBackups(now)
	}
	if err == nil {
		err = s.tidy(ctx, today)
	}
	return explain("make the backup of "+today, err)
}

// backup makes one good copy or none: it has its name only once it was checked.
func (p place) backup(ctx context.Context, day string) error {
	if err := os.MkdirAll(p.backupFolder(), 0o700); err != nil {
		return err
	}
	parts, _ := filepath.Glob(filepath.Join(escapeGlob(p.backupFolder()), backupStem+"*.db.part*"))
	for _, part := range parts {
		_ = os.Remove(part) // of one that was killed; one that stays costs room and nothing else
	}
	db, err := connect(dsn(p.path(), readOnly()))
	if err != nil {
		return err
	}
	defer db.Close()
	if err := sound(ctx, db); err != nil {
		return err
	}
	b := base{db: db}
	return makeFile(p.backupPath(day), b.copyTo(ctx), good(ctx))
}

// copyTo writes all of a database into a new file, numbers of rows included.
func (b *base) copyTo(ctx context.Context) func(path string) error {
	return func(path string) error {
		_, err := b.db.ExecContext(ctx, "VACUUM INTO ?", path)
		return err
	}
}

// good says whether a copy could take the place of the database: it is sound, not
// newer than this program, and everything in it can be read.
func good(ctx context.Context) func(path string) error {
	return func(path string) error {
		b, err := remember(ctx, path)
		if err != nil {
			return err
		}
		return b.close()
	}
}

// backups are the copies that may replace the database, best first. A date in the
// future is a clock that was wrong, so it comes last.
func (p place) backups(now time.Time) []string {
	tomorrow := now.Local().AddDate(0, 0, 1).Format(time.DateOnly)
	paths, _ := filepath.Glob(filepath.Join(escapeGlob(p.backupFolder()), backupStem+"*.db"))
	paths = slices.DeleteFunc(paths, func(path string) bool { return dayOf(path) == "" })
	slices.SortFunc(paths, func(a, b string) int {
		x, y := dayOf(a), dayOf(b)
		if (x > tomorrow) != (y > tomorrow) {
			if x > tomorrow {
				return 1
			}
			return -1
		}
		return strings.Compare(y, x)
	})
	return paths
}

// newestGood takes the newest good backup into memory, or a fresh database where there
// is none; then day is "".
func (p place) newestGood(ctx context.Context, now time.Time) (b *base, day string, err error) {
	for _, path := range p.backups(now) {
		if b, err := remember(ctx, path); err == nil {
			return b, dayOf(path), nil
		}
	}
	if b, err = inMemory(ctx, nil); err != nil {
		return nil, "", err
	}
	return b, "", b.begin(ctx)
}

// dropBackups keeps today's copy and the best of the others.
func (p place) dropBackups(now time.Time) error {
	today := p.backupPath(now.Local().Format(time.DateOnly))
	others := slices.DeleteFunc(p.backups(now), func(path string) bool { return path == today })
	for _, path := range others[min(keepBackups-1, len(others)):] {
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("remove an old backup: %w", err)
		}
	}
	return nil
}

// escapeGlob is a path for filepath.Glob that means itself. Windows has no escape
// there; a data folder with such a name has no backups found on it.
func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
