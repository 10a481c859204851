package config

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// following runs a Watcher and keeps what it said, in order: `changed: names of
// the searches` or `failed: text`.
type following struct {
	t    *testing.T
	file string
	said chan string
	log  lines
}

type lines struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) { l.mu.Lock(); defer l.mu.Unlock(); return l.b.Write(p) }
func (l *lines) count(s string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Count(l.b.String(), s)
}

// follow starts from what is in the file. Only notices lead to a reading, unless
// adjust says otherwise.
func follow(t *testing.T, file string, adjust func(*Watcher)) *following {
	t.Helper()
	f := &following{t: t, file: file, said: make(chan string, 1000)}
	w := Watcher{
		File: file, Debounce: 20 * time.Millisecond, Look: time.Hour, Confirm: 50 * time.Millisecond, Absent: 50 * time.Millisecond,
		Changed: func(c Config) { f.said <- "changed: " + names(c) },
		Failed:  func(err error) { f.said <- "failed: " + err.Error() },
		Log:     slog.New(slog.NewTextHandler(&f.log, nil)),
	}
	w.Good, w.Trouble = Load(file)
	if adjust != nil {
		adjust(&w)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); w.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		<-done
		goleak.VerifyNone(t)
	})
	return f
}

func names(c Config) string {
	var out []string
	for _, s := range c.Searches {
		out = append(out, s.Name)
	}
	return strings.Join(out, ", ")
}

// hears waits until exactly want is said, and nothing else before it.
func (f *following) hears(want string) {
	f.t.Helper()
	select {
	case got := <-f.said:
		if got != want {
			f.t.Fatalf("said  %s\nafter %s", got, want)
		}
	case <-time.After(20 * time.Second):
		f.t.Fatalf("never said: %s", want)
	}
}

// settlesAt waits until want is said, whatever was said on the way there.
func (f *following) settlesAt(want string) (before int) {
	f.t.Helper()
	for deadline := time.After(20 * time.Second); ; before++ {
		select {
		case got := <-f.said:
			if got == want {
				return before
			}
		case <-deadline:
			f.t.Fatalf("never said: %s", want)
		}
	}
}

// write replaces the file in one step, so that nothing between is ever read.
func (f *following) write(text string) {
	f.t.Helper()
	must(f.t, replace(f.file+".tmp", f.file, text))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func search(name string) string {
	return "[[search]]\nname = \"" + name + "\"\nurl = \"demo:" + name + "\"\n"
}

func configFile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "notifio", "notifio.toml")
	must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	must(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// editors save a file by the system calls of the programs they are named after.
var editors = map[string]func(file, text string) error{
	"vim": func(file, text string) error {
		probe := filepath.Join(filepath.Dir(file), "4913") // may files be made here?
		return errors.Join(os.WriteFile(probe, nil, 0o600), os.Remove(probe),
			os.Rename(file, file+"~"), fill(file, text, os.O_CREATE|os.O_EXCL), os.Chmod(file, 0o600), os.Remove(file+"~"))
	},
	"nano": func(file, text string) error { return fill(file, text, os.O_CREATE|os.O_TRUNC) },
	"code": func(file, text string) error { return errors.Join(os.Truncate(file, 0), fill(file, text, 0)) },
	"sed -i": func(file, text string) error {
		return replace(filepath.Join(filepath.Dir(file), "sedx7Pq2"), file, text)
	},
	"gedit": func(file, text string) error {
		return replace(filepath.Join(filepath.Dir(file), ".goutputstream-X"), file, text)
	},
	"emacs":    func(file, text string) error { os.Link(file, file+"~"); return replace(file+".tmp", file, text) },
	"a script": func(file, text string) error { return errors.Join(os.Remove(file), fill(file, text, os.O_CREATE)) },
}

// fill writes in two pieces, as a buffered writer does.
func fill(file, text string, how int) error {
	f, err := os.OpenFile(file, os.O_WRONLY|how, 0o600)
	if err != nil {
		return err
	}
	_, first := f.WriteString(text[:len(text)/2])
	_, second := f.WriteString(text[len(text)/2:])
	return errors.Join(first, second, f.Sync(), f.Close())
}

func replace(temp, file, text string) error {
	return errors.Join(fill(temp, text, os.O_CREATE|os.O_EXCL), os.Chmod(temp, 0o600), os.Rename(temp, file))
}
