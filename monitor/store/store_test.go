package store

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/monitor"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.Local)

// open opens the ledger in dir and closes it with the test.
func open(t testing.TB, dir string) Opened {
	t.Helper()
	o, err := Open(t.Context(), dir, noon)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { o.Store.Close() })
	return o
}

// openQuietly is open where nothing may have gone wrong.
func openQuietly(t testing.TB, dir string) Opened {
	t.Helper()
	o := open(t, dir)
	if len(o.Notes) > 0 || o.Restored || o.Store.Trouble() != "" {
		t.Fatalf("opening went wrong: %+v, %s", o, o.Store.Trouble())
	}
	return o
}

func save(t testing.TB, s *Store, c monitor.Change) {
	t.Helper()
	if err := s.Save(t.Context(), c); err != nil {
		t.Fatal(err)
	}
}

func recall(t testing.TB, s *Store, search string, listings ...monitor.Listing) monitor.Recollection {
	t.Helper()
	r, err := s.Recall(t.Context(), search, listings)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// same fails unless got is want, shown side by side.
func same(t testing.TB, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\n got %+v\nwant %+v", what, got, want)
	}
}

// fullChange sets every field of everything that can be saved. The alerts are
// open, so that all of them are loaded.
func fullChange() monitor.Change {
	n := 0
	c := filled[monitor.Change](&n)
	untold(&c)
	return c
}

// untold takes out of a change what is told and sent, so that all of it comes back.
func untold(c *monitor.Change) {
	for i := range c.Alerts {
		a := &c.Alerts[i]
		a.Gone, a.Bannered, a.Seen, a.Told, a.Pending = false, false, false, nil, []string{""}
	}
	c.Sent, c.Deliveries, c.Bannered, c.AllSeen = nil, nil, nil, false
}

// told are deliveries of alerts to the next destination.
func told(ids ...string) []monitor.Delivery {
	var out []monitor.Delivery
	for _, id := range ids {
		out = append(out, monitor.Delivery{Alert: id, Told: noon})
	}
	return out
}

// outboxOf is what comes back of a change.
func outboxOf(c monitor.Change) monitor.Outbox {
	return monitor.Outbox{Alerts: c.Alerts, Messages: c.Messages, Unseen: len(c.Alerts)}
}

func TestEveryFieldComesBack(t *testing.T) {
	dir, c := t.TempDir(), fullChange()
	s := openQuietly(t, dir).Store
	save(t, s, c)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}

	o := openQuietly(t, dir)
	same(t, "records", o.Memory.Records, c.Records)
	same(t, "hosts", o.Memory.Hosts, c.Hosts)
	same(t, "alerts", o.Memory.Alerts, c.Alerts)
	same(t, "messages", o.Memory.Messages, c.Messages)
	for _, k := range c.Known {
		r := recall(t, o.Store, k.Search, monitor.Listing{Key: k.Key})
		same(t, "known", r.Known, map[string]monitor.Known{k.Key: k})
	}
	history := read(t, dir, time.Time{})
	same(t, "alerts for the report", history.Alerts, c.Alerts)
	for i, k := range c.Checks {
		same(t, "history", history.Stretches[i], monitor.Stretch{Search: k.Search, Verdict: k.Verdict, Reason: k.Reason,
			Since: k.At, Until: k.At, Checks: 1, Took: k.Took, Slowest: k.Took, Listings: k.Listings, News: k.News})
	}
	if n := reflect.TypeFor[monitor.CheckRecord]().NumField(); n != 7 {
		t.Errorf("CheckRecord has %d fields and the history keeps 7: teach it the new one", n)
	}
}

func TestWhatIsAbsentStaysAbsent(t *testing.T) {
	dir := t.TempDir()
	c := monitor.Change{
		Records:  []monitor.Record{{Search: "s"}},
		Alerts:   []monitor.Alert{{ID: "a", Pending: []string{""}}},
		Hosts:    []monitor.HostRecord{{Host: "h"}},
		Messages: []monitor.Message{{ID: "m"}},
	}
	s := openQuietly(t, dir).Store
	save(t, s, c)
	s.Close()
	m := openQuietly(t, dir).Memory
	same(t, "memory", m, monitor.Memory{Records: c.Records, Hosts: c.Hosts, Outbox: outboxOf(c)})
}

func TestSavingAgainReplaces(t *testing.T) {
	dir, c := t.TempDir(), fullChange()
	s := openQuietly(t, dir).Store
	save(t, s, c)
	c.Records[0].Half, c.Alerts[0].Doubt, c.Hosts[0].Rung, c.Messages[0].Raw = 77, "some", 78, nil
	c.Known[0].LeftDay = 79
	save(t, s, c)
	r := recall(t, s, c.Known[0].Search, monitor.Listing{Key: c.Known[0].Key})
	same(t, "known", r.Known[c.Known[0].Key], c.Known[0])
	s.Close()
	m := openQuietly(t, dir).Memory
	same(t, "memory", m, monitor.Memory{Records: c.Records, Hosts: c.Hosts, Outbox: outboxOf(c)})
}

