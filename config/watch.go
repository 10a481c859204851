package config

import (
	"context"
	"log/slog"
	"time"

	"github.com/fsnotify/fsnotify"
)

// The paces of a Watcher. An editor's save is several events within a few
// milliseconds; the look is for what notices do not reach: a link's target, a
// network drive, a folder that was made again.
const (
	defaultDebounce = 300 * time.Millisecond
	defaultLook     = 5 * time.Second
	defaultConfirm  = 10 * time.Second
	defaultAbsent   = 2 * time.Second
)

// Watcher follows a configuration file through edits of every kind. Whatever
// happens to the file, the configuration that runs goes on until a whole, good
// one takes its place; and the last state of the file wins.
type Watcher struct {
	File string
	Good Config // what is running: from Load, or zero when that failed
	// Trouble is what Load said in that case, so that it is not told twice.
	Trouble error

	// Changed gets each good configuration that differs from the one before. It
	// is also called, with an equal one, when a file in trouble is good again.
	// Changed and Failed are called by Run, one at a time.
	Changed func(Config)
	// Failed gets what is wrong with the file, once until it changes. The error
	// is of type Problems.
	Failed func(error)
	Log    *slog.Logger // nil: no log

	Debounce time.Duration // quiet after the last event before the file is read; 0: 300 ms
	Look     time.Duration // between looks that need no event; 0: 5 s
	// Confirm is how long a file must stay as it is when it is the beginning of
	// the one before and searches are gone: 0: 10 s.
	Confirm time.Duration
	// Absent is how long a file may be away without a word: 0: 2 s.
	Absent time.Duration

	notices func() (*fsnotify.Watcher, error) // nil: fsnotify.NewWatcher
}

// Run follows the file until ctx ends, and leaves nothing behind.
func (w Watcher) Run(ctx context.Context) {
	w = w.withDefaults()
	folder := folder{file: w.File, open: w.notices, log: w.Log}
	defer folder.close()
	folder.watch()

	f := follower{Watcher: w, good: w.Good, started: w.Good.source != nil}
	if w.Trouble != nil {
		f.trouble = w.Trouble.Error()
	}
	look := time.NewTicker(w.Look)
	defer look.Stop()
	read := time.NewTimer(w.Debounce) // an edit since Load has had no event
	defer read.Stop()
	var pending burst
	for {
		select {
		case <-ctx.Done():
			return
		case e, open := <-folder.events():
			if !open {
				folder.close()
			} else if folder.concerns(e) {
				read.Reset(pending.wait(time.Now(), w.Debounce))
			}
		case err, open := <-folder.errors():
			if open { // an overflow, for example: events are lost
				w.Log.Warn("Notices about the configuration folder are incomplete", "error", err)
				read.Reset(pending.wait(time.Now(), w.Debounce))
			}
		case <-look.C:
			folder.watch()
			if !pending.open() && f.differs() {
				read.Reset(pending.wait(time.Now(), w.Debounce))
			}
		case <-read.C:
			pending = burst{}
			if again := f.look(time.Now()); again > 0 {
				read.Reset(again)
			}
		}
	}
}

func (w Watcher) withDefaults() Watcher {
	w.Debounce = orElse(w.Debounce, defaultDebounce)
	w.Look = orElse(w.Look, defaultLook)
	w.Confirm = orElse(w.Confirm, defaultConfirm)
	w.Absent = orElse(w.Absent, defaultAbsent)
	if w.Log == nil {
		w.Log = slog.New(slog.DiscardHandler)
	}
	if w.notices == nil {
		w.notices = fsnotify.NewWatcher
	}
	return w
}

func orElse(d, standard time.Duration) time.Duration {
	if d > 0 {
		return d
	}
	return standard
}

// burst is a run of events that is waited out.
type burst struct{ since time.Time }

func (b *burst) open() bool { return !b.since.IsZero() }

// wait is how long to go on waiting after an event at now: until it has been
// quiet, but not for ever where something writes without pause.
func (b *burst) wait(now time.Time, quiet time.Duration) time.Duration {
	const patience = 10 // debounces
	if !b.open() {
		b.since = now
	}
	return max(0, min(quiet, b.since.Add(patience*quiet).Sub(now)))
}
