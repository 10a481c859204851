//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/internal/fake/portal"
	"notifio.app/notifio/monitor"
)

// Logins and addresses of the story's people.
const (
	ana      = "ana@example.com"
	password = "correct horse"
)

// world is everything around the program: portals, a mail server, a desktop, and
// a home that is the story's own.
type world struct {
	t      *testing.T
	portal *portal.Portal
	inbox  *inbox.Inbox
	desk   *desktop.Desktop
	timing monitor.Timing
	home   string
	cert   string
	stdin  string   // what is typed to the program
	proxy  string   // through which the program reaches other hosts; "": none
	screen string   // the display that the program finds; "": none
	death  *death   // when the program kills itself
	menu   []string // as it was last looked at
}

func newWorld(t *testing.T) *world {
	t.Helper()
	t.Parallel()
	w := &world{
		t: t, portal: portal.Start(t), desk: desktop.Start(t), timing: shortened(), home: t.TempDir(),
		inbox: inbox.Start(t, inbox.Options{Username: ana, Password: password}),
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the menu was last seen as\n%s", strings.Join(w.menu, "\n"))
			for _, r := range w.portal.All() {
				t.Log(r)
			}
		}
	})
	w.cert = w.inbox.CertFile(t)
	w.desk.StartPanel()
	w.desk.StartNotifications()
	return w
}

// shortened are the waits of the product with minutes made seconds. The interval
// is the file's.
func shortened() monitor.Timing {
	t := monitor.DefaultTiming()
	t.Floor, t.Spacing, t.SpacingJitter = 300*time.Millisecond, 100*time.Millisecond, 50*time.Millisecond
	t.Refusals = []time.Duration{2 * time.Second, 5 * time.Second, 10 * time.Second}
	t.Errors = t.Refusals
	t.Mail, t.MailFresh = []time.Duration{time.Second}, time.Second
	return t
}

// wanted is a search as the file names it.
type wanted struct{ name, url string }

// file is a configuration: one [[search]] for each, asked at this interval.
func (w *world) file(interval string, searches ...wanted) string {
	var b strings.Builder
	for _, s := range searches {
		fmt.Fprintf(&b, "[[search]]\nname = %q\nurl = %q\n\n", s.name, s.url)
	}
	b.WriteString(chosenBrowser())
	fmt.Fprintf(&b, "[poll]\ninterval = %q\n\n", interval)
	fmt.Fprintf(&b, "[mail]\nhost = %q\nport = %d\ntls = \"starttls\"\nusername = %q\npassword = %q\nto = [%q]\n",
		w.inbox.Host(), w.inbox.Port(), ana, password, ana)
	return b.String()
}

func (w *world) configFile() string {
	return filepath.Join(w.home, "config", "notifio", "notifio.toml")
}
func (w *world) data() string { return filepath.Join(w.home, "state", "notifio") }

// configure saves the configuration as many editors do: beside the old one, and
// renamed.
func (w *world) configure(text string) {
	w.t.Helper()
	name := w.configFile()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(name+".new", []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
	if err := os.Rename(name+".new", name); err != nil {
		w.t.Fatal(err)
	}
}

// env leads the program to this world and away from the user's. Only what was
// downloaded stays where it is: the browser's driver.
func (w *world) env() []string {
	w.t.Helper()
	run := filepath.Join(w.home, "run")
	if err := os.MkdirAll(run, 0o700); err != nil {
		w.t.Fatal(err)
	}
	text, err := json.Marshal(stage{Timing: w.timing, Limits: unhurried(), Roots: w.cert, Leash: true, Death: w.death})
	if err != nil {
		w.t.Fatal(err)
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return strings.HasPrefix(name, "XDG_") || strings.HasPrefix(name, "NOTIFIO_") || name == "DISPLAY" || name == "WAYLAND_DISPLAY"
	})
	env = append(env, w.desk.Env()...)
	if w.screen != "" {
		env = append(env, "DISPLAY="+w.screen)
	}
	if w.proxy != "" {
		env = append(env, "http_proxy="+w.proxy)
	}
	return append(env, stageVariable+"="+string(text), "HOME="+w.home,
		"XDG_CONFIG_HOME="+filepath.Join(w.home, "config"), "XDG_STATE_HOME="+filepath.Join(w.home, "state"),
		"XDG_DATA_HOME="+filepath.Join(w.home, "share"), "XDG_RUNTIME_DIR="+run, "XDG_CACHE_HOME="+xdg.CacheHome)
}

