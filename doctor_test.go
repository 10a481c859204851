package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// consult runs the doctor on a configuration and a data folder, and returns its
// lines by what they are about.
func consult(t *testing.T, sys system, config, data string) (lines map[string]string, whole string) {
	t.Helper()
	var out, trouble bytes.Buffer
	sys.stdout, sys.stderr = &out, &trouble
	if code := sys.doctor(t.Context(), config, data, nil); code != exitFine || trouble.Len() > 0 {
		t.Errorf("exit %d, %q", code, trouble.String())
	}
	lines = map[string]string{}
	topic := ""
	for line := range strings.Lines(out.String()) {
		if name, text, found := strings.Cut(line, ":  "); found && !strings.HasPrefix(line, " ") {
			topic, line = strings.TrimSpace(name), text
		}
		lines[topic] += strings.TrimSpace(line) + "\n"
	}
	return lines, out.String()
}

// offDesktop keeps a test off the desktop and the keyring of whoever runs it.
func offDesktop(t *testing.T) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere/bus")
	t.Setenv("NOTIFIO_MAIL_PASSWORD", "")
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestDoctorTellsEverythingButSecrets(t *testing.T) {
	offDesktop(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	in := inbox.Start(t, inbox.Options{})
	data := filepath.Join(home, "data")
	const search = "https://www.funda.nl/huur/amsterdam?token=s3same&max=1800"
	config := write(t, filepath.Join(home, "notifio.toml"), fmt.Sprintf(`
		[[search]]
		name = "Near Ana's school"
		url = %q
		[[search]]
		name = "Old"
		url = "https://kamernet.nl/huren"
		enabled = false
		[mail]
		host = %q
		port = %d
		username = "ana.smith@example.com"
		password = "hunter2hunter2"
		to = ["ana.smith@example.com", "ben@example.net"]
	`, search, in.Host(), in.Port()))
	opened, err := store.Open(t.Context(), data, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer opened.Store.Close() // it is looked at while it is in use
	err = opened.Store.Save(t.Context(), monitor.Change{AllSeen: true, Checks: []monitor.CheckRecord{{
		Search: search, At: time.Now().Add(-20 * time.Second), Verdict: monitor.NotResults,
		Reason: "was sent to https://login.funda.nl/in?user=ana.smith@example.com&session=abc123",
	}}})
	if err != nil {
		t.Fatal(err)
	}
	unlock, free := place{data: data}.lock()
	if !free {
		t.Fatal("the data folder is in use")
	}
	defer unlock()

	lines, whole := consult(t, system{roots: in.Roots()}, config, data)
	for _, secret := range []string{
		"hunter2", "ana.smith", "ben@", "example.net", "s3same", "max=1800", "abc123", "session=", "school", "amsterdam", home,
	} {
		if strings.Contains(whole, secret) {
			t.Errorf("it tells %q:\n%s", secret, whole)
		}
	}
	for topic, want := range map[string]string{
		"Version":        "go1.",
		"Running":        "yes",
		"Tray":           "does not answer",
		"Keyring":        "not in use",
		"Configuration":  "1 enabled of 2 search(es), on 1 site(s), checked every 30s",
		"Data folder":    "~",
		"Database":       "without damage",
		"Email":          fmt.Sprintf("%s:%d answers over STARTTLS\na password is there", in.Host(), in.Port()),
		"Searches":       "1. funda.nl, not-results 2",
		"Activity log":   "not there",
		"Start at login": "no",
	} {
		if !strings.Contains(lines[topic], want) {
			t.Errorf("%s: %q, want %q", topic, lines[topic], want)
		}
	}
	if s := in.State(); s.Logins() != 0 || len(s.Messages) != 0 {
		t.Errorf("it logged in %d times and sent %d messages", s.Logins(), len(s.Messages))
	}
}

// Nothing that is broken keeps the rest from being told.
func TestDoctorWorksWhereNothingElseDoes(t *testing.T) {
	offDesktop(t)
	dir := t.TempDir()
	config := write(t, filepath.Join(dir, "notifio.toml"), "[[search]]\nname = \"Ana's\"\nurl = \"https://a.example/?q=secret\"\ninterval = 3\n")
	data := write(t, filepath.Join(dir, "data"), "a file")
	lines, whole := consult(t, system{}, config, data)
	for topic, want := range map[string]string{
		"Configuration": "notifio.toml:4", "Database": "d", "Data folder": "d", "Email": "because of the configuration",
		"Searches": "because of the configuration", "System": "", "Browser": "", "Driver": "Playwright",
	} {
		if text, told := lines[topic]; !told || !strings.Contains(text, want) {
			t.Errorf("%s: %q, want %q", topic, text, want)
		}
	}
	for _, secret := range []string{"secret", "Ana's"} {
		if strings.Contains(whole, secret) {
			t.Errorf("it tells %q:\n%s", secret, whole)
		}
	}
}

func TestDoctorMakesNothing(t *testing.T) {
	offDesktop(t)
	dir := t.TempDir()
	lines, _ := consult(t, system{}, filepath.Join(dir, "a", "notifio.toml"), filepath.Join(dir, "b"))
	for _, topic := range []string{"Configuration", "Data folder", "Activity log", "Database"} {
		if !strings.Contains(lines[topic], "first start") {
			t.Errorf("%s: %q", topic, lines[topic])
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("it made %v, %v", left, err)
	}
}

func TestLookThatHangsOrBreaksCostsItsLineOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		over := make(chan struct{})
		defer close(over)
		examine(t.Context(), &out, []exam{
			{"Hangs", 5 * time.Second, func(context.Context) string { <-over; return "" }},
			{"Knows why", 5 * time.Second, func(ctx context.Context) string { <-ctx.Done(); return "late: " + ctx.Err().Error() }},
			{"Breaks", time.Second, func(context.Context) string { panic("nil map") }},
			{"Works", time.Second, func(context.Context) string { return "well\nand in two lines" }},
		})
		want := "Hangs:      no answer within 5s\nKnows why:  late: context deadline exceeded\n" +
			"Breaks:     broke down: nil map\nWorks:      well\n            and in two lines\n"
		if out.String() != want {
			t.Errorf("printed\n%s\nwant\n%s", out.String(), want)
		}
	})
}

func TestWhatIsHidden(t *testing.T) {
	for text, want := range map[string]string{
		`see https://www.funda.nl/huur?min=1&token=x, or <ws://127.0.0.1:9222/devtools/a>`: `see https://www.funda.nl/… or <ws://127.0.0.1:9222/…>`,
		"https://ana:pass@a.example/x":                              "https://a.example/…",
		"550 <ana+x@mail.example.com> is unknown":                   "550 <…> is unknown",
		`notifio.toml:3: search "Near \"home\"": no url`:            `notifio.toml:3: search "…": no url`,
		"/home/ana/.config/notifio.toml and /home/ana/x":            "~/.config/notifio.toml and ~/x",
		"smtp.example.com:587 answers over TLS, node v20.1, 3 of 4": "smtp.example.com:587 answers over TLS, node v20.1, 3 of 4",
	} {
		if got := hidden(text, "/home/ana"); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
