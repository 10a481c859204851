package store

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// keepBackups is how many daily copies are kept.
const keepBackups = 3

var errNoBackup = errors.New("there is no good backup")

func (p place) backupFolder() string { return filepath.Join(p.dir, "backups") }
func (p place) stem() string         { return strings.TrimSuffix(p.name, ".db") }

func (p place) backupPath(day string) string {
	return filepath.Join(p.backupFolder(), p.stem()+"-"+day+".db")
}

// dayOf is the date in a backup's name, or "" when it is not one of this file.
func (p place) dayOf(path string) string {
	day := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), p.stem()+"-"), ".db")
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return ""
	}
	return day
}

// Backup makes today's copy, unless there is one already, and then tidies: of the
// older copies two stay, and rows that nobody needs any more go (see tidy). Today
// is now's date on the user's clock. In memory it does nothing. It reads through a connection of its own, so
// that Save need not wait for it. Errors wrap ErrDisk or ErrDamaged where that is
// the trouble; the copies of other days are untouched then.
func (s *Store) Backup(ctx context.Context, now time.Time) error {
	s.backing.Lock()
	defer s.backing.Unlock()
	s.mu.Lock()
	p, skip := s.place, s.temporary || s.db == nil
	s.mu.Unlock()
	today := now.Local().Format(time.DateOnly)
	if skip || exists(p.backupPath(today)) {
		return nil
	}
	if err := p.backup(ctx, today); err != nil {
		return explain("make the backup of "+today, err)
	}
	if err := p.dropBackups(now); err != nil {
		return fmt.Errorf("remove an old backup: %w", err)
	}
	return s.tidy(ctx, today)
}

// backup makes one good copy or none: it has its name only once it was checked.
func (p place) backup(ctx context.Context, day string) error {
	if err := os.MkdirAll(p.backupFolder(), 0o700); err != nil {
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	p.dropParts()
	part := p.backupPath(day) + ".part"
	// VACUUM INTO takes a file that is there when it is empty, and this one is for
	// our user alone.
	if err := os.WriteFile(part, nil, 0o600); err != nil {
		return fmt.Errorf("%w: %w", ErrDisk, err)
	}
	err := p.vacuumInto(ctx, part)
	if err == nil {
		err = syncFile(part)
	}
	if err == nil {
		err = good(ctx, part)
	}
	if err == nil {
		err = os.Rename(part, p.backupPath(day))
	}
	if err != nil {
		p.dropParts()
		return err
	}
	return syncFolder(p.backupFolder())
}

// dropParts removes what an unfinished backup has left, of any day.
func (p place) dropParts() {
	parts, _ := filepath.Glob(filepath.Join(escapeGlob(p.backupFolder()), p.stem()+"-*.db.part*"))
	for _, part := range parts {
		_ = os.Remove(part) // one that stays costs room and nothing else
	}
}

func (p place) vacuumInto(ctx context.Context, target string) error {
	db, err := connect(dsn(p.path(), url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(1000)"}}))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", target)
	return err
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// good says whether a copy could take the place of the database: it is sound, not
// newer than this program, and everything in it can be read.
func good(ctx context.Context, path string) error {
	// Immutable: nothing is written beside it, and it may lie on a read-only disk.
	db, err := connect(dsn(path, url.Values{"mode": {"ro"}, "immutable": {"1"}}))
	if err != nil {
		return err
	}
	defer db.Close()
	if err := sound(ctx, db); err != nil {
		return err
	}
	var version int
	if err := db.QueryRowContext(ctx, "PRAGMA user_version").Scan(&version); err != nil {
		return explain("read the schema version", err)
	}
	if version < 1 || version > len(migrations) {
		return fmt.Errorf("schema %d: %w", version, errNewer)
	}
	_, err = load(ctx, db)
	return err
}

// newestGood finds the backup to go on with and its day.
func (p place) newestGood(ctx context.Context, now time.Time) (path, day string, err error) {
	for _, path := range p.backups(now) {
		if good(ctx, path) != nil {
			continue
		}
		day := p.dayOf(path)
		if day == "" {
			day = place{dir: p.dir, name: fileName}.dayOf(path)
		}
		return path, day, nil
	}
	return "", "", errNoBackup
}

// dropBackups keeps today's copy and the best of the others.
func (p place) dropBackups(now time.Time) error {
	today := p.backupPath(now.Local().Format(time.DateOnly))
	others := p.ownBackups(now.Local().AddDate(0, 0, 1).Format(time.DateOnly))
	others = slices.DeleteFunc(others, func(path string) bool { return path == today })
	for _, path := range others[min(keepBackups-1, len(others)):] {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}

// escapeGlob is a path for filepath.Glob that means itself. Windows has no escape
// there; a data folder with such a name has no backups found on it.
func escapeGlob(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