func TestSentMessagesAreForgotten(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	save(t, s, monitor.Change{Messages: []monitor.Message{{ID: "1", Raw: []byte("x")}, {ID: "2"}}})
	save(t, s, monitor.Change{Messages: []monitor.Message{{ID: "3"}}, Sent: []string{"1", "3", "never seen"}})
	s.Close()
	same(t, "messages", openQuietly(t, dir).Memory.Messages, []monitor.Message{{ID: "2"}})
}

// Whatever a page or a clock hands over is saved, and comes back unless no file
// could hold it.
func TestOddValuesDoNotStopASave(t *testing.T) {
	odd := monitor.Listing{Key: "k\x00\n\"'", URL: "https://x/\u2028", Title: "\xff]]>$(x) \U0001F3E0", AreaM2: math.NaN(), Rooms: math.Inf(1),
		Price: monitor.Price{Amount: math.Inf(-1), AmountMax: math.NaN()}, Published: time.Date(20000, 1, 1, 0, 0, 0, 0, time.UTC)}
	zone := time.FixedZone("odd", 12345)
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	save(t, s, monitor.Change{
		Records: []monitor.Record{{Search: "s", Baseline: []monitor.Listing{odd}, Look: &monitor.Look{At: time.Unix(1<<60, 0), Listings: []monitor.Listing{odd}}}},
		Known:   []monitor.Known{{Search: "s", Key: odd.Key, Title: odd.Title, Price: odd.Price, AreaM2: odd.AreaM2, At: time.Unix(1<<60, 0)}},
		Alerts:  []monitor.Alert{{ID: "a", Listing: odd, Was: odd.Price, Found: noon.In(zone)}},
		Hosts:   []monitor.HostRecord{{Host: "h", Backoff: monitor.Backoff{RetryAt: time.Unix(1<<60, 0)}}},

		Deliveries: []monitor.Delivery{{Alert: "a", Destination: "me", Told: time.Unix(-1<<60, 0)}, {Alert: "never seen", Destination: "me"}},
	})
	r := recall(t, s, "s", odd)
	same(t, "known", r.Known[odd.Key], monitor.Known{Search: "s", Key: odd.Key, Title: odd.Title})
	same(t, "alerts", r.Alerts[odd.Key], []string{"a"})
	s.Close()
	m := openQuietly(t, dir).Memory
	if got := m.Alerts[0]; got.Listing.Key != odd.Key || got.Listing.AreaM2 != 0 || !got.Found.Equal(noon) {
		t.Errorf("alert came back as %+v", got)
	}
}

func TestRandomStoriesAgainstAMap(t *testing.T) {
	dir := t.TempDir()
	o := openQuietly(t, dir)
	n := 0
	rapid.Check(t, func(r *rapid.T) {
		n++ // a story has searches of its own
		known := map[[2]string]monitor.Known{}
		names := rapid.SampledFrom([]string{"a", "b", "ä?", ""})
		searches := rapid.Map(names, func(s string) string { return fmt.Sprint(n, s) })
		for range rapid.IntRange(1, 6).Draw(r, "steps") {
			if rapid.IntRange(0, 9).Draw(r, "reopen at 0") == 0 {
				o.Store.Close()
				o = openQuietly(t, dir)
			}
			var c monitor.Change
			for range rapid.IntRange(1, 5).Draw(r, "rows") {
				k := monitor.Known{Search: searches.Draw(r, "search"), Key: names.Draw(r, "key"), Title: rapid.String().Draw(r, "title"),
					AreaM2: rapid.Float64().Draw(r, "area"), LeftDay: rapid.IntRange(-1, 500).Draw(r, "left")}
				c.Known = append(c.Known, k)
				known[[2]string{k.Search, k.Key}] = k
			}
			if err := o.Store.Save(context.Background(), c); err != nil {
				r.Fatal(err)
			}
			search, key := searches.Draw(r, "asked"), names.Draw(r, "of")
			got, err := o.Store.Recall(context.Background(), search, []monitor.Listing{{Key: key}})
			if err != nil {
				r.Fatal(err)
			}
			want, ok := known[[2]string{search, key}]
			if have, found := got.Known[key]; found != ok || have != want {
				r.Fatalf("%q knows %+v of %q, want %+v", search, have, key, want)
			}
		}
	})
}

