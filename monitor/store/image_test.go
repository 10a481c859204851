package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"notifio.app/notifio/monitor"
)

// rowsOf are all rows of all tables.
func rowsOf(t *testing.T, b *base) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for _, table := range []string{"meta", "search", "record", "known", "alert", "destination", "delivery", "host", "message", "stretch"} {
		must(b.rows(t.Context(), "SELECT * FROM "+table, func(row []any) { all[table] = append(all[table], fmt.Sprint(row)) }))
	}
	return all
}

// A log that was cut anywhere, or has a byte of another, is read as SQLite reads it: up to
// the last whole transaction, and without what an earlier use has left behind its end.
func TestImageIsWhatSQLiteReads(t *testing.T) {
	from := t.TempDir()
	s := openQuietly(t, from).Store
	note := func(n int) monitor.Change {
		return monitor.Change{Messages: []monitor.Message{{ID: fmt.Sprint(n), Destination: "me"}}}
	}
	for n := range 30 {
		save(t, s, note(n))
	}
	if _, err := s.disk.db.Exec("PRAGMA wal_checkpoint(RESTART)"); err != nil {
		t.Fatal(err)
	}
	for n := range 4 { // over the first of what is there
		save(t, s, note(100+n))
	}
	file, err := os.ReadFile(s.place.path())
	must(err)
	wal, err := os.ReadFile(s.place.path() + "-wal")
	must(err)
	const frame = 4096 + 24
	ends := map[string]bool{}
	for n := 0; n < 10*frame; n += frame / 3 {
		for _, spoilt := range [][]byte{wal[:n], append(append(bytes.Clone(wal[:n]), wal[n]^1), wal[n+1:]...)} {
			dir := t.TempDir()
			path := filepath.Join(dir, fileName)
			must(os.WriteFile(path, file, 0o600))
			must(os.WriteFile(path+"-wal", spoilt, 0o600))
			ours, err := remember(t.Context(), path)
			if err != nil {
				t.Fatalf("spoilt at %d: %v", n, err)
			}
			theirs, err := writable(t.Context(), place{dir: dir})
			must(err)
			read := rowsOf(t, ours)
			same(t, fmt.Sprint("spoilt at ", n), read, rowsOf(t, theirs))
			ends[fmt.Sprint(read["message"])] = true
			ours.close()
			theirs.close()
		}
	}
	if len(ends) != 5 { // each of the four transactions, and none
		t.Errorf("%d ends were tried", len(ends))
	}
}

// An alert that was told is not told again because nobody knows any more who there was to
// be told; one that waits does, for whom it waited.
func TestToldAlertsOfADamagedFileAreNotToldAgain(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	alert := func(id string) monitor.Alert {
		return monitor.Alert{ID: id, Listing: monitor.Listing{Key: id, URL: "https://h/" + id}}
	}
	must(s.Address(t.Context(), []string{"me", "you"}))
	save(t, s, monitor.Change{Alerts: []monitor.Alert{alert("told"), alert("half"), alert("open")}, Bannered: []string{"told", "half"}, Deliveries: []monitor.Delivery{
		{Alert: "told", Destination: "me", Told: noon}, {Alert: "told", Destination: "you", Told: noon}, {Alert: "half", Destination: "me", Told: noon}}})
	save(t, s, monitor.Change{Records: []monitor.Record{{Search: "s"}}})
	s.Close()
	must(execute(filepath.Join(dir, fileName), "UPDATE record SET body = '{'"))
	o := open(t, dir)
	pending := map[string][]string{}
	for _, a := range o.Memory.Alerts {
		pending[a.ID] = a.Pending
		if a.Bannered != (a.ID != "open") {
			t.Errorf("%s has had its banner: %v", a.ID, a.Bannered)
		}
	}
	same(t, "pending", pending, map[string][]string{"told": nil, "half": {"you"}, "open": {"me", "you"}})
}
