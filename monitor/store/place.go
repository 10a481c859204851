package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// fileName is the database in the data folder.
const fileName = "notifio.db"

// place is the data folder: the database in it, its -wal and -shm beside it, its backups
// in a folder below.
type place struct{ dir string }

func (p place) path() string { return filepath.Join(p.dir, fileName) }

// next is a finished database that is about to take the place of the other one. As long
// as it is there, it has all that is on record, and nothing is written to the other.
func (p place) next() string { return p.path() + ".next" }

// files are the database's own ones, the database last.
func (p place) files() []string {
	return []string{p.path() + "-shm", p.path() + "-wal", p.path()}
}

// prepareFolder makes the data folder and closes it to other users. A folder
// that is everybody's on purpose (its sticky bit is set) keeps its mode.
func (p place) prepareFolder() error {
	if err := os.MkdirAll(p.dir, 0o700); err != nil {
		return explain("make the data folder", err)
	}
	info, err := os.Stat(p.dir)
	if err != nil {
		return explain("look at the data folder", err)
	}
	if info.Mode().Perm()&0o077 != 0 && info.Mode()&os.ModeSticky == 0 {
		// Not ours to change, or read-only: the files are 0600 all the same.
		_ = os.Chmod(p.dir, 0o700)
	}
	return nil
}

// move is a file to rename.
type move struct{ from, to string }

// moves put the next database in the place of the other, which is kept, with what
// belongs to it, under a name with ".bad-" and the time; that name is "" when there is
// nothing to keep. The -wal goes first: alone beside the next one it would be replayed
// into it. Killed between two of them, the next start finds the next database and does
// all of it again.
func (p place) moves(now time.Time) (moves []move, kept string) {
	stem := fileName + ".bad-" + now.Local().Format("20060102-150405")
	bad := stem
	for n := 2; exists(filepath.Join(p.dir, bad)) || exists(filepath.Join(p.dir, bad+"-wal")); n++ {
		bad = fmt.Sprintf("%s-%d", stem, n)
	}
	for _, old := range p.files() {
		if exists(old) {
			moves = append(moves, move{old, filepath.Join(p.dir, bad+strings.TrimPrefix(old, p.path()))})
			kept = bad
		}
	}
	return append(moves, move{p.next(), p.path()}), kept
}

// makeFile writes a file with make, which gets the name of an empty one that is for our
// user alone. It is at path once it is complete and on the disk, and check agrees.
func makeFile(path string, make, check func(part string) error) error {
	part := path + ".part"
	_ = os.Remove(part) // of an earlier try
	err := os.WriteFile(part, nil, 0o600)
	if err == nil {
		err = make(part)
	}
	if err == nil {
		err = syncFile(part)
	}
	if err == nil {
		err = check(part)
	}
	if err == nil {
		err = os.Rename(part, path)
	}
	if err != nil {
		_ = os.Remove(part)
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
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

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// empty says whether a file has nothing in it, or is not there.
func empty(path string) bool {
	info, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0
}
