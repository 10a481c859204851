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

// temporary fails unless a ledger was opened in memory, and works there.
func temporary(t *testing.T, o Opened, restored bool) {
	t.Helper()
	if o.Restored != restored || len(o.Notes) > 0 {
		t.Errorf("opened with %+v", o)
	}
	inTrouble(t, o.Store)
	works(t, o.Store)
	if err := o.Store.Backup(t.Context(), noon); err != nil {
		t.Error(err)
	}
}

func inTrouble(t *testing.T, s *Store) {
	t.Helper()
	if said := s.Trouble(); !strings.HasPrefix(said, "Nothing can be saved: ") || len(said) > 700 ||
		!strings.Contains(said, "make the data folder writable") && !strings.Contains(said, "free some space") {
		t.Errorf("it says %q", said)
	}
}

// aMinuteLater lets the disk be tried again.
func aMinuteLater(s *Store) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuse.tried = s.refuse.tried.Add(-retryAfter)
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
	aMinuteLater(s)
	works(t, s)
	inTrouble(t, s)
	remount(t, dir, 0)
	works(t, s)
	inTrouble(t, s) // it is tried once a minute
	aMinuteLater(s)
	must(s.Backup(t.Context(), noon))
	if notes := s.Notes(); s.Trouble() != "" || len(notes) != 1 || !strings.Contains(notes[0], "nothing of this run is forgotten") {
		t.Errorf("it says %q and %q", s.Trouble(), notes)
	}
	if left := setAsideIn(t, dir); len(left) > 0 {
		t.Errorf("a good file was set aside: %v", left)
	}
	works(t, s)
	crashed := filepath.Join(t.TempDir(), "crashed")
	copyFolder(t, dir, crashed)
	m := openQuietly(t, crashed).Memory
	same(t, "records", m.Records, append(first.Records[:2:2], second.Records...))
	if len(m.Messages) != 3 || m.Alerts[len(m.Alerts)-1].ID != "while in memory" {
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
	temporary(t, open(t, dir), false)
	temporary(t, open(t, filepath.Join(dir, "not", "there")), false)
}

func TestDiskFullFromTheStart(t *testing.T) {
	dir := smallDisk(t, 1<<20)
	fillDisk(t, filepath.Join(dir, "ballast"))
	temporary(t, open(t, dir), false)
}

func TestDiskFullWithHistory(t *testing.T) {
	from, first, second := yesterdayAndToday(t)
	save(t, openQuietly(t, from).Store, monitor.Change{Hosts: []monitor.HostRecord{{Host: "only in the wal"}}})
	dir := smallDisk(t, 4<<20)
	t.Setenv("TMPDIR", dir)  // as where there is one disk for all
	copyFolder(t, from, dir) // as a crash leaves it
	fillDisk(t, filepath.Join(dir, "ballast"))
	o := open(t, dir)
	works(t, o.Store)
	same(t, "records", o.Memory.Records, append(first.Records[:2:2], second.Records...))
	if h := o.Memory.Hosts; len(h) != 5 || h[0].Host != "only in the wal" {
		t.Errorf("hosts: %+v", h)
	}
	for range 20 { // what room there was in the file and its WAL
		save(t, o.Store, monitor.Change{Messages: []monitor.Message{{ID: "m", Raw: make([]byte, 1<<20)}}})
	}
	inTrouble(t, o.Store)
}

// bulky is a change that a small disk does not take often.
func bulky(n int) monitor.Change {
	return monitor.Change{
		Known:    []monitor.Known{{Search: "s", Key: fmt.Sprint(n)}},
		Alerts:   []monitor.Alert{{ID: fmt.Sprint(n), Listing: monitor.Listing{Key: fmt.Sprint(n), URL: "https://h/"}}},
		Messages: []monitor.Message{{ID: fmt.Sprint(n), Destination: "me", Raw: bytes.Repeat([]byte("x"), 100_000)}},
	}
}

// saveUntilFull saves until the disk refuses, and returns how many changes that took.
func saveUntilFull(t *testing.T, s *Store) (n int) {
	t.Helper()
	for ; s.Trouble() == ""; n++ {
		save(t, s, bulky(n))
	}
	if said := s.Trouble(); !strings.Contains(said, "full") {
		t.Errorf("it says %q", said)
	}
	return n
}

func grow(t *testing.T, dir string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
}

// afterAKill is what the next start finds of what is on the disk now.
func afterAKill(t *testing.T, dir string) Opened {
	t.Helper()
	crashed := filepath.Join(t.TempDir(), "crashed")
	copyFolder(t, dir, crashed)
	return open(t, crashed)
}

