package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// It is looked at while a Notifio works on it.
func TestInspectTellsTheLastCheckOfEachSearch(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	if err := s.Backup(t.Context(), noon); err != nil {
		t.Fatal(err)
	}
	check := func(search string, at time.Time, v monitor.Verdict, reason string, listings int) {
		save(t, s, monitor.Change{Checks: []monitor.CheckRecord{{Search: search, At: at, Verdict: v, Reason: reason, Listings: listings}}})
	}
	check("https://a.example/", noon, monitor.Refused, "answered 429", 0)
	check("https://b.example/", noon, monitor.Results, "a results page", 7)
	check("https://a.example/", noon.Add(time.Minute), monitor.Results, "a results page", 20)
	writeLate(t, s)
	h, err := Inspect(t.Context(), dir, noon)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "last checks", h.Last, []monitor.CheckRecord{
		{Search: "https://a.example/", At: noon.Add(time.Minute), Verdict: monitor.Results, Reason: "a results page", Listings: 20},
		{Search: "https://b.example/", At: noon, Verdict: monitor.Results, Reason: "a results page", Listings: 7},
	})
	if h.Size == 0 || h.Schema != len(migrations) || h.Backup.IsZero() {
		t.Errorf("%+v", h)
	}
}

func TestInspectSaysWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	if _, err := Inspect(t.Context(), dir, noon); err == nil || !strings.Contains(err.Error(), "first start") {
		t.Errorf("an empty folder: %v", err)
	}
	file := filepath.Join(dir, fileName)
	if err := os.WriteFile(file, []byte(strings.Repeat("not a database ", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := Inspect(t.Context(), dir, noon)
	if !errors.Is(err, ErrDamaged) || h.Size != 15000 {
		t.Errorf("another file: %+v, %v", h, err)
	}
	if text, err := os.ReadFile(file); err != nil || len(text) != 15000 {
		t.Errorf("the file was changed: %d bytes, %v", len(text), err)
	}
}
