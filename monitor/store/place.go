package store

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// prepareFolder makes the data folder and closes it to other users. A folder
// that is everybody's on purpose (its sticky bit is set) keeps its mode.
func (p place) prepareFolder() error {
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return fmt.Errorf("make the data folder: %w: %w", ErrDisk, err)
	}
	info, err := os.Stat(p.dir)
	if err != nil {
		return fmt.Errorf("look at the data folder: %w: %w", ErrDisk, err)
	}
	if info.Mode().Perm()&0o077 != 0 && info.Mode()&os.ModeSticky == 0 {
		// Not ours to change, or read-only: the files are 0600 all the same.
		_ = os.Chmod(p.dir, 0o700)
	}
	return nil
}

// files are the database's own ones, the database last.
func (p place) files() []string {
	return []string{p.path() + "-shm", p.path() + "-wal", p.path()}
}

// setAside renames the database and what belongs to it to a name with ".bad-"
// and the time, which it returns; "" when there was nothing. The -wal goes first:
// alone beside a restored backup it would be replayed into it.
func (p place) setAside(now time.Time) (string, error) {
	bad := p.name + ".bad-" + now.Local().Format("20060102-150405")
	for n := 2; exists(filepath.Join(p.dir, bad)) || exists(filepath.Join(p.dir, bad+"-wal")); n++ {
		bad = fmt.Sprintf("%s.bad-%s-%d", p.name, now.Local().Format("20060102-150405"), n)
	}
	kept := ""
	for _, old := range p.files() {
		if !exists(old) {
			continue
		}
		suffix := strings.TrimPrefix(old, p.path())
		if err := os.Rename(old, filepath.Join(p.dir, bad+suffix)); err != nil {
			return "", fmt.Errorf("set the damaged database aside: %w", err)
		}
		kept = bad
	}
	return kept, syncFolder(p.dir)
}

// room tries whether a few changes would find room: the last block of a full disk
// may take one more, and a ledger that refuses the next is worse than one in
// memory, which can go to the disk later.
func (p place) room() error {
	const changes = 256 << 10 // a dozen of a page of listings each
	probe := p.path() + ".probe"
	f, err := os.OpenFile(probe, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err == nil {
		_, err = f.Write(make([]byte, changes))
		err = errors.Join(err, f.Close(), os.Remove(probe))
	}
	if err != nil {
		return fmt.Errorf("try the data folder: %w: free some space there and make it writable: %w", ErrDisk, err)
	}
	return nil
}

// copyFile puts a copy of from, for our user alone, at to: whole or not at all.
func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	part := to + ".part"
	out, err := os.OpenFile(part, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	err = errors.Join(err, out.Sync(), out.Close())
	if err == nil {
		err = os.Rename(part, to)
	}
	if err != nil {
		os.Remove(part)
		return err
	}
	return syncFolder(filepath.Dir(to))
}

// syncFolder makes renames in a folder last. Windows has no such call and needs
// none.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}

// backups are the copies that may replace the database, best first: those of this
// file, then those of the main one. A date in the future is a clock that was
// wrong, so it comes last.
func (p place) backups(now time.Time) []string {
	tomorrow := now.Local().AddDate(0, 0, 1).Format(time.DateOnly)
	paths := p.ownBackups(tomorrow)
	if p.name != fileName {
		paths = append(paths, place{dir: p.dir, name: fileName}.ownBackups(tomorrow)...)
	}
	return paths
}

func (p place) ownBackups(tomorrow string) []string {
	paths, _ := filepath.Glob(filepath.Join(escapeGlob(p.backupFolder()), p.stem()+"-*.db"))
	paths = slices.DeleteFunc(paths, func(path string) bool { return p.dayOf(path) == "" })
	slices.SortFunc(paths, func(a, b string) int {
		x, y := p.dayOf(a), p.dayOf(b)
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
