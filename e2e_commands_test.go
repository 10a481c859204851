package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/internal/fake/portal"
	"notifio.app/notifio/monitor"
)

// folder is a configuration and a data folder of a test's own, for commands within
// this process.
type folder struct {
	t            *testing.T
	config, data string
}

func newFolder(t *testing.T, text string) folder {
	t.Helper()
	dir := t.TempDir()
	f := folder{t: t, config: filepath.Join(dir, "notifio.toml"), data: filepath.Join(dir, "data")}
	f.write(text)
	return f
}

func (f folder) write(text string) {
	f.t.Helper()
	if err := os.WriteFile(f.config, []byte(text+chosenBrowser()), 0o600); err != nil {
		f.t.Fatal(err)
	}
}

// invoke runs a command on these folders.
func (f folder) invoke(sys system, args ...string) said {
	f.t.Helper()
	return invoke(f.t, sys, append([]string{"--config", f.config, "--data", f.data}, args...)...)
}

func search(name, url string) string {
	return fmt.Sprintf("[[search]]\nname = %q\nurl = %q\n", name, url)
}

// `check --json` says by its exit code whether all is well, and in its output what
// each search came to and what is new.
func TestCheckExitCodesAndOutput(t *testing.T) {
	t.Parallel()
	p := portal.Start(t)
	good, bad := p.Host("good").Search("/rooms").ShowRange(20, 1), p.Host("bad").Search("/rooms").ShowRange(20, 1)
	f := newFolder(t, search("Good", good.URL())+search("Bad", bad.URL()))
	check := func(code int) (out struct {
		Searches []checked         `json:"searches"`
		New      []monitor.Listing `json:"new"`
	}) {
		t.Helper()
		got := f.invoke(system{}, "check", "--json")
		if got.code != code {
			t.Fatalf("exit %d, want %d: %s%s", got.code, code, got.out, got.err)
		}
		if err := json.Unmarshal([]byte(got.out), &out); err != nil {
			t.Fatalf("%v in %s", err, got.out)
		}
		return out
	}

	out := check(exitFine)
	if len(out.Searches) != 2 || len(out.New) != 0 {
		t.Fatalf("%+v", out)
	}
	for i, name := range []string{"Good", "Bad"} {
		if s := out.Searches[i]; s.Name != name || s.Verdict != monitor.Results || s.Listings != 20 {
			t.Errorf("search %d: %+v", i, s)
		}
	}

	good.ShowRange(21, 1)
	bad.Answer(portal.Refused(""))
	out = check(exitTrouble)
	if len(out.New) != 1 || out.New[0].URL != good.Link(21) {
		t.Errorf("new: %+v, want %s", out.New, good.Link(21))
	}
	if s := out.Searches[1]; s.Verdict != monitor.Refused || !strings.Contains(s.Reason, "429") {
		t.Errorf("the refusing one: %+v", s)
	}
	if letters := f.letters(); len(letters) != 1 || !strings.Contains(letters[0], "Home 21") {
		t.Errorf("the mail folder holds %d letters: %q", len(letters), letters)
	}

	if out = check(exitTrouble); len(out.New) != 0 {
		t.Errorf("told again as new: %+v", out.New)
	}

	good.ShowRange(22, 1)
	if got := f.invoke(system{}, "check"); !strings.Contains(got.out, "New: ") || !strings.Contains(got.out, good.Link(22)) || strings.Contains(got.out, good.Link(21)) {
		t.Errorf("in words: %q", got.out)
	}

	// The wait of the host that refused is kept: the next check does not ask it.
	before := len(p.Requests("bad"))
	check(exitTrouble)
	if n := len(p.Requests("bad")); n != before {
		t.Errorf("a host that had just refused was asked again")
	}

	f.write(search("Good", "ftp://good.localhost/"))
	got := f.invoke(system{}, "check", "--json")
	if got.code != exitUsage || !strings.Contains(got.err, "notifio.toml:3:") || got.out != "" {
		t.Errorf("a wrong file: exit %d, %q, %q", got.code, got.out, got.err)
	}
}

// letters are the messages in the mail folder.
func (f folder) letters() []string {
	f.t.Helper()
	names, err := filepath.Glob(filepath.Join(f.data, "mail", "new", "*"))
	if err != nil {
		f.t.Fatal(err)
	}
	var all []string
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.t.Fatal(err)
		}
		all = append(all, string(text))
	}
	return all
}

func TestCheckBesideARunningNotifioIsRefused(t *testing.T) {
	t.Parallel()
	f := newFolder(t, search("Demo", "demo:amsterdam"))
	p, err := newPlace(f.config, f.data)
	if err != nil {
		t.Fatal(err)
	}
	unlock, free := p.lock()
	if !free {
		t.Fatal("a fresh folder is locked")
	}
	if got := f.invoke(system{}, "check"); got.code != exitRunning || !strings.Contains(got.err, "--data") || got.out != "" {
		t.Errorf("exit %d, %q, %q", got.code, got.out, got.err)
	}
	unlock()
	if _, free := p.lock(); !free {
		t.Error("the folder is still locked")
	}
}

