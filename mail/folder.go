package mail

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"notifio.app/notifio/monitor"
)

// Folder is the courier that writes messages into a Maildir, where most mail
// programs can read them.
type Folder struct {
	dir string
	now func() time.Time
}

// NewFolder does not touch the disk: the folder is made, for its owner alone
// (0700), when the first message goes into it.
func NewFolder(dir string) *Folder { return &Folder{dir: dir, now: time.Now} }

// Deliver writes the letter to tmp, syncs it, calls seal, moves it into new and
// syncs that folder. The move is the point of no return. A letter that comes again
// with the same Raw, because nobody knew whether it had arrived, is not written twice.
func (f *Folder) Deliver(ctx context.Context, l monitor.Letter, seal func(raw []byte) error) error {
	raw := l.Raw
	if len(raw) == 0 {
		var err error
		if raw, err = compose(l, sender{name: "Notifio", address: "notifio@localhost"}, f.now()); err != nil {
			return unwritten(err)
		}
	}
	if err := ctx.Err(); err != nil {
		return refuse(monitor.Temporary, "", err)
	}
	name := f.name(l.ID, raw)
	if err := f.prepare(); err != nil {
		return f.trouble(err)
	}
	if len(l.Raw) > 0 && f.has(name) {
		return f.settled(syncFolder(filepath.Join(f.dir, "new")))
	}
	written := filepath.Join(f.dir, "tmp", name)
	if err := writeSynced(written, raw); err != nil {
		return f.trouble(err)
	}
	if err := seal(raw); err != nil {
		_ = os.Remove(written)
		return refuse(monitor.Temporary, "", fmt.Errorf("nothing written: saving the message first: %w", err))
	}
	if err := os.Rename(written, filepath.Join(f.dir, "new", name)); err != nil {
		_ = os.Remove(written)
		return f.trouble(err)
	}
	return f.settled(syncFolder(filepath.Join(f.dir, "new")))
}

// name is unique for a message and the same whenever that message comes again.
func (f *Folder) name(id string, raw []byte) string {
	sum := sha256.Sum256(append([]byte(id+"\n"), raw...))
	return fmt.Sprintf("%d.%x.notifio", f.now().Unix(), sum[:12])
}

// prepare makes the three folders and throws away what crashes left half-written
// in tmp more than 36 hours ago, which is the age that the Maildir format names.
func (f *Folder) prepare() error {
	_, unknown := os.Stat(filepath.Join(f.dir, "cur"))
	for _, sub := range []string{"tmp", "new", "cur"} {
		if err := os.MkdirAll(filepath.Join(f.dir, sub), 0o700); err != nil {
			return err
		}
	}
	if unknown != nil { // the folders themselves have to outlast a power cut too
		if err := errors.Join(syncFolder(f.dir), syncFolder(filepath.Dir(f.dir))); err != nil {
			return err
		}
	}
	leftovers, err := os.ReadDir(filepath.Join(f.dir, "tmp"))
	if err != nil {
		return err
	}
	for _, entry := range leftovers {
		info, err := entry.Info()
		if err == nil && strings.HasSuffix(entry.Name(), ".notifio") && f.now().Sub(info.ModTime()) > 36*time.Hour {
			_ = os.Remove(filepath.Join(f.dir, "tmp", entry.Name()))
		}
	}
	return nil
}

// has says whether the message is there already, read or unread, whenever it was
// written: only the seconds in front of its name and the flags behind it differ.
func (f *Folder) has(name string) bool {
	_, unique, _ := strings.Cut(name, ".")
	for _, sub := range []string{"new", "cur"} {
		entries, _ := os.ReadDir(filepath.Join(f.dir, sub))
		for _, entry := range entries {
			if strings.Contains(entry.Name(), "."+unique) {
				return true
			}
		}
	}
	return false
}

func writeSynced(name string, raw []byte) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(bytes.ReplaceAll(raw, []byte("\r\n"), []byte("\n"))) // as a Maildir has it
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		_ = os.Remove(name)
	}
	return err
}

// syncFolder makes a move outlast a power cut. Windows has no such call and needs none.
func syncFolder(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil // a file system that cannot do that loses no letter for it
	}
	return errors.Join(err, d.Close())
}

// trouble is an error before the move: nothing has been delivered.
func (f *Folder) trouble(err error) error {
	hint := "check that there is room on the disk"
	if errors.Is(err, fs.ErrPermission) {
		hint = "check who owns the folder, or set another `folder` under [mail]"
	}
	return refuse(monitor.Temporary, hint, fmt.Errorf("mail folder %s: %w", f.dir, err))
}

// settled is for after the move: when syncing fails, the message may be there.
func (f *Folder) settled(err error) error {
	if err == nil {
		return nil
	}
	return refuse(monitor.AnswerUnknown, "", fmt.Errorf("mail folder %s: syncing: %w", f.dir, err))
}