func TestSaveIsWholeOrNothing(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	// A trigger stands for whatever goes wrong late in a change.
	for _, b := range []*base{s.memory, s.disk} {
		if _, err := b.db.Exec(`CREATE TRIGGER t BEFORE INSERT ON host BEGIN SELECT raise(ABORT, 'no'); END`); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Save(t.Context(), fullChange()); err == nil {
		t.Fatal("the change was saved in spite of the trigger")
	}
	s.Close()
	same(t, "memory", openQuietly(t, dir).Memory, monitor.Memory{})
}

// What a crash of the machine takes cannot be tried here, but these settings
// decide it.
func TestSettingsThatPromisesRestOn(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	for pragma, want := range map[string]string{"journal_mode": "wal", "synchronous": "2", "foreign_keys": "1"} {
		var got string
		if err := s.disk.db.QueryRow("PRAGMA " + pragma).Scan(&got); err != nil || got != want {
			t.Errorf("%s is %q, want %q (%v)", pragma, got, want, err)
		}
	}
}

func TestSaveOutlivesItsContext(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Save(ctx, monitor.Change{Known: []monitor.Known{{Search: "s", Key: "k"}}}); err != nil {
		t.Fatal(err)
	}
	if r := recall(t, s, "s", monitor.Listing{Key: "k"}); len(r.Known) != 1 {
		t.Error("what was saved while quitting is lost")
	}
	if _, err := s.Recall(ctx, "s", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("recalling after the end: %v", err)
	}
}

func TestManyGoroutines(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	var all sync.WaitGroup
	for g := range 8 {
		all.Go(func() {
			search := fmt.Sprint(g % 3)
			for i := range 20 {
				key := fmt.Sprintf("%d/%d", g, i)
				if err := s.Save(t.Context(), monitor.Change{Known: []monitor.Known{{Search: search, Key: key}}}); err != nil {
					t.Error(err)
				}
				r, err := s.Recall(t.Context(), search, []monitor.Listing{{Key: key}})
				if err != nil || len(r.Known) != 1 {
					t.Errorf("%s: %v %v", key, r, err)
				}
			}
		})
	}
	all.Go(func() {
		if err := s.Backup(t.Context(), noon); err != nil {
			t.Error(err)
		}
	})
	all.Wait()
}

func TestAfterClose(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	for range 2 {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := s.Save(t.Context(), monitor.Change{}); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	if _, err := s.Recall(t.Context(), "s", nil); !errors.Is(err, errClosed) {
		t.Error(err)
	}
	if err := s.Backup(t.Context(), noon); err != nil {
		t.Error(err)
	}
}

func TestInABubble(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		o, err := Open(t.Context(), dir, time.Now())
		if err != nil {
			t.Fatal(err)
		}
		for day := range 3 {
			save(t, o.Store, monitor.Change{Known: []monitor.Known{{Search: "s", Key: fmt.Sprint(day), At: time.Now().UTC()}}})
			if err := o.Store.Backup(t.Context(), time.Now()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(24 * time.Hour) // of the bubble
		}
		r := recall(t, o.Store, "s", monitor.Listing{Key: "0"}, monitor.Listing{Key: "2"})
		if len(r.Known) != 2 || r.Known["2"].At.Sub(r.Known["0"].At) != 48*time.Hour {
			t.Errorf("recalled %+v", r.Known)
		}
		if err := o.Store.Close(); err != nil {
			t.Fatal(err)
		}
	})
}

func TestOnlyTheUserCanRead(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no such modes: the folder lies in the user's profile")
	}
	dir := filepath.Join(t.TempDir(), "a", "data")
	s := openQuietly(t, dir).Store
	save(t, s, fullChange())
	if err := s.Backup(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		files := 0
		filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
			info, err := d.Info()
			if err != nil {
				t.Fatal(err)
			}
			want := os.FileMode(0o600)
			if d.IsDir() {
				want = 0o700
			}
			files++
			if got := info.Mode().Perm(); got != want {
				t.Errorf("%s has mode %o, want %o", path, got, want)
			}
			return nil
		})
		if files != 6 { // two folders, the database, -wal, -shm, a backup
			t.Errorf("%d files, want 6", files)
		}
	}
	check()
	s.Close()
	for path, mode := range map[string]os.FileMode{dir: 0o755, filepath.Join(dir, fileName): 0o644} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	save(t, openQuietly(t, dir).Store, fullChange())
	check()
}

func TestFolderWithAnOddName(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a%20b #é [x]")
	if runtime.GOOS != "windows" {
		dir += "?mode=ro"
	}
	s := openQuietly(t, dir).Store
	save(t, s, fullChange())
	if err := s.Backup(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if err := os.Remove(filepath.Join(dir, fileName)); err != nil {
		t.Fatal(err)
	}
	if o := open(t, dir); !o.Restored || len(o.Memory.Records) != 2 {
		t.Errorf("the backup was not found: %+v", o.Notes)
	}
}
