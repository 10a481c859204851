package store

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"notifio.app/notifio/monitor"
)

// history is a folder's files after two days of use: a backup that has only the
// first change, and a database that has both, closed cleanly.
type history struct {
	files         fs.FS
	first, second monitor.Change
}

var twoDays = sync.OnceValue(func() history {
	dir, err := os.MkdirTemp("", "notifio-store-test-")
	must(err)
	defer os.RemoveAll(dir)
	o, err := Open(context.Background(), dir, noon)
	must(err)
	n := 0
	h := history{first: filled[monitor.Change](&n), second: filled[monitor.Change](&n)}
	for _, c := range []*monitor.Change{&h.first, &h.second} {
		untold(c)
		for i := range 100 { // several pages of them
			c.Known = append(c.Known, monitor.Known{Search: c.Known[0].Search, Key: fmt.Sprint(i), Title: strings.Repeat("x", 100)})
		}
	}
	must(o.Store.Save(context.Background(), h.first))
	must(o.Store.Backup(context.Background(), noon.AddDate(0, 0, -1)))
	must(o.Store.Save(context.Background(), h.second))
	must(o.Store.Close())
	files := fstest.MapFS{}
	must(filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		files[filepath.ToSlash(name)] = &fstest.MapFile{Data: content, Mode: 0o600}
		return err
	}))
	h.files = files
	return h
})

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// yesterdayAndToday is a folder with that history.
func yesterdayAndToday(t *testing.T) (dir string, first, second monitor.Change) {
	t.Helper()
	h := twoDays()
	dir = filepath.Join(t.TempDir(), "data")
	if err := os.CopyFS(dir, h.files); err != nil {
		t.Fatal(err)
	}
	return dir, h.first, h.second
}

// works fails unless the ledger can be written and read.
func works(t *testing.T, s *Store) {
	t.Helper()
	save(t, s, monitor.Change{Known: []monitor.Known{{Search: "works", Key: "k"}}})
	if r := recall(t, s, "works", monitor.Listing{Key: "k"}); len(r.Known) != 1 {
		t.Error("what was just saved is not there")
	}
}

func setAsideIn(t *testing.T, dir string) []string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.bad-*"))
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

// damages are ways in which a disk, or somebody, spoils the file.
var damages = []struct {
	name  string
	spoil func(path string, content []byte) error
}{
	{"truncated at 60 %", func(path string, b []byte) error { return os.WriteFile(path, b[:len(b)*6/10], 0o600) }},
	{"truncated within a page", func(path string, b []byte) error { return os.WriteFile(path, b[:len(b)-1000], 0o600) }},
	{"zeroed", func(path string, b []byte) error { return os.WriteFile(path, make([]byte, len(b)), 0o600) }},
	{"empty", func(path string, b []byte) error { return os.WriteFile(path, nil, 0o600) }},
	{"missing", func(path string, b []byte) error { return os.Remove(path) }},
	{"a directory in its place", func(path string, b []byte) error {
		return errors.Join(os.Remove(path), os.MkdirAll(filepath.Join(path, "deep"), 0o700))
	}},
	{"not a database", func(path string, b []byte) error {
		return os.WriteFile(path, bytes.Repeat([]byte("<html>502 Bad Gateway</html>\n"), 500), 0o600)
	}},
	{"another program's database", func(path string, b []byte) error {
		return errors.Join(os.Remove(path), execute(path, "CREATE TABLE bookmarks (url TEXT)"))
	}},
	{"a table is gone", func(path string, b []byte) error { return execute(path, "DROP TABLE stretch") }},
	{"a column is gone", func(path string, b []byte) error { return execute(path, "ALTER TABLE known DROP COLUMN how") }},
	{"a body that is not JSON", func(path string, b []byte) error { return execute(path, "UPDATE record SET body = '{'") }},
	{"its first page swapped with another", func(path string, b []byte) error {
		b = bytes.Clone(b)
		first := bytes.Clone(b[:4096])
		copy(b, b[4096:8192])
		copy(b[4096:], first)
		return os.WriteFile(path, b, 0o600)
	}},
}

// rescuable are damages that leave the alerts and messages readable.
var rescuable = map[string]bool{"a table is gone": true, "a column is gone": true, "a body that is not JSON": true}

func execute(path, statement string) error {
	db, err := sql.Open("sqlite", dsn(path, nil))
	if err != nil {
		return err
	}
	_, err = db.Exec(statement)
	return errors.Join(err, db.Close())
}

