package store

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"notifio.app/notifio/monitor"
)

// journalName is the journal of replies in the data folder. It is outside the
// database on purpose: a backup that is put back forgets what happened since,
// and a reply must not be sent again for that.
const journalName = "replies.jsonl"

// The types are the monitor's, who decides what is written.
type (
	ReplyEvent = monitor.ReplyEvent
	Entry      = monitor.ReplyEntry
)

// The events; this package knows the meaning of the last two.
const (
	ReplyAbout   = monitor.ReplyAbout
	ReplySent    = monitor.ReplySent
	ReplyFailed  = monitor.ReplyFailed
	ReplySkipped = monitor.ReplySkipped
	ReplyHold    = monitor.ReplyHold
	ReplyRelease = monitor.ReplyRelease
)

// seal ends a line that a crash or a full disk has cut, so that it spoils no other
// and is known for what it is: nobody was told that it was written.
const seal = "#torn\n"

// Replies is what a journal tells.
type Replies struct {
	Entries []Entry          // all of them, in the order in which they were written
	Last    map[string]Entry // by Entry.Key
	// Held says that sending waits for the user's click: a hold was written and no
	// release since, or lines in the middle of the journal cannot be read, so that
	// nobody knows what was sent.
	Held bool
	// Unreadable counts those lines. One that was torn in writing is not among
	// them: it was never acknowledged.
	Unreadable int
	// Made says that there was no journal before.
	Made bool
}

// Journal is the append-only record of replies. It is safe for use from several
// goroutines.
type Journal struct {
	mu   sync.Mutex
	file *os.File
	torn bool // the end of the file is not the end of a line
}

// OpenJournal opens the journal in dir, which must exist, makes it when it is not
// there, and reads it. It never changes what is written. An error wraps ErrDisk:
// then no reply may be sent.
func OpenJournal(dir string) (*Journal, Replies, error) {
	path := filepath.Join(dir, journalName)
	replies, torn, err := readJournal(path)
	if err != nil {
		return nil, replies, fmt.Errorf("read the journal of replies: %w: %w", ErrDisk, err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, replies, fmt.Errorf("open the journal of replies: %w: %w", ErrDisk, err)
	}
	_ = f.Chmod(0o600) // a copy that somebody put back may have another mode
	if err := syncFolder(dir); err != nil {
		f.Close()
		return nil, replies, fmt.Errorf("open the journal of replies: %w: %w", ErrDisk, err)
	}
	return &Journal{file: f, torn: torn}, replies, nil
}

// Write appends e and returns when it is on the disk. After an error, which wraps
// ErrDisk, it may be there or not: an "about" that failed is no leave to click.
func (j *Journal) Write(e Entry) error {
	e.At = storable(e.At)
	line, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("write to the journal of replies: %w", err)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	line = append(line, '\n')
	if j.torn {
		line = append([]byte(seal), line...)
	}
	j.torn = true // until all of it is written
	if _, err = j.file.Write(line); err == nil {
		j.torn = false
		err = j.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("write to the journal of replies: %w: %w", ErrDisk, err)
	}
	return nil
}

// ReadReplies reads the journal in dir, which may belong to a Notifio that is
// running. One that is not there tells nothing.
func ReadReplies(dir string) (Replies, error) {
	replies, _, err := readJournal(filepath.Join(dir, journalName))
	if err != nil {
		return replies, fmt.Errorf("read the journal of replies: %w: %w", ErrDisk, err)
	}
	return replies, nil
}

// Close closes the file; what was written is safe without it.
func (j *Journal) Close() error {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.file.Close()
}

func readJournal(path string) (r Replies, torn bool, err error) {
	r.Last = make(map[string]Entry)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		r.Made = true
		return r, false, nil
	}
	if err != nil {
		return r, false, err
	}
	defer f.Close()
	for lines := bufio.NewReader(f); ; {
		line, err := lines.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return r, false, err
		}
		if whole, sealed := bytes.CutSuffix(line, []byte(seal)); sealed || err != nil {
			_ = r.add(whole) // all that a torn one may lack is its end
		} else if r.add(line) != nil {
			r.Unreadable++
			r.Held = true
		}
		if err != nil {
			return r, len(line) > 0, nil
		}
	}
}

// add takes in one line.
func (r *Replies) add(line []byte) error {
	var e Entry
	if err := json.Unmarshal(line, &e); err != nil {
		return err
	}
	r.Entries = append(r.Entries, e)
	switch e.Event {
	case ReplyHold:
		r.Held = true
	case ReplyRelease:
		r.Held = false // the user knows, and takes it from here
	default:
		r.Last[e.Key] = e
	}
	return nil
}
