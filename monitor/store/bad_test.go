package store

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A disk that dies spoils the file again and again: the last three spoilt ones stay to
// be looked into, and it is said which are gone.
func TestThreeDamagedFilesAreKept(t *testing.T) {
	dir, _, _ := yesterdayAndToday(t)
	mine := filepath.Join(dir, "notifio.db.bad-of-mine")
	if err := os.Mkdir(mine, 0o700); err != nil {
		t.Fatal(err)
	}
	spoil := func(now time.Time) (note string) {
		t.Helper()
		path := filepath.Join(dir, fileName)
		if err := os.WriteFile(path, []byte("spoilt at "+now.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := Open(t.Context(), dir, now)
		if err != nil || !o.Restored || len(o.Notes) != 1 {
			t.Fatalf("%+v, %v", o, err)
		}
		works(t, o.Store)
		if err := o.Store.Close(); err != nil {
			t.Fatal(err)
		}
		return o.Notes[0]
	}
	name := func(day int) string {
		return fileName + ".bad-" + noon.AddDate(0, 0, day).Local().Format("20060102-150405")
	}
	wal := filepath.Join(dir, name(-1)+"-wal")
	if err := os.WriteFile(wal, []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	var notes []string
	for day := range 5 {
		notes = append(notes, spoil(noon.AddDate(0, 0, day)))
	}
	if strings.Contains(notes[1], "removed") || !strings.Contains(notes[2], "removed: "+name(-1)+".") || !strings.Contains(notes[4], "removed: "+name(1)+".") {
		t.Errorf("it says %q, and in the end %q", notes[1], notes[4])
	}
	p := place{dir: dir}
	same(t, "kept", p.bad(), []string{name(2), name(3), name(4)})
	if exists(wal) {
		t.Error("what belonged to a removed one is still there")
	}
	spoil(noon.AddDate(-1, 0, 0)) // the clock is wrong: what was spoilt just now stays
	if newest := noon.AddDate(-1, 0, 0).Local().Format("20060102-150405"); !exists(filepath.Join(dir, fileName+".bad-"+newest)) {
		t.Error("the newest was removed")
	}
	if !exists(mine) {
		t.Error("what is not ours was removed")
	}
}
