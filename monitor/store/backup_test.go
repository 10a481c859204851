package store

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

func backupNames(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(dir, "backups"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func backUp(t *testing.T, s *Store, now time.Time) {
	t.Helper()
	if err := s.Backup(t.Context(), now); err != nil {
		t.Fatal(err)
	}
}

func TestThreeBackupsAreKept(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	// A rest of a backup that was killed, and files that are none of ours.
	if err := os.MkdirAll(filepath.Join(dir, "backups"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"notifio-2026-11-29.db.part", "notifio-mine.db", "holiday.jpg"} {
		if err := os.WriteFile(filepath.Join(dir, "backups", name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for day := range 5 {
		backUp(t, s, noon.AddDate(0, 0, day))
	}
	same(t, "backups", backupNames(t, dir),
		[]string{"holiday.jpg", "notifio-2026-12-02.db", "notifio-2026-12-03.db", "notifio-2026-12-04.db", "notifio-mine.db"})
}

func TestOneBackupADayOnTheUsersClock(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	backUp(t, s, time.Date(2026, 11, 30, 0, 1, 0, 0, time.Local))
	path := filepath.Join(dir, "backups", "notifio-2026-11-30.db")
	first, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	save(t, s, fullChange())
	backUp(t, s, time.Date(2026, 11, 30, 23, 59, 0, 0, time.Local).UTC())
	if second, err := os.Stat(path); err != nil || !os.SameFile(first, second) || second.Size() != first.Size() {
		t.Error("a second backup was made on the same day")
	}
	backUp(t, s, time.Date(2026, 12, 1, 0, 0, 0, 0, time.Local))
	same(t, "backups", backupNames(t, dir), []string{"notifio-2026-11-30.db", "notifio-2026-12-01.db"})
}

// A clock that was wrong for a day must not cost the good copies, nor make its
// own the best one.
func TestBackupsUnderAWrongClock(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	backUp(t, s, noon.AddDate(14, 0, 0))
	for days := -3; days < 0; days++ {
		backUp(t, s, noon.AddDate(0, 0, days))
	}
	same(t, "backups", backupNames(t, dir), []string{"notifio-2026-11-27.db", "notifio-2026-11-28.db", "notifio-2026-11-29.db"})
	backUp(t, s, noon.AddDate(14, 0, 0))
	same(t, "backups", backupNames(t, dir), []string{"notifio-2026-11-28.db", "notifio-2026-11-29.db", "notifio-2040-11-30.db"})
	if best := s.place.backups(noon); filepath.Base(best[0]) != "notifio-2026-11-29.db" {
		t.Errorf("the best backup is %s", best[0])
	}
}

func TestBackupThatFailsLeavesTheOthers(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	for day := range 3 {
		backUp(t, s, noon.AddDate(0, 0, day))
	}
	before := backupNames(t, dir)
	// What is found in the copy when it is checked: a body that does not decode.
	for _, b := range []*base{s.memory, s.disk} {
		if _, err := b.db.Exec(`INSERT INTO host VALUES ('h', '{')`); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Backup(t.Context(), noon.AddDate(0, 0, 3)); !errors.Is(err, ErrDamaged) {
		t.Errorf("backing up a bad file: %v", err)
	}
	same(t, "backups", backupNames(t, dir), before)
}

func TestTidyForgetsWhatIsOldInDaysOfUse(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	var c monitor.Change
	for i := range 2*tidyBatch + 1 {
		c.Known = append(c.Known, monitor.Known{Search: "s", Key: fmt.Sprint("left ", i), LeftDay: 3})
	}
	c.Known = append(c.Known, monitor.Known{Search: "s", Key: "there", LeftDay: -1})
	c.Alerts = []monitor.Alert{{ID: "closed"}, {ID: "open"}}
	c.Deliveries = told("closed")
	c.Checks = []monitor.CheckRecord{{Search: "s", At: noon, Verdict: monitor.Results}}
	c.Records = []monitor.Record{{Search: "s", Baseline: []monitor.Listing{{Key: "there"}}}}
	save(t, s, c)

	// pass moves the count of days without making as many backups.
	day := noon
	pass := func(days int64) {
		t.Helper()
		setDay(t, s, days-1)
		day = day.AddDate(0, 0, 1)
		backUp(t, s, day)
	}
	count := func(query string) (n int) {
		t.Helper()
		if err := s.disk.db.QueryRow(query).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	have := func() [3]int {
		return [3]int{count(`SELECT count(*) FROM known`), count(`SELECT count(*) FROM alert`), count(`SELECT count(*) FROM stretch`)}
	}
	left := 2*tidyBatch + 1
	pass(keepHistory)
	same(t, "after a hundred days", have(), [3]int{left + 1, 2, 1})
	pass(keepHistory + 1)
	same(t, "after one more", have(), [3]int{left + 1, 2, 0})
	save(t, s, monitor.Change{Records: c.Records}) // it is in use
	pass(keepLeft)
	same(t, "after four hundred", have(), [3]int{left + 1, 2, 0})
	pass(keepLeft + 1)
	same(t, "after one more", have(), [3]int{1, 1, 0})
	if err := os.RemoveAll(filepath.Join(dir, "backups")); err != nil {
		t.Fatal(err)
	}
	backUp(t, s, day)                   // again on the same day
	backUp(t, s, day.AddDate(14, 0, 0)) // a wrong clock
	if n := count(`SELECT day FROM meta`); n != keepLeft+2 {
		t.Errorf("day %d of use, want %d", n, keepLeft+2)
	}
	r := recall(t, s, "s", monitor.Listing{Key: "there"})
	if len(r.Known) != 1 {
		t.Error("what is on the page was forgotten")
	}
}

// setDay sets the count of days of use.
func setDay(t *testing.T, s *Store, day int64) {
	t.Helper()
	for _, b := range []*base{s.memory, s.disk} {
		if _, err := b.db.Exec(`UPDATE meta SET day = ?`, day); err != nil {
			t.Fatal(err)
		}
	}
}

// What is known of a search that nobody has used for long is forgotten with it; until then
// it is there, because the search may be taken up again. And what the signed out saw is
// forgotten like the rest, although nobody notes when it has left.
func TestTidyForgetsSearchesThatAreGone(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	known := func(search, key string) monitor.Known {
		return monitor.Known{Search: search, Key: key, LeftDay: -1}
	}
	there := []monitor.Listing{{Key: "there"}}
	records := []monitor.Record{{Search: "used", Baseline: there}, {Search: "used", View: "signed out", Baseline: []monitor.Listing{{Key: "seen"}}}}
	save(t, s, monitor.Change{
		Records: append(records, monitor.Record{Search: "gone", Baseline: there, DisabledAt: noon}),
		Known:   []monitor.Known{known("used", "there"), known("used", "seen"), known("used", "seen once"), known("gone", "there"), known("gone", "was there")},
		Checks:  []monitor.CheckRecord{{Search: "gone", At: noon, Verdict: monitor.Results}},
	})
	have := func(day int64) (got []string) {
		t.Helper()
		setDay(t, s, day-1)
		backUp(t, s, noon.AddDate(0, 0, int(day)))
		for _, search := range []string{"used", "gone"} {
			r := recall(t, s, search, monitor.Listing{Key: "there"}, monitor.Listing{Key: "was there"}, monitor.Listing{Key: "seen"}, monitor.Listing{Key: "seen once"})
			for _, key := range slices.Sorted(maps.Keys(r.Known)) {
				got = append(got, search+": "+key)
			}
		}
		return got
	}
	all := []string{"used: seen", "used: seen once", "used: there", "gone: there", "gone: was there"}
	same(t, "known in the beginning", have(1), all)
	setDay(t, s, keepLeft)
	save(t, s, monitor.Change{Records: records[:1]}) // only this one is checked
	same(t, "known after four hundred days", have(keepLeft), all)
	same(t, "known after one more", have(keepLeft+1), []string{"used: seen", "used: there"})
	m, err := load(t.Context(), s.memory.db)
	if err != nil || len(m.Records) != 2 {
		t.Errorf("records %+v, %v", m.Records, err)
	}
	for _, b := range []*base{s.memory, s.disk} {
		var n int
		if err := b.db.QueryRow(`SELECT count(*) FROM search`).Scan(&n); err != nil || n != 1 {
			t.Errorf("%d searches, %v", n, err)
		}
	}
	if s.disk == nil || s.Trouble() != "" {
		t.Error(s.Trouble())
	}
}
