//go:build linux

package main

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// No password is known when the first news comes. `notifio password` puts it into
// the keyring, and the Notifio that is running sends at once what it could not.
func TestPasswordFromTheKeyringReachesTheRunningNotifio(t *testing.T) {
	daemon, err := exec.LookPath("gnome-keyring-daemon")
	if err != nil {
		t.Skip("gnome-keyring-daemon is not installed; the mail package asks a fake keyring")
	}
	w := newWorld(t)
	w.startKeyring(daemon)
	rooms := w.rooms("a", 20)
	line := "password = \"" + password + "\"\n"
	w.configure(strings.Replace(w.file("10m", wanted{"Rooms", rooms.URL()}), line, "", 1))
	p := w.watching(1)
	rooms.ShowRange(21, 1)
	w.checkNow()
	failed := p.awaitLog("[notify] Failed to send", 1)[0]
	if !strings.Contains(failed, "notifio password") {
		t.Errorf("the log does not say what to do: %s", failed)
	}
	w.stdin = password + "\n"
	code, out := w.run("password")
	if code != exitFine || strings.Contains(out, password) {
		t.Fatalf("exit %d, %q", code, out)
	}
	w.lastNews(1, rooms, 21)
	if code, out := w.run("test-mail"); code != exitFine {
		t.Errorf("test-mail: exit %d, %q", code, out)
	}
	if mail := w.mails(2)[1]; mail.Login != ana || !mail.TLS {
		t.Errorf("the test came with the login %q, TLS %v", mail.Login, mail.TLS)
	}
	if strings.Contains(p.log(), password) {
		t.Error("the password is in the log")
	}
}

// startKeyring starts an unlocked keyring on the world's bus, with files of its own.
func (w *world) startKeyring(path string) {
	w.t.Helper()
	bus, err := dbus.Connect(w.desk.Address())
	if err != nil {
		w.t.Fatal(err)
	}
	defer bus.Close()
	owners := make(chan *dbus.Signal, 64)
	bus.Signal(owners)
	const name, change = "org.freedesktop.secrets", "org.freedesktop.DBus.NameOwnerChanged"
	if err := bus.AddMatchSignal(dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, name)); err != nil {
		w.t.Fatal(err)
	}
	keyring := exec.Command(path, "--foreground", "--unlock", "--components=secrets")
	keyring.Env = w.env()
	keyring.Stdin = strings.NewReader("\n")
	if err := keyring.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() {
		_ = keyring.Process.Kill()
		_ = keyring.Wait()
	})
	late := time.After(patience)
	for {
		select {
		case s := <-owners:
			if s.Name == change && s.Body[0] == name && s.Body[2] != "" {
				return
			}
		case <-late:
			w.t.Fatal("the keyring did not start")
		}
	}
}
