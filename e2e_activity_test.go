package main

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
)

// patience is how long a story waits for the next event. It costs nothing when
// all is well.
const patience = 2 * time.Minute

// activity is the log of a Notifio that runs, within this process or beside it.
type activity struct {
	t     *testing.T
	data  string
	ended chan struct{} // closed when it has ended
}

// newActivity makes the data folder, so that the log is watched from its first
// line on.
func newActivity(t *testing.T, data string) activity {
	t.Helper()
	if err := os.MkdirAll(data, 0o700); err != nil {
		t.Fatal(err)
	}
	return activity{t: t, data: data, ended: make(chan struct{})}
}

func (a activity) log() string {
	text, err := os.ReadFile(filepath.Join(a.data, "activity.log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// lines are the lines of the log with this text.
func (a activity) lines(text string) []string {
	var found []string
	for line := range strings.Lines(a.log()) {
		if strings.Contains(line, text) {
			found = append(found, line)
		}
	}
	return found
}

// awaitLog waits until the log has n lines with this text, and returns them.
func (a activity) awaitLog(text string, n int) []string {
	a.t.Helper()
	changes, err := fsnotify.NewWatcher()
	if err == nil {
		err = changes.Add(a.data)
	}
	if err != nil {
		a.t.Fatal(err)
	}
	defer changes.Close()
	late := time.After(patience)
	for {
		found := a.lines(text)
		if len(found) >= n {
			return found
		}
		select {
		case <-changes.Events:
		case err := <-changes.Errors:
			a.t.Fatal(err)
		case <-a.ended:
			if len(a.lines(text)) < n {
				a.t.Fatalf("Notifio ended before its log had %d line(s) with %q", n, text)
			}
		case <-late:
			a.t.Fatalf("the log has only %d of %d line(s) with %q", len(found), n, text)
		}
	}
}

// logged is when a line of the log was written.
func (a activity) logged(line string) time.Time {
	a.t.Helper()
	stamp, _, _ := strings.Cut(strings.TrimPrefix(line, "time="), " ")
	at, err := time.Parse(time.RFC3339, stamp)
	if err != nil {
		a.t.Fatal(err)
	}
	return at
}

// speech is what a Notifio prints, while others read it.
type speech struct {
	mu      sync.Mutex
	text    strings.Builder
	changed chan struct{} // closed and replaced at every word
}

func newSpeech() *speech { return &speech{changed: make(chan struct{})} }

func (s *speech) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
	return s.text.Write(p)
}

func (s *speech) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.String()
}

// await waits until these words were said.
func (s *speech) await(t *testing.T, words string) {
	t.Helper()
	s.awaitCount(t, words, 1)
}

// awaitCount waits until these words were said n times.
func (s *speech) awaitCount(t *testing.T, words string, n int) {
	t.Helper()
	late := time.After(patience)
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		if strings.Count(s.String(), words) >= n {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("it did not say %q %d time(s) but:\n%s", words, n, s)
		}
	}
}
