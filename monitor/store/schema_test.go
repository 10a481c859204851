package store

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// firstRound writes a ledger as the first round's schema has it: one baseline of one
// listing, known and kept back by a filter, and one that has left the page.
func firstRound(t *testing.T, path string) {
	t.Helper()
	db, err := connect(dsn(path, url.Values{"_pragma": {"journal_mode(WAL)"}}))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := migrate(t.Context(), db, migrations[:1]); err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`
		INSERT INTO search VALUES (1, 's');
		INSERT INTO record VALUES (1, '', '{"Search":"s","Baseline":[{"key":"h/1","id":"880012","url":"https://h/1"},{"key":"h/3","url":"https://h/3"}],"FinalHost":"h"}');
		INSERT INTO known VALUES
			(1, 'h/1', 'h/1', 'filtered', 950, 0, 'EUR', 'month', '€ 950', 40, 'One', -1, 0, 0),
			(1, 'h/2', 'h/2', 'baselined', 850, 0, 'EUR', 'month', '€ 850', 0, 'Two', 3, 0, 0)`); err != nil {
		t.Fatal(err)
	}
}

var (
	knownThen = monitor.Known{Search: "s", Key: "h/1", Canonical: "h/1", ID: "880012", How: monitor.Filtered, AreaM2: 40, Title: "One", LeftDay: -1,
		Price: monitor.Price{Amount: 950, Currency: "EUR", Period: monitor.Month, Text: "€ 950"}}
	leftThen = monitor.Known{Search: "s", Key: "h/2", Canonical: "h/2", How: monitor.Baselined, Title: "Two", LeftDay: 3,
		Price: monitor.Price{Amount: 850, Currency: "EUR", Period: monitor.Month, Text: "€ 850"}}
)

func TestLedgerOfTheFirstRoundIsTakenOver(t *testing.T) {
	dir := t.TempDir()
	firstRound(t, filepath.Join(dir, fileName))
	o := openQuietly(t, dir)
	if r := o.Memory.Records; len(r) != 1 || len(r[0].Baseline) != 2 || r[0].Reader != "" {
		t.Errorf("records %+v", r)
	}
	r := recall(t, o.Store, "s", monitor.Listing{Key: "h/1"}, monitor.Listing{Key: "h/2"})
	same(t, "known", r.Known, map[string]monitor.Known{"h/1": knownThen, "h/2": leftThen})
}

// What is left may be a backup of the version before: whom it names as told stays told,
// what was open is pending, and what was closed is not told again.
func TestBackupOfTheFirstRoundIsTakenOver(t *testing.T) {
	dir := t.TempDir()
	must(os.Mkdir(filepath.Join(dir, "backups"), 0o700))
	backup := place{dir: dir}.backupPath("2026-11-29")
	firstRound(t, backup)
	alertedThen(t, backup)
	o := open(t, dir)
	if !o.Restored || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "2026-11-29") {
		t.Errorf("opened with %+v", o)
	}
	r := recall(t, o.Store, "s", monitor.Listing{Key: "h/2"})
	same(t, "known", r.Known, map[string]monitor.Known{"h/2": leftThen})
	alertsThen(t, o)
}

// alertedThen adds alerts to a ledger of the first round: an old one that was closed, one
// that waits for one of its two recipients, and one that was told to all.
func alertedThen(t *testing.T, path string) {
	t.Helper()
	must(execute(path, `INSERT INTO alert (rowid, id, key, canonical, closed, found, day, body) VALUES
			(3, 'old', 'h/7', '', 1, 9, 0, '{"ID":"old","Listing":{"key":"h/7","url":"https://h/7"}}'),
			(7, 'open', 'h/1', '', 0, 1, 0, '{"ID":"open","Listing":{"key":"h/1","url":"https://h/1"},"Told":{"a@example.com":"2026-11-01T08:00:00Z"}}'),
			(8, 'closed', 'h/2', '', 1, 1, 0, '{"ID":"closed","Listing":{"key":"h/2","url":"https://h/2"},"Told":{"a@example.com":"2026-11-01T08:00:00Z"}}')`))
}

// alertsThen fails unless the first round's alerts are told to whom they were told then.
func alertsThen(t *testing.T, o Opened) {
	t.Helper()
	got := map[string][]string{}
	for _, a := range o.Memory.Alerts {
		got[a.ID] = append(slices.Sorted(maps.Keys(a.Told)), a.Pending...)
	}
	same(t, "told and pending", got, map[string][]string{"open": {"a@example.com", ""}, "closed": {"a@example.com"}, "old": nil})
	if len(o.Memory.Alerts) != 3 || o.Memory.Alerts[0].ID != "old" {
		t.Errorf("their order is another one: %+v", o.Memory.Alerts)
	}
}

func TestDamagedFileOfTheFirstRound(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	firstRound(t, path)
	alertedThen(t, path)
	must(execute(path, "UPDATE record SET body = '{'"))
	o := open(t, dir)
	alertsThen(t, o)
}

// A file that cannot be brought to today's schema is a damaged one: Notifio starts.
func TestOldFileThatLacksATableIsDamaged(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	firstRound(t, path)
	alertedThen(t, path)
	must(execute(path, "DROP TABLE message"))
	o := open(t, dir)
	if !o.Restored || o.Store.Trouble() != "" || len(setAsideIn(t, dir)) != 1 {
		t.Errorf("opened with %+v", o)
	}
	alertsThen(t, o)
}
