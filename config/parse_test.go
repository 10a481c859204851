package config

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

const one = "[[search]]\nname = \"Demo\"\nurl = \"demo:amsterdam\"\n"

func parse(t *testing.T, text string) Config {
	t.Helper()
	c, err := Parse("notifio.toml", []byte(text))
	if err != nil {
		t.Fatalf("Parse:\n%v", err)
	}
	return c
}

func TestSmallestFileHasTheDefaults(t *testing.T) {
	c := parse(t, one)
	want := Config{
		Searches: []monitor.Search{{Name: "Demo", URL: "demo:amsterdam", Enabled: true, PriceDrops: true}},
		Poll:     Poll{Interval: 30 * time.Second, Jitter: 5 * time.Second},
		Browser:  Browser{Headless: true, ParallelHosts: 3},
		Notify:   Notify{Banner: true, Quiet: monitor.QuietHours{Zone: time.Local}},
		source:   []byte(one),
	}
	if !reflect.DeepEqual(c, want) {
		t.Errorf("got  %+v\nwant %+v", c, want)
	}
}

func TestEveryKeyIsRead(t *testing.T) {
	c := parse(t, `
[[search]]
name = " Centrum "
url = "https://www.example.com/huur?a=1#top"
enabled = false
link = '/huur/\d+'
max_price = 1800
min_area = 25.5
require = ["balcony", "lift"]
exclude = ['parking']
price_drops = false
newest_first = false

[poll]
interval = "1m30s"
jitter = "10s"

[browser]
executable = "chromium"
headless = false
parallel_hosts = 15

[mail]
host = "SMTP.example.com"
tls = "tls"
username = "me@example.com"
password = "abcd efgh"
from = "Me <me@example.com>"
to = ["You <you@example.com>", "they@example.com"]

[notify]
banner = false
quiet_from = "22:30"
quiet_to = "07:00"
quiet_zone = "Europe/Amsterdam"

[[portal]]
name = "homes"
hosts = ["www.homes.example"]
listing = ['^/home/(?P<id>\d+)']
[[reply]]
name = "y"
host = "www.Homes.example"
message = "Hello {{.Title}}"
steps = [{ fill = "#m", with = "{{.Message}}" }, { submit = "#send" }]
success = "text=Sent"
`)
	no := false
	amsterdam, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	check(t, "searches", c.Searches, []monitor.Search{{Name: "Centrum", URL: "https://www.example.com/huur?a=1#top", Link: `/huur/\d+`, NewestFirst: &no,
		Filter: monitor.Filter{MaxPrice: 1800, MinArea: 25.5, Require: []string{"balcony", "lift"}, Exclude: []string{"parking"}}}})
	check(t, "poll", c.Poll, Poll{90 * time.Second, 10 * time.Second})
	check(t, "browser", c.Browser, Browser{Executable: "chromium", ParallelHosts: 15})
	check(t, "mail", *c.Mail, Mail{Host: "smtp.example.com", Port: 465, TLS: "tls", Username: "me@example.com", Password: "abcd efgh",
		From: "Me <me@example.com>", To: []string{"you@example.com", "they@example.com"}})
	check(t, "notify", c.Notify, Notify{Quiet: monitor.QuietHours{From: 22*60 + 30, To: 7 * 60, Zone: amsterdam}})
	check(t, "replies", c.Replies, []monitor.Recipe{{
		Name: "y", Host: "homes.example", Message: "Hello {{.Title}}", Success: "text=Sent", Mode: monitor.DryRun, DailyLimit: 5,
		DelayLeast: 20 * time.Second, DelayMost: 90 * time.Second,
		Steps: []monitor.Step{{Do: monitor.Fill, At: "#m", With: "{{.Message}}"}, {Do: monitor.Submit, At: "#send"}},
	}})
	if len(c.Portals) != 1 || c.Portals[0].Name != "homes" || !c.Portals[0].Covers("homes.example") {
		t.Errorf("portals: %+v", c.Portals)
	}
	check(t, "settings", c.Settings(), monitor.Settings{Searches: c.Searches, Interval: 90 * time.Second, Jitter: 10 * time.Second, Lanes: 15,
		Quiet: c.Notify.Quiet, Recipes: c.Replies})
	check(t, "warnings", c.Warnings, []Problem{{File: "notifio.toml", Text: "has no enabled search, so nothing is checked: write enabled = true below one of them"}})
}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\ngot  %+v\nwant %+v", what, got, want)
	}
}

