package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"notifio.app/notifio/browser"
	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/monitor/store"
)

// signIn is `notifio sign-in HOST`: a window of the running Notifio, or of this one
// where none is running.
func (s system) signIn(ctx context.Context, p place, args []string) int {
	if len(args) != 1 || strings.HasPrefix(args[0], "-") {
		return s.wrong("sign-in takes one host, or the name of one search")
	}
	unlock, free := p.lock()
	if !free {
		return s.askRunning(ctx, p, signInWord+" "+args[0], "A window opens at the search's page. Sign in there, and close it when you are done.", "Checks go on.")
	}
	defer unlock()
	c, err := s.load(p)
	if err != nil {
		s.fail(err)
		return exitUsage
	}
	row, err := chosen(rowsOf(c), args[0])
	if err != nil {
		return s.fail(err)
	}
	fmt.Fprintln(s.stdout, "A window opens at the search's page. Sign in there, and close it when you are done.")
	if err := s.openWindow(ctx, p, c, row); err != nil {
		return s.fail(err)
	}
	fmt.Fprintln(s.stdout, "The new session is kept for the next start of Notifio.")
	return exitFine
}

// openWindow lets the user sign in with a browser of its own, and ends the host's wait.
func (s system) openWindow(ctx context.Context, p place, c config.Config, row monitor.Row) error {
	log, file := p.log()
	defer file.Close()
	b, err := browser.New(browser.Options{
		Executable: c.Browser.Executable, Headless: true, Endpoint: c.Browser.Endpoint,
		Profile: p.profile(), Portals: c.Portals, Log: log, Limits: s.limits,
	})
	if err != nil {
		return err
	}
	defer closeBrowser(b)
	if err := b.SignIn(ctx, row.URL); err != nil {
		return err
	}
	return askSoon(ctx, p, row.Host)
}

// askSoon makes the next start ask a host that is being left alone, by one search.
func askSoon(ctx context.Context, p place, host string) error {
	opened, err := store.Open(ctx, p.data, time.Now())
	if err != nil {
		return err
	}
	defer opened.Store.Close()
	for _, h := range opened.Memory.Hosts {
		if h.Host == host && h.Ladder != monitor.NoLadder {
			h.RetryAt = time.Now()
			return opened.Store.Save(ctx, monitor.Change{Hosts: []monitor.HostRecord{h}})
		}
	}
	return nil
}

// askRunning hands a command to the Notifio that is running, and waits for its end.
// What that has to say is printed, or done where it says nothing.
func (s system) askRunning(ctx context.Context, p place, word, begun, done string) int {
	if begun != "" {
		fmt.Fprintln(s.stdout, begun)
	}
	said, err := p.ask(ctx, word)
	if err != nil {
		return s.fail(err)
	}
	if said == "" {
		said = done
	}
	fmt.Fprintln(s.stdout, said)
	return exitFine
}

// signIn opens a window for the menu, which does not wait for it.
func (a *app) signIn(host string) {
	a.beside(func() {
		if err := a.signInTo(host); err != nil && a.ctx.Err() == nil {
			a.log.Warn("There was no sign-in window", "host", host, "reason", err)
			a.desk.Notify(monitor.Banner{Title: "The sign-in window could not be opened", Body: err.Error()})
		}
	})
}

// signInTo shows a window for a host, or for a search, and returns when it is closed.
func (a *app) signInTo(word string) error {
	row, err := chosen(a.latest.Load().Rows, word)
	if err != nil {
		return err
	}
	return a.mon.SignIn(a.ctx, row.Host, func(ctx context.Context) error { return a.seat.signIn(ctx, row.URL) })
}

func (s *seat) signIn(ctx context.Context, url string) error {
	b, err := s.now()
	if err != nil {
		return err
	}
	return b.SignIn(ctx, url)
}

func rowsOf(c config.Config) []monitor.Row {
	var rows []monitor.Row
	for _, s := range c.Searches {
		r := monitor.Row{Name: s.Name, URL: s.URL, Host: s.Host()}
		if !s.Enabled {
			r.State = monitor.RowDisabled
		}
		rows = append(rows, r)
	}
	return rows
}

// chosen is the search that somebody means by a word: its name, its host or its
// address. Of several on one host it is the one that most needs a sign-in.
func chosen(rows []monitor.Row, word string) (monitor.Row, error) {
	host := strings.TrimPrefix(strings.ToLower(strings.TrimSpace(word)), "www.")
	if h := monitor.HostOf(word); h != "" {
		host = h
	}
	best, found := monitor.Row{}, -1
	var names []string
	for _, r := range rows {
		if strings.HasPrefix(r.URL, "demo:") {
			continue // nobody signs in to it
		}
		names = append(names, fmt.Sprintf("%s (%s)", r.Name, r.Host))
		if !strings.EqualFold(r.Name, strings.TrimSpace(word)) && r.Host != host {
			continue
		}
		if n := needs[r.State]; n > found {
			best, found = r, n
		}
	}
	switch {
	case found >= 0:
		return best, nil
	case len(names) == 0:
		return best, errors.New("no search is on a portal to sign in to: write one with Edit searches…")
	}
	return best, fmt.Errorf("no search is called %q or is on that host: there are %s", word, strings.Join(names, ", "))
}

// needs says how much a search in this state needs a sign-in; one that is not here
// needs it less than one that is.
var needs = map[monitor.RowState]int{
	monitor.RowSignedOut: 4, monitor.RowRefused: 3, monitor.RowHeld: 2, monitor.RowFine: 1, monitor.RowChecking: 1,
}
