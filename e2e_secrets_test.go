//go:build linux

package main

import (
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/internal/fake/portal"
)

// A day with everything in it that could make a program say too much: the mail
// server takes no login, a portal refuses, the browser is killed, a bad edit of the
// file, and at the end the program's own crash. The password and the portal's
// cookie are in nothing that was written, shown or sent.
func TestSecretsStaySecret(t *testing.T) {
	w := newWorld(t)
	host := w.portal.Host("a")
	rooms, others := w.rooms("a", 20), w.rooms("b", 20)
	rooms.Answer(host.Welcome())
	text := w.file("1s", wanted{"Rooms", rooms.URL()}, wanted{"Others", others.URL()})
	w.configure(text)
	p := w.watching(2)
	tree := descendants(p.cmd.Process.Pid)

	w.inbox.Fail(inbox.AtAuth, inbox.Fault{Reply: "535 5.7.8 " + password + " is not the password of " + ana})
	rooms.ShowRange(21, 1).Answer(host.Welcome())
	p.awaitLog("[notify] Failed to send", 1)
	w.desk.AwaitItem("Email failed")
	if err := syscall.Kill(chromium(t, tree).pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.asked("a", 2)
	others.Answer(portal.Refused(""))
	w.row("Others", "refused")
	w.configure(strings.Replace(text, "password = ", "password : ", 1))
	w.desk.AwaitItem("notifio.toml:")
	w.inbox.Heal()
	w.configure(text + "\n# mended\n")
	others.ShowRange(20, 1)
	w.mails(1)
	tree = append(tree, descendants(p.cmd.Process.Pid)...)

	menu := w.desk.Menu()
	said := map[string]string{"the menu": strings.Join(menu.Lines(), "\n")}
	for _, process := range tree {
		said["the command line of a process"] += process.command() + "\n"
	}
	for _, m := range w.inbox.Messages() {
		said["an email"] += string(m.Raw)
	}
	for _, c := range w.inbox.State().Connections {
		said["what went over the wire"] += string(c.Wire)
	}
	for _, b := range w.desk.Banners() {
		said["a banner"] += b.Title + "\n" + b.Body + "\n"
	}
	for _, args := range [][]string{{"doctor"}, {"report"}, {"check"}} {
		_, said["the output of "+args[0]] = w.run(args...)
	}
	if err := p.cmd.Process.Signal(syscall.SIGQUIT); err != nil { // Go's own crash, with all stacks
		t.Fatal(err)
	}
	p.exit()
	awaitEnds(t, family(w.home))
	if said["what it printed"] = p.out.String(); !strings.Contains(p.out.String(), "goroutine ") {
		t.Errorf("there are no stacks in the crash: %s", p.out.String())
	}
	w.everyFile(func(name string, mode fs.FileMode, content string) {
		if mode&0o077 != 0 {
			t.Errorf("others may read %s: %v", name, mode)
		}
		if filepath.Base(name) != "notifio-session-cookies.json" { // what it is for
			said["the file "+name] = content
		}
	})

	for what, text := range said {
		for _, secret := range []string{password, base64.StdEncoding.EncodeToString([]byte("\x00" + ana + "\x00" + password)),
			base64.StdEncoding.EncodeToString([]byte(password)), host.Session()} {
			if strings.Contains(text, secret) {
				t.Errorf("%q is in %s", secret, what)
			}
		}
	}
	if len(said) < 10 || said["an email"] == "" || said["a banner"] == "" || host.Session() == "" {
		t.Errorf("only these were looked at: %d", len(said))
	}
}

// everyFile is called for all that is in the data folder, but for the files of the
// browser's own, whose folder is closed to others.
func (w *world) everyFile(visit func(name string, mode fs.FileMode, content string)) {
	w.t.Helper()
	err := filepath.WalkDir(w.data(), func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, _ := filepath.Rel(w.data(), path)
		profile := filepath.Dir(name) == "browser"
		switch {
		case d.IsDir() && profile:
			return fs.SkipDir
		case d.IsDir():
			visit(name, info.Mode().Perm(), "")
			return nil
		case !d.Type().IsRegular(), profile && !strings.HasPrefix(d.Name(), "notifio-"):
			return nil
		}
		content, err := os.ReadFile(path)
		visit(name, info.Mode().Perm(), string(content))
		return err
	})
	if err != nil {
		w.t.Fatal(err)
	}
}
