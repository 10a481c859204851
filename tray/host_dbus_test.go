//go:build linux

package tray

import (
	"context"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/desktop"
)

func TestAvailableSaysWhatIsMissing(t *testing.T) {
	d := desktop.Start(t)
	ask := func(address, desktopName, want string) {
		t.Helper()
		t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
		t.Setenv("XDG_CURRENT_DESKTOP", desktopName)
		ok, reason := Available(t.Context())
		if ok != (want == "") || !strings.Contains(reason, want) {
			t.Errorf("available %v, because %q; want %q", ok, reason, want)
		}
	}
	if !hasUserBus() {
		ask("", "", "no desktop session")
	}
	ask("unix:path=/nowhere/bus", "", "does not answer")
	ask(d.Address(), "sway", "no panel with a tray")
	ask(d.Address(), "ubuntu:GNOME", `"AppIndicator and KStatusNotifierItem Support"`)
	d.StartWatcher()
	ask(d.Address(), "", "no place for icons yet")
	d.RegisterHost()
	ask(d.Address(), "", "")
}

// A bus that takes the connection and says nothing must not hold up the start.
func TestBusThatNeverAnswersIsGivenUp(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+path)
	begin := time.Now()
	if ok, reason := Available(t.Context()); ok || !strings.Contains(reason, "does not answer") {
		t.Errorf("available %v, because %q", ok, reason)
	}
	if took := time.Since(begin); took > 3*busTimeout {
		t.Errorf("gave up after %v", took)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if ok, _ := Available(ctx); ok {
		t.Error("available although nobody wants to know any more")
	}
}

func TestHostsAreFollowed(t *testing.T) {
	d := desktop.Start(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", d.Address())
	ctx, cancel := context.WithCancel(t.Context())
	hosts, done := make(chan host, 1), make(chan struct{})
	go func() { defer close(done); watchHosts(ctx, hosts) }()
	until := func(what string, ok func(host) bool) host {
		t.Helper()
		for {
			if h := await(t, hosts); ok(h) {
				t.Logf("%s: %+v", what, h)
				return h
			}
		}
	}
	shown := func(h host) bool { return h.ok }
	hidden := func(h host) bool { return !h.ok }
	first := until("no panel", hidden)
	d.StartPanel()
	if h := until("panel", shown); h.bus != first.bus {
		t.Errorf("panel on bus %d, want %d", h.bus, first.bus)
	}
	d.StopPanel()
	until("panel gone", hidden)
	d.StartWatcher()
	until("watcher alone", func(h host) bool { return strings.Contains(h.reason, "no place") })
	d.RegisterHost()
	until("its host", shown)
	d.StopBus()
	until("bus gone", func(h host) bool { return strings.Contains(h.reason, "does not answer") })
	d.StartBus()
	d.StartPanel()
	if h := until("another bus", shown); h.bus == first.bus {
		t.Error("the bus that came back counts as the old one")
	}
	cancel()
	await(t, done)
}
