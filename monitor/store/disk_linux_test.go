package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"notifio.app/notifio/monitor"
)

// smallDisk mounts a file system of so many bytes for the time of a test.
func smallDisk(t *testing.T, size int) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", size)); err != nil {
		t.Skipf("a disk that is full or read-only needs a mount, which needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func remount(t *testing.T, dir string, flags uintptr) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|flags, ""); err != nil {
		t.Fatal(err)
	}
}

// fillDisk writes to the file until there is no room for another byte.
func fillDisk(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for block := 1 << 16; block > 0; {
		if _, err := f.Write(make([]byte, block)); errors.Is(err, syscall.ENOSPC) {
			block /= 2
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

func temporary(t *testing.T, o Opened, restored bool) {
	t.Helper()
	if !o.Temporary || o.Restored != restored || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "memory") {
		t.Errorf("opened with %+v", o)
	}
	works(t, o.Store)
	if err := o.Store.Backup(t.Context(), noon); err != nil {
		t.Error(err)
	}
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	from, first, second := yesterdayAndToday(t)
	dir := smallDisk(t, 32<<20)
	copyFolder(t, from, dir)
	remount(t, dir, syscall.MS_RDONLY)
	o := open(t, dir)
	temporary(t, o, false)
	same(t, "records", o.Memory.Records, append(first.Records[:2:2], second.Records...))

	// And it goes to the disk when that has changed its mind.
	s := o.Store
	save(t, s, monitor.Change{Alerts: []monitor.Alert{{ID: "while in memory"}}, Sent: []string{first.Messages[0].ID}})
	if _, err := s.Reopen(t.Context(), noon); !errors.Is(err, ErrDisk) {
		t.Errorf("reopened on a read-only disk: %v", err)
	}
	works(t, s)
	remount(t, dir, 0)
	again, err := s.Reopen(t.Context(), noon)
	if err != nil || again.Temporary || again.Store != s {
		t.Fatalf("reopened: %+v, %v", again, err)
	}
	s.Close()
	m := openQuietly(t, dir).Memory
	same(t, "memory", m, again.Memory)
	if len(m.Messages) != 3 || m.Alerts[0].ID != "while in memory" {
		t.Errorf("of the time in memory there is %+v", m)
	}
}

func TestReadOnlyFolderAfterACrash(t *testing.T) {
	from, _, _ := yesterdayAndToday(t)
	o := openQuietly(t, from)
	save(t, o.Store, monitor.Change{Hosts: []monitor.HostRecord{{Host: "only in the wal"}}})
	dir := smallDisk(t, 32<<20)
	copyFolder(t, from, dir) // as a crash leaves it
	if err := os.Remove(filepath.Join(dir, fileName+"-shm")); err != nil {
		t.Fatal(err)
	}
	remount(t, dir, syscall.MS_RDONLY)
	crashed := open(t, dir)
	temporary(t, crashed, false)
	if h := crashed.Memory.Hosts; len(h) != 5 || h[0].Host != "only in the wal" {
		t.Errorf("hosts: %+v", h)
	}
}

func TestReadOnlyFolderWithADamagedFile(t *testing.T) {
	from, first, _ := yesterdayAndToday(t)
	if err := os.Truncate(filepath.Join(from, fileName), 9000); err != nil {
		t.Fatal(err)
	}
	dir := smallDisk(t, 32<<20)
	copyFolder(t, from, dir)
	remount(t, dir, syscall.MS_RDONLY)
	o := open(t, dir)
	temporary(t, o, true)
	same(t, "records", o.Memory.Records, first.Records)
}

func TestReadOnlyEmptyFolder(t *testing.T) {
	dir := smallDisk(t, 1<<20)
	remount(t, dir, syscall.MS_RDONLY)
	temporary(t, open(t, dir), true)
	temporary(t, open(t, filepath.Join(dir, "not", "there")), true)
}

func TestDiskFullFromTheStart(t *testing.T) {
	dir := smallDisk(t, 1<<20)
	fillDisk(t, filepath.Join(dir, "ballast"))
	temporary(t, open(t, dir), true)
}

func TestDiskFullWithHistory(t *testing.T) {
	from, first, second := yesterdayAndToday(t)
	save(t, openQuietly(t, from).Store, monitor.Change{Hosts: []monitor.HostRecord{{Host: "only in the wal"}}})
	dir := smallDisk(t, 4<<20)
	t.Setenv("TMPDIR", dir)  // as where there is one disk for all
	copyFolder(t, from, dir) // as a crash leaves it
	fillDisk(t, filepath.Join(dir, "ballast"))
	o := open(t, dir)
	temporary(t, o, false)
	same(t, "records", o.Memory.Records, append(first.Records[:2:2], second.Records...))
	if h := o.Memory.Hosts; len(h) != 5 || h[0].Host != "only in the wal" {
		t.Errorf("hosts: %+v", h)
	}
}

// A disk that fills up while Notifio runs refuses whole changes, keeps what it
// has, and takes changes again when there is room.
func TestDiskFullWhileRunning(t *testing.T) {
	dir := smallDisk(t, 4<<20)
	s := openQuietly(t, dir).Store
	saved := 0
	var refused error
	for refused == nil {
		refused = s.Save(t.Context(), monitor.Change{
			Known:    []monitor.Known{{Search: "s", Key: fmt.Sprint(saved)}},
			Messages: []monitor.Message{{ID: fmt.Sprint(saved), Raw: bytes.Repeat([]byte("x"), 100_000)}},
		})
		if refused == nil {
			saved++
		}
	}
	if !errors.Is(refused, ErrDisk) || !strings.Contains(refused.Error(), "full") {
		t.Errorf("refused with %v", refused)
	}
	if err := s.Backup(t.Context(), noon); !errors.Is(err, ErrDisk) {
		t.Errorf("a backup on a full disk: %v", err)
	}
	if left := backupNames(t, dir); len(left) > 0 {
		t.Errorf("it left %v", left)
	}
	for i, there := range map[int]bool{0: true, saved - 1: true, saved: false} {
		if r := recall(t, s, "s", monitor.Listing{Key: fmt.Sprint(i)}); (len(r.Known) == 1) != there {
			t.Errorf("change %d of %d: %+v", i, saved, r.Known)
		}
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=16m"); err != nil {
		t.Fatal(err)
	}
	works(t, s)
	s.Close()
	if m := openQuietly(t, dir).Memory; len(m.Messages) != saved {
		t.Errorf("%d messages, want %d", len(m.Messages), saved)
	}
}

// A reply whose "about" did not reach the disk is not sent; when there is room
// again the journal goes on.
func TestJournalOnAFullDisk(t *testing.T) {
	dir := smallDisk(t, 1<<20)
	j, _ := openJournal(t, dir)
	write(t, j, Entry{At: noon, Key: "before", Event: ReplyAbout})
	fillDisk(t, filepath.Join(dir, "ballast"))
	var refused error
	for range 5 { // the first may fit into the file's last block, in part
		refused = j.Write(Entry{At: noon, Key: "full", Event: ReplyAbout, Note: strings.Repeat("x", 3000)})
	}
	if !errors.Is(refused, ErrDisk) {
		t.Errorf("written to a full disk: %v", refused)
	}
	if err := os.Remove(filepath.Join(dir, "ballast")); err != nil {
		t.Fatal(err)
	}
	write(t, j, Entry{At: noon, Key: "after", Event: ReplySent})
	_, r := openJournal(t, dir)
	if r.Held || r.Last["before"].Event != ReplyAbout || r.Last["after"].Event != ReplySent {
		t.Errorf("the journal tells %+v", r.Last)
	}
}
