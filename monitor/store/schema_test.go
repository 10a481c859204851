package store

import (
	"net/url"
	"path/filepath"
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

// After an update the disk may be full, and what is left is a backup of the version
// before.
func TestBackupOfTheFirstRoundFillsTheMemory(t *testing.T) {
	old := filepath.Join(t.TempDir(), "old.db")
	firstRound(t, old)
	db, err := connect("file::memory:")
	if err != nil {
		t.Fatal(err)
	}
	s := &Store{db: db}
	defer s.close()
	if err := migrate(t.Context(), db, migrations); err != nil {
		t.Fatal(err)
	}
	if err := s.place.fillFrom(t.Context(), db, old, url.Values{"mode": {"ro"}}); err != nil {
		t.Fatal(err)
	}
	if err := s.prepare(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := recall(t, s, "s", monitor.Listing{Key: "h/2"})
	same(t, "known", r.Known, map[string]monitor.Known{"h/2": leftThen})
}