// `test-mail` sends one message by the configured way, or says what is wrong with
// it and never the password.
func TestTestMailSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	const secret = "correct horse"
	for _, c := range []struct {
		name    string
		options inbox.Options
		mail    string // after host and port
		strange bool   // the server's certificate is nobody's
		fault   func(*inbox.Inbox)
		code    int
		want    string
	}{
		{name: "STARTTLS", mail: "tls = \"starttls\"\n", want: "ana@example.com"},
		{name: "TLS", options: inbox.Options{TLS: true}, mail: "tls = \"tls\"\n", want: "ana@example.com"},
		{name: "wrong password", options: inbox.Options{Username: "ana@example.com", Password: "another"}, mail: "tls = \"starttls\"\n", code: exitTrouble, want: "password"},
		{name: "down", fault: (*inbox.Inbox).Down, mail: "tls = \"starttls\"\n", code: exitTrouble, want: "port"},
		{name: "no STARTTLS", options: inbox.Options{NoStartTLS: true}, mail: "tls = \"starttls\"\n", code: exitTrouble, want: "STARTTLS"},
		{name: "unknown certificate", strange: true, mail: "tls = \"starttls\"\n", code: exitTrouble, want: "certificate"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := inbox.Start(t, c.options)
			if c.fault != nil {
				c.fault(in)
			}
			sys := system{roots: in.Roots()}
			if c.strange {
				sys.roots = nil
			}
			f := newFolder(t, search("Demo", "demo:amsterdam")+fmt.Sprintf("[mail]\nhost = %q\nport = %d\n%s", in.Host(), in.Port(), c.mail)+
				fmt.Sprintf("username = \"ana@example.com\"\npassword = %q\nto = \"ana@example.com\"\n", secret))
			got := f.invoke(sys, "test-mail")
			said := got.out + got.err
			if got.code != c.code || !strings.Contains(said, c.want) || strings.Contains(said, secret) {
				t.Errorf("exit %d, %q; want exit %d and %q", got.code, said, c.code, c.want)
			}
			if n, want := len(in.Messages()), 1-c.code; n != want {
				t.Fatalf("%d messages, want %d", n, want)
			}
			if c.code == exitFine {
				if m := in.Messages()[0]; !m.TLS || m.Login != "ana@example.com" {
					t.Errorf("TLS %v, login %q", m.TLS, m.Login)
				}
			}
		})
	}
}

func TestTestMailWithoutAServer(t *testing.T) {
	t.Parallel()
	f := newFolder(t, search("Demo", "demo:amsterdam"))
	if got := f.invoke(system{}, "test-mail"); got.code != exitFine || !strings.Contains(got.out, filepath.Join(f.data, "mail")) || len(f.letters()) != 1 {
		t.Errorf("into the mail folder: exit %d, %q, %q, %d letters", got.code, got.out, got.err, len(f.letters()))
	}
	f.write(search("Demo", "demo:amsterdam") + "[mail]\nfolder = \"\"\n")
	if got := f.invoke(system{}, "test-mail"); got.code != exitTrouble || !strings.Contains(got.err, "[mail]") {
		t.Errorf("with neither: exit %d, %q", got.code, got.err)
	}
	f.write("[[search]]\n")
	if got := f.invoke(system{}, "test-mail"); got.code != exitUsage || !strings.Contains(got.err, "notifio.toml:1:") {
		t.Errorf("with a wrong file: exit %d, %q", got.code, got.err)
	}
}

func TestPasswordNeedsSomebodyWhoseItIs(t *testing.T) {
	t.Parallel()
	f := newFolder(t, search("Demo", "demo:amsterdam"))
	if got := f.invoke(system{stdin: strings.NewReader("secret\n")}, "password"); got.code != exitTrouble || !strings.Contains(got.err, "username") {
		t.Errorf("without [mail]: exit %d, %q", got.code, got.err)
	}
	f.write(search("Demo", "demo:amsterdam") + "[mail]\nhost = \"127.0.0.1\"\nusername = \"ana@example.com\"\nto = \"ana@example.com\"\n")
	if got := f.invoke(system{}, "password"); got.code != exitTrouble || !strings.Contains(got.err, "no password was given") {
		t.Errorf("with nothing to read: exit %d, %q", got.code, got.err)
	}
	got := f.invoke(system{stdin: strings.NewReader("tr0ub4dor\n")}, "password")
	if got.code != exitTrouble || strings.Contains(got.out+got.err, "tr0ub4dor") {
		t.Errorf("without a keyring: exit %d, %q, %q", got.code, got.out, got.err)
	}
}

// The terminal's face, with everything behind it, within this process: where there
// is a race, the race detector sees it.
func TestWatchingInTheTerminal(t *testing.T) {
	t.Parallel()
	p := portal.Start(t)
	rooms := p.Host("a").Search("/rooms").ShowRange(20, 1)
	text := search("Rooms", rooms.URL()) + "[poll]\ninterval = \"1s\"\n"
	f := newFolder(t, text)
	timing := monitor.DefaultTiming()
	timing.Floor, timing.Spacing, timing.SpacingJitter = 300*time.Millisecond, 100*time.Millisecond, 0
	ctx, quit := context.WithCancel(t.Context())
	running, out, code := newActivity(t, f.data), newSpeech(), 0
	go func() {
		defer close(running.ended)
		code = run(ctx, []string{"--config", f.config, "--data", f.data, "--terminal"},
			system{stdin: strings.NewReader(""), stdout: out, stderr: out, timing: timing, limits: unhurried()})
	}()
	t.Cleanup(func() {
		quit()
		<-running.ended
	})

	out.await(t, "Rooms: baseline saved, 20 listings")
	rooms.ShowRange(21, 1)
	out.await(t, rooms.Link(21))
	f.write(strings.Replace(text, "1s", "1 second", 1))
	out.await(t, "notifio.toml:5:")
	f.write(text)
	running.awaitLog("Configuration read", 1)
	rooms.ShowRange(22, 1)
	out.await(t, rooms.Link(22))
	running.awaitLog("Told 1 listing", 2)
	quit()
	<-running.ended
	if code != exitFine {
		t.Errorf("exit %d", code)
	}
	if n := len(f.letters()); n != 2 {
		t.Errorf("%d letters in the mail folder for two rooms", n)
	}
}
