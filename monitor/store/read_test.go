package store

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
)

func read(t testing.TB, dir string, since time.Time) monitor.History {
	t.Helper()
	h, err := Read(t.Context(), dir, since)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// writeLate writes the history that waits for a change that is worth it.
func writeLate(t testing.TB, s *Store) {
	t.Helper()
	save(t, s, monitor.Change{AllSeen: true})
}

// A check without news is written with the next change, after two minutes, or at the end.
func TestHistoryWaitsForAChange(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		s := openQuietly(t, dir).Store
		check := func() {
			save(t, s, monitor.Change{Checks: []monitor.CheckRecord{{Search: "p", At: time.Now(), Verdict: monitor.Results, News: 1}}})
		}
		written := func() int { return len(read(t, dir, time.Time{}).Stretches) }
		for range 4 {
			check()
			time.Sleep(30 * time.Second)
		}
		if n := written(); n != 0 {
			t.Errorf("%d checks are written at once", n)
		}
		check()
		if n := written(); n != 5 {
			t.Errorf("of 5 checks in two minutes %d are written", n)
		}
		check()
		save(t, s, monitor.Change{AllSeen: true})
		if n := written(); n != 6 {
			t.Errorf("a change took %d along, want 6", n)
		}
		check()
		must(s.Close())
		if n := written(); n != 7 {
			t.Errorf("at the end %d are written, want 7", n)
		}
	})
}

func TestHistoryJoinsChecksOfAnHour(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	check := func(search string, minute int, v monitor.Verdict, news int) monitor.CheckRecord {
		return monitor.CheckRecord{Search: search, At: start.Add(time.Duration(minute) * time.Minute),
			Took: time.Duration(1+minute%7) * time.Second, Verdict: v, Reason: fmt.Sprint("reason ", minute), Listings: minute, News: news}
	}
	for _, c := range []monitor.CheckRecord{
		check("p", 0, monitor.Results, 0), check("q", 1, monitor.Results, 0), check("p", 2, monitor.Results, 0),
		check("p", 3, monitor.Results, 2), check("p", 4, monitor.Results, 0), check("p", 5, monitor.Refused, 0),
		check("p", 6, monitor.Refused, 0), check("p", 61, monitor.Refused, 0),
	} {
		save(t, s, monitor.Change{Checks: []monitor.CheckRecord{c}})
	}
	writeLate(t, s)
	got := read(t, dir, start.Add(2*time.Minute)).Stretches
	stretch := func(v monitor.Verdict, from, to, checks int, took, slowest time.Duration, news int) monitor.Stretch {
		return monitor.Stretch{Search: "p", Verdict: v, Reason: fmt.Sprint("reason ", to), Checks: checks,
			Since: start.Add(time.Duration(from) * time.Minute), Until: start.Add(time.Duration(to) * time.Minute),
			Took: took * time.Second, Slowest: slowest * time.Second, Listings: to, News: news}
	}
	same(t, "history", got, []monitor.Stretch{
		stretch(monitor.Results, 0, 2, 2, 4, 3, 0), stretch(monitor.Results, 3, 3, 1, 4, 4, 2),
		stretch(monitor.Results, 4, 4, 1, 5, 5, 0), stretch(monitor.Refused, 5, 6, 2, 13, 7, 0),
		stretch(monitor.Refused, 61, 61, 1, 6, 6, 0),
	})
}

func TestReadFindsAlertsSinceATime(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	var change monitor.Change
	alert := func(id string, hours int) monitor.Alert {
		found := noon.UTC().Add(time.Duration(hours) * time.Hour)
		change.Deliveries = append(change.Deliveries, monitor.Delivery{Alert: id, Destination: "a@example.com", Told: found.Add(time.Second)})
		return monitor.Alert{ID: id, Kind: monitor.New, Found: found, Pending: []string{""},
			Told: map[string]time.Time{"a@example.com": found.Add(time.Second)}}
	}
	all := []monitor.Alert{alert("old", -2), alert("open", -1), alert("on time", 0), alert("new", 1)}
	change.Alerts = []monitor.Alert{all[3], all[1], all[0], all[2]}
	save(t, s, change)
	same(t, "alerts", read(t, dir, noon).Alerts, all[2:])
	same(t, "all alerts", read(t, dir, time.Time{}).Alerts, all)
}

func TestReadWithoutADatabaseFindsNothingAndMakesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "not there")
	same(t, "history", read(t, dir, time.Time{}), monitor.History{})
	if exists(dir) {
		t.Error("reading has made the folder")
	}
	for name, size := range map[string]int{"empty": 0, "another program's": 100} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, fileName), make([]byte, size), 0o600); err != nil {
			t.Fatal(err)
		}
		h, err := Read(t.Context(), dir, time.Time{})
		if len(h.Stretches)+len(h.Alerts) > 0 || (size > 0) != errors.Is(err, ErrDamaged) {
			t.Errorf("%s file: %+v, %v", name, h, err)
		}
	}
}

// TestReadDoesNotHoldUpSave reads while the ledger is in use, over and over.
func TestReadDoesNotHoldUpSave(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		defer close(failed)
		for ctx.Err() == nil {
			if _, err := Read(context.WithoutCancel(ctx), dir, time.Time{}); err != nil {
				failed <- err
				return
			}
		}
	}()
	for i := range 50 {
		save(t, s, monitor.Change{Checks: []monitor.CheckRecord{{Search: fmt.Sprint(i), At: noon, Verdict: monitor.Results}}})
		writeLate(t, s)
		if got := len(read(t, dir, time.Time{}).Stretches); got != i+1 {
			t.Fatalf("after %d changes %d stretches are read", i+1, got)
		}
	}
	cancel()
	if err := <-failed; err != nil {
		t.Error(err)
	}
}

// TestReadAfterNotifioHasEnded leaves a file that the next start is content with.
func TestReadAfterNotifioHasEnded(t *testing.T) {
	dir, c := t.TempDir(), fullChange()
	s := openQuietly(t, dir).Store
	save(t, s, c)
	s.Close()
	if got := len(read(t, dir, time.Time{}).Alerts); got != len(c.Alerts) {
		t.Errorf("%d alerts, want %d", got, len(c.Alerts))
	}
	same(t, "alerts after a restart", openQuietly(t, dir).Memory.Alerts, c.Alerts)
}

func TestReadFromAFolderThatCannotBeWritten(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("needs a user whom a read-only folder stops")
	}
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	save(t, s, monitor.Change{Checks: []monitor.CheckRecord{{Search: "p", At: noon, Verdict: monitor.Empty}}})
	s.Close()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(dir, 0o700)
	if got := read(t, dir, time.Time{}).Stretches; len(got) != 1 {
		t.Errorf("%d stretches, want 1", len(got))
	}
}
