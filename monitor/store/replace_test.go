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
	"testing/synctest"
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

func TestNewerFileIsLeftAlone(t *testing.T) {
	dir, _, _ := yesterdayAndToday(t)
	path := filepath.Join(dir, fileName)
	if err := execute(path, "ALTER TABLE record ADD COLUMN tomorrow TEXT; PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	must(os.Chmod(dir, 0o755))
	before := listing(t, dir)
	_, err := Open(t.Context(), dir, noon)
	if !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), "install the newer Notifio again") || !strings.Contains(err.Error(), "--data") {
		t.Errorf("opened with %v", err)
	}
	same(t, "the folder", listing(t, dir), before)
	if _, err := Read(t.Context(), dir, noon); !errors.Is(err, ErrNewer) {
		t.Errorf("read with %v", err)
	}
}

// listing is what a folder has in it: names, modes, times and contents.
func listing(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	must(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		must(err)
		info, err := d.Info()
		must(err)
		var content []byte
		if !d.IsDir() {
			content, err = os.ReadFile(path)
		}
		files[path] = fmt.Sprint(info.Mode(), info.ModTime(), string(content))
		return err
	}))
	return files
}

// A newer file that is damaged is one that is damaged.
func TestDamagedNewerFileGivesWayToTheBackup(t *testing.T) {
	dir, first, _ := yesterdayAndToday(t)
	path := filepath.Join(dir, fileName)
	must(execute(path, "PRAGMA user_version = 99"))
	must(os.Truncate(path, 20_000))
	o := open(t, dir)
	if len(o.Notes) != 1 || !o.Restored {
		t.Errorf("opened with %+v", o)
	}
	same(t, "records", o.Memory.Records, first.Records)
}

// spoilt spoils all but the first page of a file that is in use.
func spoilt(t *testing.T, s *Store) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not rename a file that this test holds open")
	}
	info, err := os.Stat(s.place.path())
	must(err)
	f, err := os.OpenFile(s.place.path(), os.O_WRONLY, 0)
	must(err)
	t.Cleanup(func() { f.Close() }) // after everything: closing it ends SQLite's locks on the file
	_, err = f.WriteAt(bytes.Repeat([]byte{0xee}, int(info.Size())-4096), 4096)
	must(err)
	_, err = s.disk.db.Exec("PRAGMA shrink_memory") // forget the pages as they were
	must(err)
}

// What is on record is in memory: a file that breaks while it is in use costs nothing.
func TestDamageMetWhileRunningIsMended(t *testing.T) {
	for _, meet := range []struct {
		where string
		do    func(*testing.T, *Store)
	}{
		{"saving", func(t *testing.T, s *Store) { works(t, s) }},
		{"addressing", func(t *testing.T, s *Store) { must(s.Address(t.Context(), []string{"me", "you"})) }},
		{"making a backup", func(t *testing.T, s *Store) { backUp(t, s, noon) }},
	} {
		t.Run(meet.where, func(t *testing.T) {
			dir, first, second := yesterdayAndToday(t)
			o := openQuietly(t, dir)
			s := o.Store
			save(t, s, monitor.Change{Alerts: []monitor.Alert{{ID: "in the wal"}}, Sent: []string{first.Messages[0].ID}})
			spoilt(t, s)
			meet.do(t, s)
			if notes := s.Notes(); s.Trouble() != "" || len(notes) != 1 || !strings.Contains(notes[0], "nothing is forgotten") {
				t.Errorf("it says %q, %q", s.Trouble(), notes)
			}
			bad := setAsideIn(t, dir)
			if len(bad) == 0 {
				t.Error("nothing was set aside")
			}
			// Of every search the record is there, also of one that no backup has.
			works(t, s)
			crashed := filepath.Join(t.TempDir(), "crashed")
			copyFolder(t, dir, crashed)
			m := openQuietly(t, crashed).Memory
			same(t, "records", m.Records, append(first.Records[:2:2], second.Records...))
			if n := len(m.Messages); n != 3 && meet.where != "addressing" || m.Alerts[len(m.Alerts)-1].ID != "in the wal" {
				t.Errorf("%d messages; alerts %+v", n, m.Alerts)
			}
			if r := recall(t, s, second.Known[0].Search, monitor.Listing{Key: second.Known[0].Key}); len(r.Known) != 1 {
				t.Error("what was known is forgotten")
			}
		})
	}
}

// What memory takes and the file does not is the file's fault: a damaged index, say.
func TestFileThatDoesWhatMemoryDoesNotIsReplaced(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	if _, err := s.disk.db.Exec(`CREATE TRIGGER t BEFORE INSERT ON host BEGIN SELECT raise(ABORT, 'no'); END`); err != nil {
		t.Fatal(err)
	}
	save(t, s, fullChange())
	if notes := s.Notes(); s.Trouble() != "" || len(notes) != 1 || len(setAsideIn(t, dir)) == 0 {
		t.Errorf("it says %q, %q", s.Trouble(), notes)
	}
	s.Close()
	if m := openQuietly(t, dir).Memory; len(m.Hosts) != 2 {
		t.Errorf("hosts %+v", m.Hosts)
	}
}

// A bubble does not end before every database is closed.
func TestNothingIsLeftOpen(t *testing.T) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			dir, _, _ := yesterdayAndToday(t)
			path := filepath.Join(dir, fileName)
			content, err := os.ReadFile(path)
			must(err)
			must(d.spoil(path, content))
			synctest.Test(t, func(t *testing.T) {
				o, err := Open(t.Context(), dir, time.Now())
				must(err)
				must(o.Store.Backup(t.Context(), time.Now()))
				must(o.Store.Close())
			})
			must(execute(path, "PRAGMA user_version = 99"))
			synctest.Test(t, func(t *testing.T) {
				if _, err := Open(t.Context(), dir, time.Now()); !errors.Is(err, ErrNewer) {
					t.Error(err)
				}
			})
		})
	}
}