// A disk that fills up while Notifio runs keeps what it has; what it refuses is told from
// memory, and written when there is room again.
func TestDiskFullWhileRunning(t *testing.T) {
	dir := smallDisk(t, 4<<20)
	s := openQuietly(t, dir).Store
	saved := saveUntilFull(t, s)
	if m := afterAKill(t, dir).Memory; len(m.Messages) != saved-1 {
		t.Errorf("%d messages are on the disk, want %d", len(m.Messages), saved-1)
	}
	save(t, s, bulky(saved))
	save(t, s, monitor.Change{Sent: []string{"0", fmt.Sprint(saved)}}) // while the disk refuses
	if err := s.Backup(t.Context(), noon); err != nil {
		t.Error(err)
	}
	o, err := s.Outbox(t.Context())
	if err != nil || len(o.Messages) != saved-1 || len(o.Alerts) != saved+1 {
		t.Errorf("%d messages and %d alerts, want %d and %d, %v", len(o.Messages), len(o.Alerts), saved-1, saved+1, err)
	}
	aMinuteLater(s)
	save(t, s, monitor.Change{Bannered: []string{"0"}})
	inTrouble(t, s)
	grow(t, dir)
	aMinuteLater(s)
	save(t, s, monitor.Change{Bannered: []string{"1"}})
	if said := s.Trouble(); said != "" {
		t.Errorf("there is room, and it says %q", said)
	}
	again := afterAKill(t, dir)
	same(t, "outbox after a kill", again.Memory.Outbox.Messages, o.Messages)
	if !again.Memory.Alerts[0].Bannered || !again.Memory.Alerts[1].Bannered || len(again.Memory.Alerts) != saved+1 {
		t.Errorf("%d alerts, want %d, or what was noted of the first two is lost", len(again.Memory.Alerts), saved+1)
	}
}

// The disk fills, the file breaks, there is room again, a kill: every alert is there.
func TestFileThatBreaksWhileTheDiskIsFull(t *testing.T) {
	for _, broken := range []string{"before the disk was full", "while it was"} {
		t.Run(broken, func(t *testing.T) {
			dir := smallDisk(t, 4<<20)
			s := openQuietly(t, dir).Store
			save(t, s, bulky(1000))
			saved := 0
			if broken == "while it was" {
				saved = saveUntilFull(t, s)
				must(os.WriteFile(s.place.path(), bytes.Repeat([]byte{0xee}, 9000), 0o600))
			} else {
				spoilt(t, s)
				fillDisk(t, filepath.Join(dir, "ballast"))
			}
			for n := range 5 {
				save(t, s, bulky(saved+n))
			}
			inTrouble(t, s)
			grow(t, dir)
			aMinuteLater(s)
			save(t, s, bulky(saved+5))
			o := afterAKill(t, dir)
			if n := len(o.Memory.Alerts); n != saved+7 || o.Restored || s.Trouble() != "" {
				t.Errorf("%d of %d alerts are there, %q, %q", n, saved+7, s.Trouble(), o.Notes)
			}
		})
	}
}

// A start beside a damaged file on a full disk, then room again.
func TestDamagedFileOnAFullDisk(t *testing.T) {
	from, first, second := yesterdayAndToday(t)
	must(execute(filepath.Join(from, fileName), "UPDATE record SET body = '{'"))
	dir := smallDisk(t, 4<<20)
	copyFolder(t, from, dir)
	fillDisk(t, filepath.Join(dir, "ballast"))
	o := open(t, dir)
	temporary(t, o, true)
	same(t, "alerts", o.Memory.Alerts, append(first.Alerts[:2:2], second.Alerts...))
	must(os.Remove(filepath.Join(dir, "ballast")))
	save(t, o.Store, monitor.Change{Alerts: []monitor.Alert{{ID: "while in memory"}}, Sent: []string{first.Messages[0].ID, second.Messages[0].ID}})
	aMinuteLater(o.Store)
	works(t, o.Store)
	if notes := o.Store.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "2026-11-29") || len(setAsideIn(t, dir)) != 1 {
		t.Errorf("it says %q and %q", o.Store.Trouble(), notes)
	}
	m := afterAKill(t, dir).Memory
	if len(m.Alerts) != len(first.Alerts)+len(second.Alerts)+1 || len(m.Messages) != 2 {
		t.Errorf("alerts %+v, messages %+v", m.Alerts, m.Messages)
	}
}

// A file that cannot be read at the start is not given up for it, nor replaced unread.
func TestFileThatCannotBeReadAtFirst(t *testing.T) {
	dir, first, second := yesterdayAndToday(t)
	path := filepath.Join(dir, fileName)
	must(os.Rename(path, path+".away"))
	must(os.Symlink(fileName, path)) // a loop
	o := open(t, dir)
	if o.Store.Trouble() == "" || !o.Restored {
		t.Fatalf("opened with %+v", o)
	}
	save(t, o.Store, monitor.Change{Alerts: []monitor.Alert{{ID: "while in memory"}}})
	aMinuteLater(o.Store)
	works(t, o.Store)
	if len(setAsideIn(t, dir)) > 0 || o.Store.Trouble() == "" {
		t.Error("it was set aside unread")
	}
	must(os.Rename(path+".away", path))
	aMinuteLater(o.Store)
	works(t, o.Store)
	o.Store.Close()
	m := openQuietly(t, dir).Memory
	if len(m.Alerts) != len(first.Alerts)+len(second.Alerts)+1 || len(setAsideIn(t, dir)) != 1 {
		t.Errorf("alerts %+v", m.Alerts)
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
