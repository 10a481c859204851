package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
)

func openJournal(t *testing.T, dir string) (*Journal, Replies) {
	t.Helper()
	j, r, err := OpenJournal(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close() })
	return j, r
}

func write(t *testing.T, j *Journal, entries ...Entry) {
	t.Helper()
	for _, e := range entries {
		if err := j.Write(e); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJournalTellsTheLastOfEachListing(t *testing.T) {
	dir := t.TempDir()
	j, r := openJournal(t, dir)
	if !r.Made || r.Held || len(r.Last) > 0 {
		t.Errorf("a new journal tells %+v", r)
	}
	n := 0
	full := filled[Entry](&n)
	wrote := []Entry{
		{At: noon.UTC(), Key: "a", Recipe: "r", Event: ReplyAbout},
		{At: noon.UTC(), Key: "b", Recipe: "r", Event: ReplyAbout},
		{At: noon.UTC(), Key: "a", Recipe: "r", Event: ReplySent, Note: "Dear landlord,\n\u2028 \"hello\""},
		full,
	}
	write(t, j, wrote...)
	j.Close()
	_, r = openJournal(t, dir)
	same(t, "replies", r, Replies{Entries: wrote, Last: map[string]Entry{"a": wrote[2], "b": wrote[1], full.Key: full}})
	if info, err := os.Stat(filepath.Join(dir, journalName)); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

func TestRepliesWaitForTheUsersClickAfterAHold(t *testing.T) {
	dir := t.TempDir()
	j, _ := openJournal(t, dir)
	write(t, j, Entry{At: noon, Event: ReplyHold, Note: "a backup was put back"}, Entry{At: noon, Key: "a", Event: ReplySkipped})
	if _, r := openJournal(t, dir); !r.Held || len(r.Last) != 1 {
		t.Errorf("after a hold: %+v", r)
	}
	write(t, j, Entry{At: noon, Event: ReplyRelease})
	if _, r := openJournal(t, dir); r.Held {
		t.Errorf("after the release: %+v", r)
	}
}

// A crash can cut the last line anywhere. What was acknowledged stays, what comes
// after is read, and a cut "about" may count, since it was not followed by a click
// and at most costs one reply.
func TestTornLastLine(t *testing.T) {
	dir := t.TempDir()
	j, _ := openJournal(t, dir)
	write(t, j, Entry{At: noon.UTC(), Key: "a", Event: ReplySent}, Entry{At: noon.UTC(), Key: "b", Event: ReplyAbout})
	path := filepath.Join(dir, journalName)
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	second := strings.Index(string(whole), "\n") + 1
	for cut := second; cut < len(whole); cut++ {
		if err := os.WriteFile(path, whole[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 { // and a crash right after the next start
			j, r := openJournal(t, dir)
			if r.Held || r.Unreadable > 0 || r.Last["a"].Event != ReplySent {
				t.Fatalf("cut at %d: %+v", cut, r)
			}
			write(t, j, Entry{At: noon.UTC(), Key: "c", Event: ReplyFailed})
			j.Close()
		}
		if _, r := openJournal(t, dir); r.Held || r.Last["c"].Event != ReplyFailed || len(r.Last) > 3 {
			t.Fatalf("cut at %d, then written to: %+v", cut, r)
		}
	}
}

func TestUnreadableLinesHoldReplies(t *testing.T) {
	dir := t.TempDir()
	j, _ := openJournal(t, dir)
	write(t, j, Entry{Key: "a", Event: ReplySent}, Entry{Key: "b", Event: ReplySent}, Entry{Key: "c", Event: ReplySent})
	path := filepath.Join(dir, journalName)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(b[len(b)/3:], make([]byte, 20))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	_, r := openJournal(t, dir)
	if !r.Held || r.Unreadable == 0 || r.Last["c"].Event != ReplySent {
		t.Errorf("of a damaged journal: %+v", r)
	}
	write(t, j, Entry{Event: ReplyRelease})
	if _, r := openJournal(t, dir); r.Held {
		t.Errorf("the user's click is forgotten: %+v", r)
	}
}

func TestJournalThatCannotBeOpened(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := OpenJournal(filepath.Join(dir, "not", "there")); !errors.Is(err, ErrDisk) {
		t.Error(err)
	}
	if err := os.Mkdir(filepath.Join(dir, journalName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenJournal(dir); !errors.Is(err, ErrDisk) {
		t.Error(err)
	}
}

func TestJournalFromManyGoroutines(t *testing.T) {
	dir := t.TempDir()
	j, _ := openJournal(t, dir)
	want := map[string]Entry{}
	var all sync.WaitGroup
	for i := range 50 {
		e := Entry{At: noon.UTC(), Key: fmt.Sprint(i), Event: ReplyAbout, Note: strings.Repeat("x", 1000*(i%5))}
		want[e.Key] = e
		all.Go(func() {
			if err := j.Write(e); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if _, r := openJournal(t, dir); !reflect.DeepEqual(r.Last, want) || len(r.Entries) != 50 || r.Unreadable > 0 {
		t.Errorf("%d entries, %d unreadable", len(r.Entries), r.Unreadable)
	}
}
