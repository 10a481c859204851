//go:build linux

package main

import (
	"context"
	"log/slog"
	"os"
	"syscall"
	"testing"

	"notifio.app/notifio/config"
	"notifio.app/notifio/internal/fake/portal"
	"notifio.app/notifio/monitor"
)

// The browser's folder cannot be written any more, as happens on a disk that fails: the
// check after that works in a passing profile, and later ones in the real one again.
func TestBrowserMovesOutOfAFolderThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	p := portal.Start(t)
	rooms := p.Host("a").Search("/rooms").ShowRange(20, 1)
	a := &app{sys: system{limits: unhurried()}, place: place{data: t.TempDir()}, log: slog.New(slog.DiscardHandler)}
	a.ctx, a.stop = context.WithCancel(t.Context())
	c := config.Default()
	c.Browser.Headless, c.Browser.Executable = true, os.Getenv("NOTIFIO_BROWSER")
	s := newSeat(a, c)
	a.seat = s
	defer func() { a.stop(); s.close(); a.work.Wait() }()
	profile := a.place.profile()
	if err := syscall.Mount(profile, profile, "", syscall.MS_BIND, ""); err != nil {
		t.Skipf("a folder that can only be read needs a mount, which needs root: %v", err)
	}
	defer syscall.Unmount(profile, syscall.MNT_DETACH)
	if err := syscall.Mount("", profile, "", syscall.MS_REMOUNT|syscall.MS_BIND|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	search := monitor.Search{Name: "Rooms", URL: rooms.URL(), Enabled: true}
	check := func(settled bool) {
		t.Helper()
		page, err := s.Check(t.Context(), search)
		if err != nil || len(page.Listings) != 20 || s.settled != settled {
			t.Fatalf("%s %q, %d listings, %v; settled %v", page.Verdict, page.Reason, len(page.Listings), err, s.settled)
		}
	}
	if _, err := s.Check(t.Context(), search); err == nil {
		t.Fatal("the first check went well in a folder that cannot be written")
	}
	check(false)
	s.moveIn()
	check(false) // it still cannot be written
	if err := syscall.Unmount(profile, syscall.MNT_DETACH); err != nil {
		t.Fatal(err)
	}
	s.pages.RLock()
	s.moveIn()
	check(false) // somebody has a page open
	s.pages.RUnlock()
	s.moveIn()
	check(true)
}
