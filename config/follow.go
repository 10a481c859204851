package config

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// follower decides what each state of the file means. It belongs to the
// goroutine in Watcher.Run.
type follower struct {
	Watcher
	good    Config
	started bool      // there is a good one
	seen    reading   // the state that was judged last
	judged  bool      // there is one
	trouble string    // what Failed was last told; "" when the file is fine
	held    time.Time // since when seen waits for its confirmation; zero: it does not
}

// differs says whether the file is not as it was judged.
func (f *follower) differs() bool { return !f.judged || !same(read(f.File), f.seen) }

func same(a, b reading) bool {
	return a.data == b.data && a.shared == b.shared && a.fault == b.fault
}

// look reads the file and acts on what is new in it. It returns how long a file
// that wants a second look is to be left alone; 0 for any other.
func (f *follower) look(now time.Time) (again time.Duration) {
	r := read(f.File)
	if f.judged && same(r, f.seen) {
		if f.held.IsZero() {
			return 0
		}
	} else {
		f.held = time.Time{}
	}
	f.seen, f.judged = r, true
	next, err := r.config(f.File)
	if err != nil {
		if wait := f.hold(now, f.Absent); wait > 0 && errors.Is(err, fs.ErrNotExist) {
			return wait // it may be a save by renaming
		}
		f.held = time.Time{}
		f.fail(err)
		return 0
	}
	if gone := lost(f.good.Searches, next.Searches); len(gone) > 0 {
		switch cutOff(f.good.source, next.source) {
		case midLine:
			f.fail(Problems{f.cutProblem(next, gone)})
			return 0
		case lineEnd:
			if wait := f.hold(now, f.Confirm); wait > 0 {
				return wait
			}
			next.Warnings = append(next.Warnings, f.shorter(next, gone))
		}
	}
	f.held = time.Time{}
	f.accept(next)
	return 0
}

// hold is how long the present state has still to stay as it is.
func (f *follower) hold(now time.Time, length time.Duration) time.Duration {
	if f.held.IsZero() {
		f.held = now
	}
	return length - now.Sub(f.held)
}

func (f *follower) fail(err error) {
	if text := err.Error(); text != f.trouble {
		f.trouble = text
		f.Failed(err)
	}
}

func (f *follower) accept(next Config) {
	news := !f.started || f.trouble != "" || !equal(f.good, next)
	f.good, f.started, f.trouble = next, true, ""
	if news {
		f.Changed(next)
	}
}

// equal compares what the user wrote and what there is to say about it.
func equal(a, b Config) bool {
	return bytes.Equal(a.source, b.source) && slices.EqualFunc(a.Warnings, b.Warnings, func(p, q Problem) bool {
		return p.Error() == q.Error()
	})
}

// cut says whether a text is the beginning of the one before.
type cut int

const (
	notCut  cut = iota
	lineEnd     // a save that was cut short, or somebody who removed the last lines
	midLine     // the same, but nobody leaves half a line on purpose
)

func cutOff(before, after []byte) cut {
	kept := bytes.TrimRight(after, " \t\r\n")
	switch {
	case len(kept) >= len(bytes.TrimRight(before, " \t\r\n")) || !bytes.HasPrefix(before, kept):
		return notCut
	case len(kept) == len(after) && !bytes.ContainsAny(before[len(kept):len(kept)+1], " \t\r\n"):
		return midLine
	}
	return lineEnd
}

// lost names the enabled searches that are no more.
func lost(before, after []monitor.Search) []string {
	var gone []string
	for _, s := range before {
		still := slices.ContainsFunc(after, func(t monitor.Search) bool { return t.URL == s.URL })
		if s.Enabled && !still {
			gone = append(gone, quote(s.Name))
		}
	}
	return gone
}

func (f *follower) cutProblem(next Config, gone []string) Problem {
	return Problem{File: f.File, Line: lastLine(next),
		Text: "the file ends in the middle of this line, and search " + strings.Join(gone, ", ") +
			" is gone: save it once more; if it is meant to end here, with a line break at its end"}
}

func (f *follower) shorter(next Config, gone []string) Problem {
	return Problem{File: f.File, Line: lastLine(next),
		Text: "the file now ends here, and search " + strings.Join(gone, ", ") + " is no longer watched"}
}

func lastLine(c Config) int {
	return bytes.Count(bytes.TrimRight(c.source, " \t\r\n"), []byte("\n")) + 1
}
