package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// inUse is a folder as a kill leaves it: two days of history, a backup of the first, and
// an alert and a message that are in the WAL alone.
func inUse(t *testing.T) (dir string, first, second monitor.Change) {
	t.Helper()
	from, first, second := yesterdayAndToday(t)
	s := openQuietly(t, from).Store
	save(t, s, monitor.Change{
		Alerts:     []monitor.Alert{{ID: "told", Listing: monitor.Listing{Key: "k0", URL: "https://h/0"}}, waitingInTheLog},
		Deliveries: []monitor.Delivery{{Alert: "told", Destination: "", Told: noon}},
		Messages:   []monitor.Message{messageInTheLog},
	})
	dir = filepath.Join(t.TempDir(), "killed")
	copyFolder(t, from, dir)
	return dir, first, second
}

var (
	waitingInTheLog = monitor.Alert{ID: "waits", Listing: monitor.Listing{Key: "k1", URL: "https://h/1", Title: strings.Repeat("a long title ", 900)}}
	messageInTheLog = monitor.Message{ID: "sent?", Destination: "me", Alerts: []string{"waits"}, Raw: []byte(strings.Repeat("raw ", 5000)), Tries: 2, At: noon.UTC()}
)

// waits fails unless what was in the WAL alone is there, and pending as it was.
func waits(t *testing.T, o Opened) {
	t.Helper()
	found, err := o.Store.Alerts(t.Context(), []string{"waits", "told"})
	if a := found["waits"]; err != nil || a.Listing.Title != waitingInTheLog.Listing.Title || len(a.Pending) != 1 || len(found["told"].Pending) > 0 {
		t.Errorf("of the alerts there is %v, told: %v", len(found), found["told"])
	}
	for _, m := range o.Memory.Messages {
		if m.ID == messageInTheLog.ID {
			same(t, "message", m, messageInTheLog)
			return
		}
	}
	t.Error("the message is not there")
}

// A damaged file is replaced; killed before, between or after any of the steps, the next
// start loses nothing that could be read, and knows what the backup knew.
func TestKilledWhileAFileIsReplaced(t *testing.T) {
	for n := 0; ; n++ {
		dir, first, _ := inUse(t)
		p := place{dir: dir}
		// Its first page after the header: it knows no table any more.
		spoil(t, p.path())
		s := &Store{place: p}
		if _, err := s.fill(t.Context(), noon); err != nil {
			t.Fatal(err)
		}
		// What the program has found since it went on from memory.
		found := monitor.Change{Known: []monitor.Known{{Search: "since", Key: "k"}}}
		must(s.memory.write(t.Context(), func(w writer) error { return w.change(found) }))
		steps := []func() error{
			func() error { return os.WriteFile(p.next()+".part", []byte("half of it"), 0o600) },
			func() error { return makeFile(p.next(), s.memory.copyTo(t.Context()), good(t.Context())) },
		}
		moves, _ := p.moves(noon)
		for _, m := range moves {
			steps = append(steps, func() error { return os.Rename(m.from, m.to) })
		}
		if len(steps) != 6 { // -shm, -wal, the file, the next one
			t.Fatalf("%d steps", len(steps))
		}
		if n > len(steps) {
			return
		}
		for _, step := range steps[:n] {
			must(step())
		}
		s.memory.close()

		o := open(t, dir)
		if done := n == len(steps); done == o.Restored || done == (len(o.Notes) > 0) || o.Store.Trouble() != "" {
			t.Errorf("after %d steps: opened with %q, %v, %q", n, o.Notes, o.Restored, o.Store.Trouble())
		}
		waits(t, o)
		if len(o.Memory.Records) < len(first.Records) || o.Memory.Alerts[0].ID != first.Alerts[0].ID {
			t.Errorf("after %d steps there are %d records", n, len(o.Memory.Records))
		}
		if r := recall(t, o.Store, "since", monitor.Listing{Key: "k"}); (len(r.Known) == 1) != (n >= 2) {
			t.Errorf("after %d steps the next file has %v", n, r.Known)
		}
		works(t, o.Store)
		o.Store.Close()
		waits(t, openQuietly(t, dir))
		kept := fmt.Sprint(setAsideIn(t, dir))
		if !strings.Contains(kept, "-wal") || exists(p.next()) || exists(p.next()+".part") {
			t.Errorf("after %d steps there is %s", n, kept)
		}
	}
}

// spoil makes a file one that cannot be walked: a body that is not JSON, in a page that
// the WAL does not have.
func spoil(t *testing.T, path string) {
	t.Helper()
	b, err := os.ReadFile(path)
	must(err)
	must(os.WriteFile(path, []byte(strings.ReplaceAll(string(b), `{"Search":`, `["Search":`)), 0o600))
}

// A database that is empty or gone beside its WAL: SQLite would destroy that.
func TestLogWithoutItsDatabaseIsRead(t *testing.T) {
	lose := map[string]func(path string) error{
		"empty": func(path string) error { return os.Truncate(path, 0) },
		"gone":  os.Remove,
	}
	for how, lose := range lose {
		t.Run(how+", folded in before", func(t *testing.T) {
			dir, first, _ := inUse(t)
			must(lose(filepath.Join(dir, fileName)))
			o := open(t, dir)
			if !o.Restored || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "2026-11-29") {
				t.Errorf("opened with %+v", o)
			}
			same(t, "records", o.Memory.Records, first.Records)
			waits(t, o)
			keptLog(t, dir)
		})
		t.Run(how+", folded in before, without a backup", func(t *testing.T) {
			dir, _, _ := inUse(t)
			must(errors.Join(lose(filepath.Join(dir, fileName)), os.RemoveAll(filepath.Join(dir, "backups"))))
			o := open(t, dir)
			if !o.Restored || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "afresh") {
				t.Errorf("opened with %+v", o)
			}
			waits(t, o)
			keptLog(t, dir)
		})
		t.Run(how+", never folded in", func(t *testing.T) {
			from := t.TempDir()
			b, err := writable(t.Context(), place{dir: from}) // as Notifio made its file once
			must(err)
			defer b.close()
			c := fullChange()
			c.Alerts, c.Messages = append(c.Alerts, waitingInTheLog), append(c.Messages, messageInTheLog)
			must(b.write(t.Context(), func(w writer) error { return w.change(c) }))
			dir := filepath.Join(t.TempDir(), "killed")
			copyFolder(t, from, dir)
			must(lose(filepath.Join(dir, fileName)))
			o := open(t, dir)
			if o.Restored || len(o.Notes) != 1 {
				t.Errorf("opened with %+v", o)
			}
			same(t, "records", o.Memory.Records, c.Records)
			same(t, "hosts", o.Memory.Hosts, c.Hosts)
			waits(t, o)
			keptLog(t, dir)
		})
	}
}

func keptLog(t *testing.T, dir string) {
	t.Helper()
	bad, err := filepath.Glob(filepath.Join(dir, "*.bad-*-wal"))
	if err != nil || len(bad) != 1 {
		t.Errorf("of the log there is %v, %v", bad, err)
	}
}

func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		t.Fatal(err)
	}
}