func TestDamagedFileGivesWayToTheBackup(t *testing.T) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			dir, first, second := yesterdayAndToday(t)
			path := filepath.Join(dir, fileName)
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.spoil(path, content); err != nil {
				t.Fatal(err)
			}
			o := open(t, dir)
			if !o.Restored || o.Store.Trouble() != "" || len(o.Notes) != 1 || !strings.Contains(o.Notes[0], "2026-11-29") {
				t.Errorf("opened with %+v", o)
			}
			same(t, "records", o.Memory.Records, first.Records)
			if rescuable[d.name] {
				same(t, "messages", o.Memory.Messages, append(first.Messages[:2:2], second.Messages...))
				same(t, "alerts", o.Memory.Alerts, append(first.Alerts[:2:2], second.Alerts...))
			} else if n := len(o.Memory.Messages); n < len(first.Messages) {
				t.Errorf("only %d messages are left", n)
			}
			works(t, o.Store)
			if bad := setAsideIn(t, dir); (len(bad) == 0) != (d.name == "missing") {
				t.Errorf("set aside: %v", bad)
			} else if len(bad) > 0 && !strings.Contains(o.Notes[0], filepath.Base(bad[0])) {
				t.Errorf("%q does not name %s", o.Notes[0], bad[0])
			}
			if r := recall(t, o.Store, second.Known[0].Search, monitor.Listing{Key: second.Known[0].Key}); len(r.Known) > 0 {
				t.Error("the backup knows what came after it")
			}
			o.Store.Close()
			openQuietly(t, dir)
		})
	}
}

func TestDamagedFileWithoutBackupStartsAfresh(t *testing.T) {
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			dir, _, _ := yesterdayAndToday(t)
			if err := os.RemoveAll(filepath.Join(dir, "backups")); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(dir, fileName)
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := d.spoil(path, content); err != nil {
				t.Fatal(err)
			}
			o := open(t, dir)
			rest := o.Memory
			rest.Outbox = monitor.Outbox{} // some can be read out of some damaged files
			same(t, "memory", rest, monitor.Memory{})
			// No trace of an earlier start is left in these two.
			if first := d.name == "missing" || d.name == "empty"; first == o.Restored {
				t.Errorf("opened with %+v", o)
			} else if !first && !strings.Contains(o.Notes[0], "afresh") {
				t.Errorf("it says %q", o.Notes[0])
			}
			works(t, o.Store)
		})
	}
}

// A damaged page is found, or it holds nothing that anybody reads.
func TestAnyPageFlipped(t *testing.T) {
	dir, first, _ := yesterdayAndToday(t)
	path := filepath.Join(dir, fileName)
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before := openQuietly(t, dir)
	before.Store.Close()
	const pageSize = 4096
	for n := range len(content) / pageSize {
		for _, part := range []struct {
			name     string
			from, to int
		}{{"whole", 0, pageSize}, {"tail", pageSize - 64, pageSize}} {
			spoiled := bytes.Clone(content)
			for i := part.from; i < part.to; i++ {
				spoiled[n*pageSize+i] ^= 0xff
			}
			if err := os.WriteFile(path, spoiled, 0o600); err != nil {
				t.Fatal(err)
			}
			o, err := Open(t.Context(), dir, noon)
			if err != nil {
				t.Fatalf("page %d, %s: %v", n+1, part.name, err)
			}
			works(t, o.Store)
			switch {
			case o.Restored:
				same(t, "records of the backup", o.Memory.Records, first.Records)
			case part.name == "whole":
				same(t, fmt.Sprintf("memory with page %d flipped", n+1), o.Memory, before.Memory)
			}
			o.Store.Close()
			for _, left := range append(setAsideIn(t, dir), path+"-wal", path+"-shm") {
				os.RemoveAll(left)
			}
		}
	}
}

func TestFolderWithoutLeaveToWrite(t *testing.T) {
	if runtime.GOOS == "windows" || os.Getuid() == 0 {
		t.Skip("needs a user whom the mode of a folder stops, which root is not")
	}
	dir, first, second := yesterdayAndToday(t)
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(dir, 0o700) })
	o := open(t, dir)
	if o.Store.Trouble() == "" || o.Restored {
		t.Errorf("opened with %+v", o)
	}
	same(t, "records", o.Memory.Records, append(first.Records[:2:2], second.Records...))
	works(t, o.Store)
}

func TestFailedMigrationLeavesTheVersionBefore(t *testing.T) {
	db, err := connect(dsn(filepath.Join(t.TempDir(), "x.db"), ledgerOptions()))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	steps := []string{"CREATE TABLE a (x)", "CREATE TABLE b (x); INSERT INTO a VALUES (1); CREATE TABLE a (y)"}
	if err := migrate(t.Context(), db, steps); err == nil {
		t.Fatal("the second step cannot have worked")
	}
	var version, tables, rows int
	err = db.QueryRow("SELECT (SELECT user_version FROM pragma_user_version), (SELECT count(*) FROM sqlite_schema), (SELECT count(*) FROM a)").
		Scan(&version, &tables, &rows)
	if err != nil || version != 1 || tables != 1 || rows != 0 {
		t.Errorf("version %d, %d tables, %d rows, %v", version, tables, rows, err)
	}
	steps[1] = "CREATE TABLE b (x)"
	for range 2 {
		if err := migrate(t.Context(), db, steps); err != nil {
			t.Fatal(err)
		}
	}
}
