package main

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"notifio.app/notifio/browser"
	"notifio.app/notifio/config"
	"notifio.app/notifio/monitor"
)

// seat holds the browser, which changes when the configuration does.
type seat struct {
	app  *app
	mu   sync.Mutex
	conf config.Config
	b    *browser.Browser
	err  error
	// settled says that the browser works in the real profile, and not in a passing one.
	settled bool
	// pages is held for reading by who has a page open that a recycling would close.
	pages sync.RWMutex
}

func newSeat(a *app, c config.Config) *seat {
	s := &seat{app: a}
	s.take(c)
	return s
}

// take puts a browser of the given configuration into the seat.
func (s *seat) take(c config.Config) {
	s.conf = c
	profile, reason := s.app.place.workingProfile()
	if s.settled = reason == nil || c.Browser.Endpoint != ""; !s.settled { // a browser elsewhere has a profile of its own
		s.app.log.Warn("The browser's folder cannot be written, so it starts with an empty one and is signed in nowhere", "reason", reason)
	}
	s.b, s.err = browser.New(browser.Options{
		Executable: c.Browser.Executable, Headless: c.Browser.Headless, Endpoint: c.Browser.Endpoint,
		Profile: profile, Portals: c.Portals, Log: s.app.log, Demo: s.app.demoURL,
		Progress: s.progress, Limits: s.app.sys.limits,
	})
}

func (s *seat) progress(text string) {
	if s.app.mon != nil {
		s.app.mon.Report("browser", text)
	}
}

func (s *seat) now() (*browser.Browser, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b, s.err
}

func (s *seat) start(ctx context.Context) error {
	b, err := s.now()
	if err != nil {
		return err
	}
	return b.Start(ctx)
}

// change replaces the browser when its part of the configuration has changed.
// The profile is free only after the old one has ended.
func (s *seat) change(ctx context.Context, c config.Config) {
	s.mu.Lock()
	old := s.b
	same := c.Browser == s.conf.Browser && reflect.DeepEqual(c.Portals, s.conf.Portals)
	if !same {
		s.take(c)
	}
	next := s.b
	s.mu.Unlock()
	if !same {
		s.follow(ctx, old, next)
	}
}

// follow ends the old browser of the seat and starts the next one.
func (s *seat) follow(ctx context.Context, old, next *browser.Browser) {
	s.app.beside(func() {
		if old != nil {
			old.Close(ctx)
		}
		if next != nil {
			next.Start(ctx)
		}
	})
}

func (s *seat) close() {
	if b, _ := s.now(); b != nil {
		closeBrowser(b)
	}
}

func closeBrowser(b *browser.Browser) {
	ctx, cancel := context.WithTimeout(context.Background(), closeLimit)
	defer cancel()
	b.Close(ctx)
}

// closeLimit is how long the browser may take to end before it is killed.
const closeLimit = 10 * time.Second

func (s *seat) Check(ctx context.Context, search monitor.Search) (monitor.Page, error) {
	b, err := s.now()
	if err != nil {
		return monitor.Page{}, fmt.Errorf("%w: %w", monitor.ErrBrowser, err)
	}
	page, err := b.Check(ctx, search)
	s.moveOut(err)
	return page, err
}

func (s *seat) Rest(ctx context.Context) {
	if b, _ := s.now(); b != nil && s.pages.TryLock() {
		defer s.pages.Unlock()
		b.Rest(ctx)
	}
}