// row waits until the row of a search, or a line below it, says all of the texts.
func (w *world) row(search string, texts ...string) {
	w.t.Helper()
	w.desk.AwaitMenu(fmt.Sprintf("the row %s with %q", search, texts), func(menu desktop.Node) bool {
		w.menu = menu.Lines()
		n := menu.Find(search + " — ")
		if n == nil {
			return false
		}
		all := strings.ToLower(n.Label + "\n" + strings.Join(n.Lines(), "\n"))
		return !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(all, strings.ToLower(s)) })
	})
}

// checkNow clicks the item as soon as it can be clicked.
func (w *world) checkNow() {
	w.t.Helper()
	w.desk.AwaitMenu("an enabled Check now", func(menu desktop.Node) bool {
		n := menu.Find("Check now")
		return n != nil && n.Enabled
	})
	w.desk.Click("Check now")
}

// checkNowAsks clicks Check now and waits for the request that comes of it, which
// may be there before the click is answered.
func (w *world) checkNowAsks(host string) {
	w.t.Helper()
	before := len(w.portal.Requests(host))
	w.checkNow()
	w.portal.AwaitRequests(w.t.Context(), host, before+1)
}

// asked waits for n more requests of a host than it has had so far. The last but
// one of them is settled then, for a search is not checked twice at a time.
func (w *world) asked(host string, n int) []portal.Request {
	w.t.Helper()
	return w.portal.AwaitRequests(w.t.Context(), host, len(w.portal.Requests(host))+n)
}

// served are the requests of a host that got this answer.
func served(all []portal.Request, host, answer string) []portal.Request {
	return slices.DeleteFunc(slices.Clone(all), func(r portal.Request) bool { return r.Host != host || r.Served != answer })
}

// mails waits until n emails have arrived in all.
func (w *world) mails(n int) []inbox.Message {
	w.t.Helper()
	return w.inbox.MustWait(w.t, n, patience)
}

// lastNews waits for the nth email, which has to be the last one and tell of one
// room that was published a moment ago. Without it, that there was no email in all
// the time before could be a matter of patience.
func (w *world) lastNews(n int, s *portal.Search, room int) {
	w.t.Helper()
	all := w.mails(n)
	if len(all) != n {
		w.t.Errorf("%d emails, want %d", len(all), n)
	}
	w.tells(all[n-1], s.Link(room))
}

// lastBanner is the same for banners about rooms.
func (w *world) lastBanner(n, room int) {
	w.t.Helper()
	var titles []string
	w.desk.Await(fmt.Sprintf("%d banners about rooms", n), func() bool {
		titles = nil
		for _, b := range w.desk.Banners() {
			if strings.Contains(b.Title, "Elm Street") {
				titles = append(titles, b.Title)
			}
		}
		return len(titles) >= n
	})
	if address := fmt.Sprintf("Elm Street %d", room); len(titles) != n || !strings.HasSuffix(titles[n-1], address) {
		w.t.Errorf("%d banners, want %d, the last about %s: %q", len(titles), n, address, titles)
	}
}

// banner waits for a banner with this title, and returns it.
func (w *world) banner(title string) desktop.Banner {
	w.t.Helper()
	var found desktop.Banner
	w.desk.Await("the banner "+title, func() bool {
		i := slices.IndexFunc(w.desk.Banners(), func(b desktop.Banner) bool { return strings.HasPrefix(b.Title, title) })
		if i >= 0 {
			found = w.desk.Banners()[i]
		}
		return i >= 0
	})
	return found
}

// rooms is a results page with the rooms from newest down to 1. Nine or more of
// them are read in half a second; a page with few is given time to show more.
func (w *world) rooms(host string, newest int) *portal.Search {
	return w.portal.Host(host).Search("/rooms").ShowRange(newest, 1)
}

// tells checks that an email came over TLS, from a login, and has these links to
// rooms and no other.
func (w *world) tells(m inbox.Message, links ...string) {
	w.t.Helper()
	if !m.TLS || m.Login != ana {
		w.t.Errorf("the email came with TLS %v and the login %q", m.TLS, m.Login)
	}
	var told []string
	for _, word := range strings.Fields(m.Text()) {
		if strings.Contains(word, "/room/") && !slices.Contains(told, word) {
			told = append(told, word)
		}
	}
	slices.Sort(told)
	slices.Sort(links)
	if !slices.Equal(told, links) {
		w.t.Errorf("the email tells %v, want %v:\n%s", told, links, m.Text())
	}
}