func TestMailDefaults(t *testing.T) {
	const head = one + "[mail]\n"
	for _, c := range []struct {
		name, text string
		want       Mail
	}{
		{"sender is the username", "host='h.example'\nusername='a@example.com'\nto='b@example.com'",
			Mail{Host: "h.example", Port: 587, TLS: "auto", Username: "a@example.com", From: "a@example.com", To: []string{"b@example.com"}}},
		{"port wins over tls", "host='h.example'\nport=2525\ntls='starttls'\nfrom='a@example.com'\nto=['b@example.com']",
			Mail{Host: "h.example", Port: 2525, TLS: "starttls", From: "a@example.com", To: []string{"b@example.com"}}},
		{"clear text to this machine", "host='127.0.0.1'\ntls='none'\nfrom='a@example.com'\nto=['b@example.com']",
			Mail{Host: "127.0.0.1", Port: 25, TLS: "none", From: "a@example.com", To: []string{"b@example.com"}}},
		{"clear text over IPv6", "host='[::1]'\ntls='none'\nfrom='a@example.com'\nto=['b@example.com']",
			Mail{Host: "::1", Port: 25, TLS: "none", From: "a@example.com", To: []string{"b@example.com"}}},
		{"a folder", "folder='/var/mail/me'", Mail{Folder: "/var/mail/me", HasFolder: true}},
		{"neither", "folder=''", Mail{HasFolder: true}},
	} {
		t.Run(c.name, func(t *testing.T) { check(t, "mail", *parse(t, head+c.text).Mail, c.want) })
	}
	if c := parse(t, one); c.Mail != nil {
		t.Errorf("without [mail]: %+v", c.Mail)
	}
}

func TestPathsMayBeginAtHome(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	t.Setenv("USERPROFILE", "/home/me")
	c := parse(t, one+"[mail]\nfolder='~/alerts'\n[browser]\nexecutable='~/bin/chrome'\n")
	check(t, "folder", c.Mail.Folder, "/home/me/alerts")
	check(t, "executable", c.Browser.Executable, "/home/me/bin/chrome")
}

// searches writes n enabled ones, the first of them in line 1, four lines each.
func searches(n int, url string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "[[search]]\nname = \"S%d\"\nurl = \"%s%d\"\n\n", i+1, url, i+1)
	}
	return b.String()
}

func TestFifteenSearchesAreLegal(t *testing.T) {
	text := searches(15, "https://example.com/") + "[[search]]\nname='off'\nurl='https://example.com/off'\nenabled=false\n"
	if c := parse(t, text); len(c.Searches) != 16 {
		t.Errorf("%d searches", len(c.Searches))
	}
}

func TestShortIntervals(t *testing.T) {
	const head = "[[search]]\nname='L'\nurl='http://a.localhost:8080/x'\n[[search]]\nname='D'\nurl='demo:a'\n" +
		"[[search]]\nname='off'\nurl='https://example.com'\nenabled=false\n[poll]\n"
	for _, c := range []struct {
		text string
		want Poll
	}{
		{"interval='6s'", Poll{6 * time.Second, time.Second}},
		{"interval='100ms'\njitter='0s'", Poll{100 * time.Millisecond, 0}},
		{"interval='20s'\njitter='14s'", Poll{20 * time.Second, 14 * time.Second}},
		{"interval='1h'", Poll{time.Hour, 5 * time.Second}},
		{"jitter='24s'", Poll{30 * time.Second, 24 * time.Second}},
	} {
		check(t, c.text, parse(t, head+c.text).Poll, c.want)
	}
}

func TestOtherWaysOfWritingAFile(t *testing.T) {
	for name, text := range map[string]string{
		"byte order mark": "\ufeff" + one,
		"CR LF":           strings.ReplaceAll(one, "\n", "\r\n"),
		"no last newline": strings.TrimSuffix(one, "\n"),
		"inline tables":   `search = [{name = "Demo", url = "demo:amsterdam"}]`,
		"quoted keys":     "[['search']]\n\"name\" = 'Demo'\n'url' = '''demo:amsterdam'''\n",
	} {
		t.Run(name, func(t *testing.T) {
			check(t, "searches", parse(t, text).Searches, parse(t, one).Searches)
		})
	}
	c := parse(t, one+"[mail]\nfolder=''\n")
	dotted := parse(t, "mail.folder=''\npoll.interval='30s'\n"+one)
	check(t, "dotted", dotted.Mail, c.Mail)
}

