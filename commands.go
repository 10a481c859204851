package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"notifio.app/notifio/config"
	"notifio.app/notifio/mail"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
	"notifio.app/notifio/tray"
)

// load reads the configuration, after writing the first one where there is none.
func (s system) load(p place) (config.Config, error) {
	if _, err := config.Create(p.config, example); err != nil {
		return config.Config{}, err
	}
	return config.Load(p.config)
}

// checkOnce is `notifio check`: one cycle, its mail, and what each search saw.
func (s system) checkOnce(ctx context.Context, p place, args []string) int {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	asJSON := flags.Bool("json", false, "")
	if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
		return s.wrong("check takes --json and nothing else")
	}
	unlock, free := p.lock()
	if !free {
		fmt.Fprintln(s.stderr, "notifio: another Notifio is running on this data: use that one, or give this one another folder with --data")
		return exitRunning
	}
	defer unlock()
	c, err := s.load(p)
	if err != nil {
		s.fail(err)
		return exitUsage
	}
	began := time.Now()
	view, err := s.one(ctx, p, c)
	if err != nil {
		return s.fail(err)
	}
	s.printCheck(view, foundSince(ctx, p, view, began), *asJSON)
	for _, r := range view.Rows {
		if r.State != monitor.RowDisabled && !r.Verdict.Clean() {
			return exitTrouble
		}
	}
	return exitFine
}

// checked is a search in the output of `check --json`.
type checked struct {
	Name     string          `json:"name"`
	URL      string          `json:"url"`
	Host     string          `json:"host"`
	Verdict  monitor.Verdict `json:"verdict,omitempty"`
	Reason   string          `json:"reason,omitempty"`
	State    string          `json:"state"`
	Listings int             `json:"listings"`
}

// foundSince are the alerts of this run: from the ledger, or, when that could not
// be written, the newest ten.
func foundSince(ctx context.Context, p place, v monitor.View, began time.Time) []monitor.Alert {
	if history, err := store.Read(ctx, p.data, began); err == nil && len(history.Alerts) > 0 {
		return history.Alerts
	}
	return slices.DeleteFunc(slices.Clone(v.Recent), func(a monitor.Alert) bool { return a.Found.Before(began) })
}

func (s system) printCheck(v monitor.View, found []monitor.Alert, asJSON bool) {
	if asJSON {
		out := struct {
			Searches []checked         `json:"searches"`
			New      []monitor.Listing `json:"new"`
			Pending  int               `json:"pending"`
		}{Searches: []checked{}, New: []monitor.Listing{}, Pending: v.Pending}
		for _, r := range v.Rows {
			out.Searches = append(out.Searches, checked{r.Name, r.URL, r.Host, r.Verdict, r.Reason, r.Text, r.Listings})
		}
		for _, a := range found {
			if a.Kind == monitor.New {
				out.New = append(out.New, a.Listing)
			}
		}
		enc := json.NewEncoder(s.stdout)
		enc.SetIndent("", "  ")
		enc.SetEscapeHTML(false)
		enc.Encode(out)
		return
	}
	for _, r := range v.Rows {
		fmt.Fprintf(s.stdout, "%s: %s\n", r.Name, r.Text)
	}
	for _, a := range found {
		fmt.Fprintln(s.stdout, tray.AlertText(a))
	}
	for _, t := range v.Troubles {
		fmt.Fprintln(s.stdout, t.Text)
	}
}

// testMail is `notifio test-mail`.
func (s system) testMail(ctx context.Context, p place, args []string) int {
	if len(args) > 0 {
		return s.wrong("test-mail takes no arguments")
	}
	c, err := s.load(p)
	if err != nil {
		s.fail(err)
		return exitUsage
	}
	post, err := s.newPost(c, p)
	if err != nil {
		return s.fail(err)
	}
	said, err := post.test(ctx)
	if err != nil {
		return s.fail(err)
	}
	fmt.Fprintln(s.stdout, said)
	p.tell(retryMail) // a running Notifio sends at once what it could not send before
	return exitFine
}

// storePassword is `notifio password`.
func (s system) storePassword(ctx context.Context, p place, args []string) int {
	if len(args) > 0 {
		return s.wrong("password takes no arguments: it asks for the password, so that no other program sees it")
	}
	c, err := s.load(p)
	if err != nil {
		s.fail(err)
		return exitUsage
	}
	if c.Mail == nil || c.Mail.Username == "" {
		return s.fail(fmt.Errorf("%s has no username under [mail]: fill that in first", p.config))
	}
	password, err := s.askPassword(c.Mail.Username)
	if err != nil {
		return s.fail(err)
	}
	if err := mail.StorePassword(ctx, c.Mail.Username, password); err != nil {
		return s.fail(err)
	}
	fmt.Fprintln(s.stdout, "Stored. Try it with: notifio test-mail")
	p.tell(retryMail)
	return exitFine
}

// askPassword reads one line, unseen where there is a terminal.
func (s system) askPassword(user string) (string, error) {
	if in, ok := s.stdin.(*os.File); ok && term.IsTerminal(int(in.Fd())) {
		fmt.Fprintf(s.stderr, "Password for %s: ", user)
		secret, err := term.ReadPassword(int(in.Fd()))
		fmt.Fprintln(s.stderr)
		return string(secret), err
	}
	line, err := bufio.NewReader(s.stdin).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}
	line = strings.TrimRight(line, "\r\n")
	if line == "" {
		return "", errors.New("no password was given: type it, or pipe it in")
	}
	return line, nil
}
