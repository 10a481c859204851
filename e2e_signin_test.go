//go:build linux

package main

import (
	"strings"
	"testing"

	"notifio.app/notifio/internal/fake/screen"
)

// A portal's session ends in the middle of the day. The user signs in again in the
// window, closes it, and hears of the room that came meanwhile.
func TestSessionThatEndsIsRenewedInTheWindow(t *testing.T) {
	w := newWorld(t)
	s := screen.Start(t)
	w.screen = s.Display()
	host := w.portal.Host("a")
	rooms := w.rooms("a", 20)
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}, wanted{"Others", w.rooms("b", 20).URL()}))
	p := w.watching(2)
	rooms.Answer(host.Members())
	w.row("Rooms", "signed out: sign in again")
	rooms.ShowRange(21, 1).Answer(host.Members())

	w.desk.Click("Rooms — ", "Sign in…")
	window := s.Window("Sign in")
	w.desk.AwaitItem("Signing in…")
	others := len(w.portal.Requests("b"))
	if code, out := w.run("sign-in", "Rooms"); code != exitTrouble || !strings.Contains(out, "a.localhost") {
		t.Errorf("a second window: exit %d, %q", code, out)
	}
	window.Click(600, 700)
	s.Press("Tab")
	s.Type("ana@example.com")
	s.Press("Tab")
	s.Type("open sesame")
	s.Press("Return")
	s.Window("Rooms to rent")
	if now := len(w.portal.Requests("b")); now != others {
		t.Errorf("the other host was asked %d times with the window open", now-others)
	}
	window.Close()

	w.lastNews(1, rooms, 21)
	w.row("Rooms", "21 listings")
	p.awaitLog("The sign-in window is closed", 1)
	if n := host.Logins(); n != 1 {
		t.Errorf("the login form came %d times, want the user's one", n)
	}
	host.EndSessions()
	w.row("Rooms", "signed out: sign in again")
	if n := host.Logins(); n != 1 {
		t.Errorf("Notifio has filled in the login form")
	}
	for _, line := range []string{p.log(), p.out.String()} {
		if strings.Contains(line, "sesame") {
			t.Error("the password is in what the program wrote")
		}
	}
}

// Without a Notifio that runs, the command opens the window itself; the next start
// has the session.
func TestSignInCommandWithoutARunningNotifio(t *testing.T) {
	w := newWorld(t)
	s := screen.Start(t)
	host := w.portal.Host("a")
	rooms := w.rooms("a", 20)
	rooms.Answer(host.Members())
	w.configure(w.file("1s", wanted{"Rooms", rooms.URL()}))
	if code, out := w.run("sign-in", "nowhere.example"); code != exitTrouble || !strings.Contains(out, "Rooms (a.localhost)") {
		t.Errorf("an unknown host: exit %d, %q", code, out)
	}
	if code, out := w.run("sign-in", "a.localhost"); code != exitTrouble || !strings.Contains(out, "no display") {
		t.Errorf("without a display: exit %d, %q", code, out)
	}
	w.screen = s.Display()
	p := w.start("sign-in", "a.localhost")
	window := s.Window("Sign in")
	window.Click(600, 700)
	s.Press("Tab")
	s.Type("ana@example.com")
	s.Press("Return")
	s.Window("Rooms to rent")
	window.Close()
	if code := p.exit(); code != exitFine {
		t.Fatalf("exit %d: %s", code, p.out.String())
	}
	w.watching(1)
	w.row("Rooms", "20 listings")
}