func TestAddressesOfPortalsAreNeverQuoted(t *testing.T) {
	for _, bad := range []string{
		"https://me:hunter2@example.com/x", "https://hunter2@example.com", "ftp://me:hunter2@example.com", "https://example.com:hunter2/", "https://exa mple.com/hunter2",
		"hunter2", "https://%zz/hunter2", "demo:hunter2!", `https:///hunter2`, "HTTPS://x@hunter2",
	} {
		for _, text := range []string{
			"[[search]]\nname='x'\nurl='" + bad + "'\n",
			one + "[browser]\nendpoint='ws:hunter2'\n",
			one + "[mail]\nhost='me:hunter2@example.com'\nfrom='a@example.com'\nto='a@example.com'",
			one + "[mail]\npassword = hunter2\n", one + "[mail]\npassword = \"hun\\qter2\"\n",
			one + "[mail]\npassword: hunter2\n", one + "[mail]\npassword hunter2\n", one + "[mail]\npassword = \"hunter2\n",
			one + "[mail]\npassword = ['hunter2']\n", one + "[mail]\npasswd = 'hunter2'\n", one + "[mail]\npassword = 'x' hunter2\n",
			one + "password = 'hunter2'\n", "password = 'hunter2'\n" + one,
		} {
			_, err := Parse("notifio.toml", []byte(text))
			if err == nil {
				t.Errorf("no error for %q", text)
			} else if strings.Contains(err.Error(), "hunter2") || strings.Contains(err.Error(), "ter2") {
				t.Errorf("quoted: %v", err)
			}
		}
	}
}

func TestProblemsAreErrors(t *testing.T) {
	_, err := Parse("/home/me/notifio.toml", []byte("[pol]\n"+one))
	var ps Problems
	if !errors.As(err, &ps) || len(ps) != 1 {
		t.Fatalf("%T %v", err, err)
	}
	check(t, "problem", ps[0], Problem{File: "/home/me/notifio.toml", Line: 1, Text: `"pol" is not known: did you mean [poll]?`})
	check(t, "text", err.Error(), `notifio.toml:1: "pol" is not known: did you mean [poll]?`)
}

const badPortals = "nonsense\n" + one + `[[portal]]
name = "One"
hosts = ["example.com"]
listing = ['/home/(?P<id>\d+)']
[[portal]]
name = "two"
hosts = ["example.com"]
listing = ['/home/\d+', '(']
colour = "red"
[[portal]]
[poll]
interval = 30
`

func TestMistakesInPortalsStandAmongTheOthers(t *testing.T) {
	_, err := Parse("/home/me/notifio.toml", []byte(badPortals))
	var ps Problems
	errors.As(err, &ps)
	var lines []int
	for _, p := range ps {
		lines = append(lines, p.Line)
		if p.File != "/home/me/notifio.toml" || strings.Contains(p.Text, "notifio.toml") {
			t.Errorf("%+v", p)
		}
	}
	check(t, "lines", slices.Compact(lines), []int{1, 6, 12, 13, 14, 16})
	_, err = Parse("notifio.toml", []byte(one+"[[portal]]\nname = 'x'\nhosts = 'example.com'\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "notifio.toml:") {
		t.Error(err)
	}
}

var update = flag.Bool("update", false, "write testdata anew")

// TestMistakes reads testdata/mistakes.txt: files, each followed by exactly what
// is said of it.
func TestMistakes(t *testing.T) {
	const name = "testdata/mistakes.txt"
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	intro, cases, _ := strings.Cut(string(data), "\n=== ")
	out := intro
	for _, c := range strings.Split(cases, "\n=== ") {
		title, rest, _ := strings.Cut(c, "\n")
		text, want, found := strings.Cut(rest, "\n--- says\n")
		if !found {
			t.Fatalf("%s: no expectation", title)
		}
		got := said(text)
		if got != strings.TrimRight(want, "\n") && !*update {
			t.Errorf("%s\n got:\n%s\nwant:\n%s", title, got, want)
		}
		out += "\n=== " + title + "\n" + text + "\n--- says\n" + got + "\n"
	}
	if *update {
		if err := os.WriteFile(name, []byte(out), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func said(text string) string {
	// What a text file cannot show is written out.
	text = strings.NewReplacer("<NUL>", "\x00", "<BAD>", "\xff", "<BEL>", "\a", "<CR>", "\r").Replace(text)
	for i := 40; i > 0; i-- {
		text = strings.ReplaceAll(text, fmt.Sprintf("<SEARCHES %d>\n", i), searches(i, "https://example.com/"))
	}
	c, err := Parse("notifio.toml", []byte(text))
	if err != nil {
		return err.Error()
	}
	var b strings.Builder
	for _, w := range c.Warnings {
		b.WriteString("warning: " + w.Error() + "\n")
	}
	return strings.TrimRight("fine\n"+b.String(), "\n")
}
