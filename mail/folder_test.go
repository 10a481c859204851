package mail

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/monitor"
)

func folderLetter() monitor.Letter {
	l := letter()
	l.To = monitor.FolderRecipient
	return l
}

// inFolder reads the messages of one of the three folders.
func inFolder(t *testing.T, dir, sub string) []inbox.Message {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, sub, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all []inbox.Message
	for _, name := range names {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, inbox.Message{Raw: raw})
	}
	return all
}

func TestAFolderGetsTheMessage(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data", "mail")
	seals := &sealed{}
	if err := NewFolder(dir).Deliver(t.Context(), folderLetter(), seals.seal); err != nil {
		t.Fatal(err)
	}
	got := inFolder(t, dir, "new")
	if len(got) != 1 || got[0].ID() != letter().ID || !strings.Contains(got[0].Text(), "De Pijp") ||
		!strings.Contains(got[0].HTML(), "De Pijp") || !sameText(got[0].Raw, seals.raw[0]) {
		t.Fatalf("in the folder: %+v", got)
	}
	if n := len(inFolder(t, dir, "tmp")); n != 0 {
		t.Errorf("%d files left in tmp", n)
	}
	if runtime.GOOS != "windows" {
		private(t, dir, 0o700)
		private(t, filepath.Join(dir, "new"), 0o700)
		names, _ := filepath.Glob(filepath.Join(dir, "new", "*"))
		private(t, names[0], 0o600)
	}
}

func private(t *testing.T, name string, want os.FileMode) {
	t.Helper()
	info, err := os.Stat(name)
	if err != nil || info.Mode().Perm() != want {
		t.Errorf("%s has mode %v, want %v (%v)", name, info.Mode().Perm(), want, err)
	}
}

func TestAMessageOfAnUnknownFateIsNotInTheFolderTwice(t *testing.T) {
	dir := t.TempDir()
	f, seals := NewFolder(dir), &sealed{}
	if err := f.Deliver(t.Context(), folderLetter(), seals.seal); err != nil {
		t.Fatal(err)
	}
	// A mail program has read it, and an hour later it comes again.
	names, _ := filepath.Glob(filepath.Join(dir, "new", "*"))
	if err := os.Rename(names[0], filepath.Join(dir, "cur", filepath.Base(names[0])+",S")); err != nil {
		t.Fatal(err)
	}
	f.now = func() time.Time { return time.Now().Add(time.Hour) }
	again := folderLetter()
	again.Raw = seals.raw[0]
	if err := f.Deliver(t.Context(), again, seals.seal); err != nil {
		t.Fatal(err)
	}
	if n := len(inFolder(t, dir, "new")) + len(inFolder(t, dir, "cur")); n != 1 {
		t.Errorf("%d messages", n)
	}
	again.Raw = append(bytes.Clone(again.Raw), "one listing more\r\n"...)
	if err := f.Deliver(t.Context(), again, seals.seal); err != nil {
		t.Fatal(err)
	}
	if n := len(inFolder(t, dir, "new")); n != 1 {
		t.Errorf("%d messages after another one of the same letter", n)
	}
}

func TestNothingIsInTheFolderWhenTheMessageCannotBeSaved(t *testing.T) {
	dir := t.TempDir()
	err := NewFolder(dir).Deliver(t.Context(), folderLetter(), func([]byte) error { return errors.New("disk full") })
	judge(t, err, monitor.Temporary, "nothing written", "disk full")
	if n := len(inFolder(t, dir, "new")) + len(inFolder(t, dir, "tmp")); n != 0 {
		t.Errorf("%d files", n)
	}
}

func TestAFolderThatCannotBeWrittenSaysWhatToDo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a-file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	seals := &sealed{}
	err := NewFolder(file).Deliver(t.Context(), folderLetter(), seals.seal)
	judge(t, err, monitor.Temporary, "mail folder "+file)
	if len(seals.raw) != 0 {
		t.Error("sealed although nothing could be written")
	}
}

func TestWhatACrashLeftInTmpIsThrownAway(t *testing.T) {
	dir := t.TempDir()
	f := NewFolder(dir)
	if err := f.prepare(); err != nil {
		t.Fatal(err)
	}
	for name, age := range map[string]time.Duration{"old.notifio": 37 * time.Hour, "young.notifio": time.Hour, "old.of-another-program": 37 * time.Hour} {
		path := filepath.Join(dir, "tmp", name)
		then := time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Chtimes(path, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	if err := f.Deliver(t.Context(), folderLetter(), new(sealed).seal); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "tmp", "*"))
	if len(left) != 2 {
		t.Errorf("left: %v", left)
	}
}
