package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"notifio.app/notifio/browser"
	"notifio.app/notifio/config"
	"notifio.app/notifio/mail"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
	"notifio.app/notifio/tray"
)

// patient is the Notifio that is looked at.
type patient struct {
	sys   system
	place place
	now   time.Time
	// Read once, when somebody first asks: several answers need them.
	conf   func() (config.Config, error)
	ledger func() (store.Health, error)
}

func newPatient(s system, at place, now time.Time) *patient {
	p := &patient{sys: s, place: at, now: now}
	p.conf = sync.OnceValues(func() (config.Config, error) { return loadWithin(at.config, configLimit) })
	p.ledger = sync.OnceValues(func() (store.Health, error) {
		ctx, cancel := context.WithTimeout(context.Background(), ledgerLimit)
		defer cancel()
		return store.Inspect(ctx, at.data, now)
	})
	return p
}

// loadWithin reads a file that may lie on a disk that does not answer.
func loadWithin(file string, limit time.Duration) (config.Config, error) {
	type loaded struct {
		config config.Config
		err    error
	}
	done := make(chan loaded, 1)
	go func() {
		c, err := config.Load(file)
		done <- loaded{c, err}
	}()
	select {
	case l := <-done:
		return l.config, l.err
	case <-time.After(limit):
		return config.Config{}, fmt.Errorf("it could not be read within %s", limit)
	}
}

// How long a line may take. All of them wait for the configuration, because of what
// it says that is to be hidden. The ledger is read whole, and a mail server may be slow
// to greet.
const (
	configLimit = 3 * time.Second
	usualLimit  = 5 * time.Second
	ledgerLimit = 10 * time.Second
	mailLimit   = 10 * time.Second
)

func (p *patient) exams() []exam {
	return []exam{
		{"Version", usualLimit, p.version},
		{"System", usualLimit, operatingSystem},
		{"Running", usualLimit, p.running},
		{"Tray", usualLimit, orWhyNot(tray.DescribeHost)},
		{"Banners", usualLimit, orWhyNot(tray.DescribeNotifications)},
		{"Start at login", usualLimit, p.atLogin},
		{"Keyring", usualLimit, keyring},
		{"Browser", usualLimit, func(ctx context.Context) string { return p.kit(ctx).Browser }},
		{"Driver", usualLimit, func(ctx context.Context) string { return p.kit(ctx).Driver }},
		{"Configuration", usualLimit, p.configuration},
		{"Data folder", usualLimit, p.dataFolder},
		{"Activity log", usualLimit, p.activityLog},
		{"Database", ledgerLimit + time.Second, p.database},
		{"Email", mailLimit, p.email},
		{"Searches", ledgerLimit + time.Second, p.searches},
	}
}

// orWhyNot is the text, or the error in its place.
func orWhyNot(ask func(context.Context) (string, error)) func(context.Context) string {
	return func(ctx context.Context) string {
		text, err := ask(ctx)
		if err != nil {
			return err.Error()
		}
		return text
	}
}

func (p *patient) version(context.Context) string {
	return fmt.Sprintf("%s, built with %s for %s/%s", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// operatingSystem is its name and version, and the desktop where there are several.
func operatingSystem(ctx context.Context) string {
	tell := func(name string, args ...string) string {
		out, err := exec.CommandContext(ctx, name, args...).Output()
		if err != nil {
			return err.Error()
		}
		return strings.TrimSpace(string(out))
	}
	switch runtime.GOOS {
	case "windows":
		return tell("cmd", "/c", "ver")
	case "darwin":
		return "macOS " + tell("sw_vers", "-productVersion")
	}
	release, _ := os.ReadFile("/etc/os-release")
	name := "an unknown " + runtime.GOOS
	for line := range strings.Lines(string(release)) {
		if v, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			name = strings.Trim(v, `"`)
		}
	}
	kernel, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	desktop := os.Getenv("XDG_CURRENT_DESKTOP")
	if desktop == "" {
		desktop = "not named"
	}
	return fmt.Sprintf("%s, kernel %s, desktop %s %s", name, strings.TrimSpace(string(kernel)), desktop, os.Getenv("XDG_SESSION_TYPE"))
}

func (p *patient) running(context.Context) string {
	if _, err := os.Stat(p.place.data); err != nil {
		return "no"
	}
	unlock, free := p.place.lock()
	if !free {
		return "yes, another Notifio works on this data folder"
	}
	unlock()
	return "no, no other Notifio works on this data folder"
}

func (p *patient) atLogin(context.Context) string {
	entry, err := p.place.atLogin()
	switch {
	case err != nil:
		return err.Error()
	case entry.On():
		return "yes"
	}
	return "no"
}

func keyring(ctx context.Context) string {
	if err := mail.Keyring(ctx); err != nil {
		return "not in use: " + err.Error()
	}
	return "answers"
}

func (p *patient) kit(ctx context.Context) browser.Kit {
	c, _ := p.conf() // a bad file has no [browser], and any will do
	return browser.Describe(ctx, browser.Options{Executable: c.Browser.Executable, Endpoint: c.Browser.Endpoint})
}

func (p *patient) configuration(context.Context) string {
	c, err := p.conf()
	if err != nil {
		if _, gone := os.Stat(p.place.config); errors.Is(gone, fs.ErrNotExist) {
			return p.place.config + ", not there: it is made on the first start"
		}
		return p.place.config + "\n" + err.Error()
	}
	enabled, hosts := 0, map[string]bool{}
	for _, s := range c.Searches {
		if s.Enabled {
			enabled++
			hosts[s.Host()] = true
		}
	}
	text := fmt.Sprintf("%s\n%d enabled of %d search(es), on %d site(s), checked every %s",
		p.place.config, enabled, len(c.Searches), len(hosts), c.Poll.Interval)
	for _, w := range c.Warnings {
		text += "\n" + w.Error()
	}
	return text
}

func (p *patient) dataFolder(ctx context.Context) string {
	var size, profile int64
	files := 0
	err := filepath.WalkDir(p.place.data, func(path string, d fs.DirEntry, err error) error {
		if path == p.place.data && err != nil {
			return err
		}
		if err != nil || d.IsDir() { // what cannot be seen into is left out
			return ctx.Err()
		}
		info, err := d.Info()
		if err != nil { // gone meanwhile
			return ctx.Err()
		}
		files++
		size += info.Size()
		if strings.HasPrefix(path, p.place.profile()+string(filepath.Separator)) {
			profile += info.Size()
		}
		return ctx.Err()
	})
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return p.place.data + ", not there: it is made on the first start"
	case err != nil && ctx.Err() == nil:
		return err.Error()
	}
	text := fmt.Sprintf("%s, %s in %d files, %s of them the browser's", p.place.data, bytesText(size), files, bytesText(profile))
	if err != nil {
		text += ", and more that there was no time to look at"
	}
	return text
}

