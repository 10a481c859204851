package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// The mail has been down since the backup, and now the file is damaged: what
// waits to be told is still told.
func TestPendingAlertsAreReadOutOfADamagedFile(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	backUp(t, s, noon.AddDate(0, 0, -1))
	var c monitor.Change
	for i, l := range page(0) {
		c.Alerts = append(c.Alerts, monitor.Alert{ID: l.Key, Listing: l, Found: noon.UTC().Add(time.Duration(i))})
	}
	save(t, s, c)
	s.Close()
	path := filepath.Join(dir, fileName)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The page with a listing from the middle, found by its text.
	at := bytes.Index(content, []byte("homes/amsterdam/00000030\"")) / 4096 * 4096
	copy(content[at:], make([]byte, 16))
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	o := open(t, dir)
	if n := len(o.Memory.Alerts); n < 40 || n == 60 || !strings.Contains(o.Notes[0], fmt.Sprintf("%d alert(s)", n)) {
		t.Errorf("%d of 60 alerts were read out of the damaged file: %q", n, o.Notes)
	}
	o.Store.Close()
	openQuietly(t, dir)
}

func TestSecondNewestBackupWhenTheNewestIsBad(t *testing.T) {
	dir, first, _ := yesterdayAndToday(t)
	s := openQuietly(t, dir).Store
	if err := s.Backup(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	p := s.place
	s.Close()
	if err := os.Truncate(p.backupPath("2026-11-30"), 6000); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(p.path(), 6000); err != nil {
		t.Fatal(err)
	}
	o := open(t, dir)
	same(t, "records", o.Memory.Records, first.Records)
	if len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "2026-11-29") {
		t.Errorf("notes: %q", o.Notes)
	}
}

// A -wal that is left alone belongs to the file that was damaged, not to the
// backup: replayed into that it would spoil it.
func TestWALOfALostFileIsNotReplayed(t *testing.T) {
	dir, first, _ := yesterdayAndToday(t)
	s := openQuietly(t, dir).Store
	save(t, s, monitor.Change{Hosts: []monitor.HostRecord{{Host: "in the wal"}}})
	path := filepath.Join(dir, fileName)
	wal, err := os.ReadFile(path + "-wal")
	if err != nil || len(wal) == 0 {
		t.Fatal(len(wal), err)
	}
	s.Close()
	if err := errors.Join(os.Remove(path), os.WriteFile(path+"-wal", wal, 0o600)); err != nil {
		t.Fatal(err)
	}
	o := open(t, dir)
	same(t, "hosts", o.Memory.Hosts, first.Hosts)
	same(t, "records", o.Memory.Records, first.Records)
	if bad := setAsideIn(t, dir); len(bad) != 1 || !strings.HasSuffix(bad[0], "-wal") {
		t.Errorf("set aside: %v", bad)
	}
}

func TestNewerFileIsLeftAlone(t *testing.T) {
	dir, first, second := yesterdayAndToday(t)
	path := filepath.Join(dir, fileName)
	if err := execute(path, "ALTER TABLE record ADD COLUMN tomorrow TEXT; PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	o := open(t, dir)
	if len(o.Notes) != 2 || !strings.Contains(o.Notes[0], "newer") || !strings.Contains(o.Notes[1], "taken over") || o.Restored || o.Temporary {
		t.Errorf("opened with %q", o.Notes)
	}
	same(t, "records", o.Memory.Records, append(first.Records[:2:2], second.Records...))
	same(t, "messages", o.Memory.Messages, append(first.Messages[:2:2], second.Messages...))
	if r := recall(t, o.Store, second.Known[0].Search, monitor.Listing{Key: second.Known[0].Key}); len(r.Known) != 1 {
		t.Error("a listing that the newer file knows is unknown")
	}
	works(t, o.Store)
	o.Store.Close()

	again := open(t, dir) // it goes on where it was
	if len(again.Notes) != 1 || again.Restored {
		t.Errorf("opened again with %+v", again)
	}
	if r := recall(t, again.Store, "works", monitor.Listing{Key: "k"}); len(r.Known) != 1 {
		t.Error("what was saved beside the newer file is forgotten")
	}
	if err := again.Store.Backup(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	if !exists(filepath.Join(dir, "backups", "notifio-2026-11-29.db")) {
		t.Error("the backup of the newer file is gone")
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(after, content) {
		t.Error("the newer file was touched", err)
	}
}

// A newer file of another shape cannot be taken over: its last copy that can be is,
// and what is pending in it.
func TestNewerFileOfAnotherShapeGivesWayToTheBackup(t *testing.T) {
	dir, first, second := yesterdayAndToday(t)
	if err := execute(filepath.Join(dir, fileName), "ALTER TABLE known DROP COLUMN how; PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	o := open(t, dir)
	if len(o.Notes) != 2 || !strings.Contains(o.Notes[1], "2026-11-29") || !o.Restored || o.Temporary {
		t.Errorf("opened with %q", o.Notes)
	}
	same(t, "records", o.Memory.Records, first.Records)
	if r := recall(t, o.Store, "nobody", monitor.Listing{Key: second.Alerts[0].Listing.Key}); len(r.Alerts) != 1 {
		t.Error("an alert that waits in the newer file is not told")
	}
	same(t, "messages", o.Memory.Messages, append(first.Messages[:2:2], second.Messages...))
}

func TestDamageMetWhileRunningIsMended(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not rename a file that this test holds open")
	}
	dir, first, _ := yesterdayAndToday(t)
	path := filepath.Join(dir, fileName)
	s := openQuietly(t, dir).Store
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close() // after everything: closing it ends SQLite's locks on the file
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xee}, int(info.Size())-4096), 4096); err != nil {
		t.Fatal(err)
	}
	if _, err := s.db.Exec("PRAGMA shrink_memory"); err != nil { // forget the pages as they were
		t.Fatal(err)
	}
	var met error
	for i := 0; met == nil && i < 200; i++ {
		_, met = s.Recall(t.Context(), first.Known[0].Search, []monitor.Listing{{Key: fmt.Sprint(i)}})
	}
	if !errors.Is(met, ErrDamaged) {
		t.Fatalf("recalling from a damaged file: %v", met)
	}
	o, err := s.Reopen(t.Context(), noon)
	if err != nil || o.Store != s || !o.Restored || len(o.Notes) != 1 {
		t.Fatalf("reopened: %+v, %v", o, err)
	}
	same(t, "records", o.Memory.Records, first.Records)
	works(t, s)
}

func TestReopenOfASoundFileChangesNothing(t *testing.T) {
	dir, _, _ := yesterdayAndToday(t)
	o := openQuietly(t, dir)
	again, err := o.Store.Reopen(t.Context(), noon.Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "opened", again, o)
	works(t, o.Store)
}
