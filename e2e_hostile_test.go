//go:build linux

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"notifio.app/notifio/internal/fake/portal"
)

// evilTitles are what portals have written into a headline, or could.
var evilTitles = []string{
	`<script>alert(1)</script> Top_Lage [WBS] <3 Zi.> & "Süd" $(x) ]]> *`,
	"{{.Message}} `touch x` ${HOME} %s =?UTF-8?Q?=0D=0ABcc:_eve@example.com?= 🏠👩\u200d👧",
	"One\r\nBcc: eve@example.com\r\n\r\n\u202Egnp.exe\u202C " + strings.Repeat("long ", 2000),
}

// asShown are the beginnings of these titles once they are one line of text.
var asShown = []string{evilTitles[0], "{{.Message}} `touch x` ${HOME} %s =?UTF-8?Q?=0D=0ABcc:_eve@example.com?= 🏠👩", "One Bcc: eve@example.com gnp.exe long long"}

// Such titles go through the whole of Notifio: page, database, banner, menu, email,
// reply, journal, log, report and doctor. Everywhere they are text and nothing else.
func TestHostileTitlesAreTextEverywhere(t *testing.T) {
	w, rooms, host, p := replyWorld(t, "send", "")
	page := make([]portal.Room, 0, 23)
	for i, title := range evilTitles {
		page = append(page, portal.Room{ID: 23 - i, Title: title, Address: title})
	}
	for _, id := range portal.Range(20, 1) {
		page = append(page, portal.Room{ID: id})
	}
	rooms.Rooms(page...)
	p.awaitLog("Told 3 listings", 1)

	mail := w.mails(1)[0]
	head, _, _ := strings.Cut(strings.ReplaceAll(string(mail.Raw), "\r\n", "\n"), "\n\n")
	if strings.Contains(head, "\nBcc") || len(mail.To) != 1 || strings.Contains(mail.HTML(), "<script") {
		t.Errorf("the email has a head of\n%s\nand goes to %v", head, mail.To)
	}
	banners := w.desk.AwaitBanners(3)
	for _, title := range asShown {
		start := string([]rune(title)[:30])
		if !strings.Contains(mail.Text(), start) {
			t.Errorf("the email does not tell %q:\n%s", start, mail.Text())
		}
		shown := false
		for _, b := range banners {
			oneLine(t, "banner", b.Title)
			shown = shown || strings.Contains(b.Title, start)
		}
		if !shown {
			t.Errorf("no banner tells %q: %+v", start, banners)
		}
		w.desk.AwaitItem("New listings (3)", "€ 1000 per month · "+start)
	}

	for _, got := range host.AwaitWritten(t.Context(), 3) {
		if !slices.ContainsFunc(asShown, func(s string) bool {
			return strings.HasPrefix(got.Text, "I would like to see "+string([]rune(s)[:30]))
		}) || len(got.Text) > 3000 {
			t.Errorf("the landlord read %q", got.Text)
		}
	}
	p.awaitLog("Replied to", 3)
	for line := range strings.Lines(w.journal()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("the journal has %q", line)
		}
	}
	for line := range strings.Lines(p.log()) {
		oneLine(t, "log", strings.TrimSuffix(line, "\n"))
		if !strings.HasPrefix(line, "time=20") {
			t.Errorf("a line of the log: %q", line)
		}
	}
	for _, command := range []string{"reply --list", "report --no-open", "doctor"} {
		code, out := w.run(strings.Fields(command)...)
		if code != exitFine {
			t.Errorf("%s: exit %d: %s", command, code, out)
		}
		for line := range strings.Lines(out) {
			oneLine(t, command, strings.TrimSuffix(line, "\n"))
		}
		if command == "doctor" && strings.Contains(out, "alert(1)") {
			t.Errorf("doctor tells of homes: %s", out)
		}
	}
	html, err := os.ReadFile(w.data() + "/report.html")
	if err != nil || strings.Contains(string(html), "<script>alert") {
		t.Errorf("the report holds the script, or %v", err)
	}
	if n := len(host.Written()); n != 3 {
		t.Errorf("%d messages to landlords", n)
	}
	private(t, w.data())
}

// oneLine fails unless s is text that moves no cursor and turns no line around.
func oneLine(t *testing.T, where, s string) {
	t.Helper()
	if !utf8.ValidString(s) || strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069
	}) {
		t.Errorf("%s: %.300q", where, s)
	}
}

// A record of the log is one line, whatever is in its message or its facts.
func TestRecordOfTheLogIsOneLine(t *testing.T) {
	t.Parallel()
	p := place{data: t.TempDir()}
	log, file := p.log()
	for _, title := range append(evilTitles, "\x00\x1b[2J\u009b\xff", "\u2028x\u2029", `"quoted" = \n`) {
		log.Warn(title, "title", title, title, fmt.Errorf("mail: %s", title))
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(p.logFile())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		oneLine(t, "log", strings.TrimSuffix(line, "\n"))
		if !strings.HasPrefix(line, "time=20") {
			t.Errorf("line %q", line)
		}
	}
	if n != len(evilTitles)+3 {
		t.Errorf("%d lines", n)
	}
}

// The activity log is bounded: a trouble that is told over and over does not fill the
// disk.
func TestActivityLogIsBounded(t *testing.T) {
	t.Parallel()
	p := place{data: t.TempDir()}
	_, file := p.log()
	for range 45 { // a megabyte each
		if _, err := file.(io.Writer).Write(bytes.Repeat([]byte("a line\n"), 150_000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	look := time.NewTicker(10 * time.Millisecond) // the old ones are removed beside the program
	defer look.Stop()
	late := time.After(patience)
	for {
		size, files := int64(0), 0
		for _, info := range filesBelow(t, p.data) {
			size, files = size+info.Size(), files+1
		}
		if files <= 4 && size <= 20<<20 {
			break
		}
		select {
		case <-look.C:
		case <-late:
			t.Fatalf("%d files of %d bytes", files, size)
		}
	}
	private(t, p.data)
}

// filesBelow are all files and folders in dir, the browser's own left out.
func filesBelow(t *testing.T, dir string) map[string]fs.FileInfo {
	t.Helper()
	all := map[string]fs.FileInfo{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() && d.Name() == "browser" {
			all[path] = info
			return fs.SkipDir
		}
		if path != dir {
			all[path] = info
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// private fails unless everything in dir is for its owner alone.
func private(t *testing.T, dir string) {
	t.Helper()
	for path, info := range filesBelow(t, dir) {
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", path, info.Mode())
		}
	}
}