func bytesText(n int64) string {
	const kilo, mega = 1e3, 1e6
	switch f := float64(n); {
	case f < kilo:
		return fmt.Sprintf("%d bytes", n)
	case f < mega:
		return fmt.Sprintf("%.0f kB", f/kilo)
	default:
		return fmt.Sprintf("%.1f MB", f/mega)
	}
}

func (p *patient) activityLog(context.Context) string {
	info, err := os.Stat(p.place.logFile())
	if errors.Is(err, fs.ErrNotExist) {
		return p.place.logFile() + ", not there: it is made on the first start"
	}
	if err != nil {
		return err.Error()
	}
	return fmt.Sprintf("%s, %s, last line %s", p.place.logFile(), bytesText(info.Size()), p.ago(info.ModTime()))
}

func (p *patient) ago(t time.Time) string {
	return p.now.Sub(t).Round(time.Second).String() + " ago"
}

func (p *patient) database(context.Context) string {
	h, err := p.ledger()
	backup := ", no backup yet"
	if !h.Backup.IsZero() {
		backup = ", backup of " + h.Backup.Format("2 Jan 15:04")
	}
	if err != nil {
		return err.Error() + backup
	}
	return fmt.Sprintf("%s, %s, without damage, schema %d%s", h.File, bytesText(h.Size), h.Schema, backup)
}

// email says whether the server answers and whether there is a password, and uses
// it for nothing.
func (p *patient) email(ctx context.Context) string {
	c, err := p.conf()
	switch {
	case err != nil:
		return "not looked at, because of the configuration"
	case c.Mail == nil || c.Mail.Host == "" && !c.Mail.HasFolder:
		return "not set up: alerts are kept in " + p.place.mailFolder()
	case c.Mail.HasFolder && c.Mail.Folder == "":
		return "not wanted: alerts are banners only"
	case c.Mail.HasFolder:
		return "not set up: alerts are kept in " + c.Mail.Folder
	}
	server, err := mail.NewServer(mail.Config{Host: c.Mail.Host, Port: c.Mail.Port, TLS: c.Mail.TLS, From: c.Mail.From, Roots: p.sys.roots})
	if err != nil {
		return err.Error()
	}
	text := orWhyNot(server.Reach)(ctx)
	if c.Mail.Username == "" {
		return text + "\nno login is asked for"
	}
	if _, err := mail.NewPasswords(mail.Sources{File: c.Mail.Password, Username: c.Mail.Username}).Get(ctx); err != nil {
		return text + "\n" + err.Error()
	}
	return text + "\na password is there, and was not tried: notifio test-mail does that"
}

// searches are the last verdicts, by the place of a search in the file.
func (p *patient) searches(context.Context) string {
	c, err := p.conf()
	if err != nil {
		return "not looked at, because of the configuration"
	}
	h, _ := p.ledger() // its trouble has a line already
	last := map[string]monitor.CheckRecord{}
	for _, r := range h.Last {
		last[r.Search] = r
	}
	var lines []string
	for i, s := range c.Searches {
		line := fmt.Sprintf("%d. %s", i+1, s.Host())
		switch r, checked := last[s.URL]; {
		case !s.Enabled:
			line += ", disabled"
		case !checked:
			line += ", not checked yet"
		default:
			line += fmt.Sprintf(", %s %s (%s), %d listing(s)", r.Verdict, p.ago(r.At), r.Reason, r.Listings)
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// absolute is path, as well as it can be told.
func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
