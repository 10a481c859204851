//go:build !windows && !darwin

package tray

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/godbus/dbus/v5"
)

const (
	watcherName = "org.kde.StatusNotifierWatcher"
	watcherPath = "/StatusNotifierWatcher"

	// busTimeout is what every answer of the bus and of a service on it gets.
	busTimeout = 3 * time.Second
)

// reconnect are the waits between attempts to reach a session bus that is gone;
// the last one repeats.
var reconnect = []time.Duration{time.Second, 2 * time.Second, 5 * time.Second, 15 * time.Second}

// Available says whether a panel can show the icon at this moment, and if not, why
// and what to do, in one sentence. It answers within a few seconds, whatever the
// bus does.
func Available(ctx context.Context) (ok bool, reason string) {
	conn, err := connect(ctx)
	if err != nil {
		return false, noBus(err)
	}
	defer conn.Close()
	h := ask(ctx, conn)
	return h.ok, h.reason
}

// watchHosts reports who can show the icon, whenever that changes, until ctx ends.
// Only the newest report counts.
func watchHosts(ctx context.Context, hosts chan host) {
	for bus, misses := 1, 0; ctx.Err() == nil; bus += 2 {
		conn, err := connect(ctx)
		if err == nil {
			misses = 0
			err = follow(ctx, conn, bus, hosts)
			conn.Close()
		}
		if ctx.Err() != nil {
			return
		}
		offer(hosts, host{bus: bus + 1, reason: noBus(err), cause: err})
		select {
		case <-ctx.Done():
		case <-time.After(reconnect[min(misses, len(reconnect)-1)]):
			misses++
		}
	}
}

var errBusGone = errors.New("the connection was closed")

// follow reports until the connection ends, or ctx.
func follow(ctx context.Context, conn *dbus.Conn, bus int, hosts chan host) error {
	signals := make(chan *dbus.Signal, 16)
	conn.Signal(signals)
	matches := [][]dbus.MatchOption{
		{dbus.WithMatchInterface("org.freedesktop.DBus"), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, watcherName)},
		{dbus.WithMatchInterface(watcherName), dbus.WithMatchMember("StatusNotifierHostRegistered")},
		{dbus.WithMatchInterface(watcherName), dbus.WithMatchMember("StatusNotifierHostUnregistered")},
	}
	for _, m := range matches {
		if err := conn.AddMatchSignalContext(ctx, m...); err != nil {
			return err
		}
	}
	for {
		h := ask(ctx, conn)
		if !conn.Connected() {
			return errBusGone
		}
		h.bus = bus
		offer(hosts, h)
		select {
		case <-ctx.Done():
			return ctx.Err()
		case _, open := <-signals:
			if !open {
				return errBusGone
			}
		}
	}
}

// ask asks once whether a panel is there that shows icons.
func ask(ctx context.Context, conn *dbus.Conn) host {
	ctx, cancel := context.WithTimeout(ctx, busTimeout)
	defer cancel()
	var owned bool
	err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.NameHasOwner", 0, watcherName).Store(&owned)
	if err != nil {
		return host{reason: noBus(err), cause: err}
	}
	if !owned {
		return host{reason: noPanel(os.Getenv("XDG_CURRENT_DESKTOP"))}
	}
	var has dbus.Variant
	err = conn.Object(watcherName, watcherPath).CallWithContext(ctx, "org.freedesktop.DBus.Properties.Get", 0,
		watcherName, "IsStatusNotifierHostRegistered").Store(&has)
	if shown, isBool := has.Value().(bool); err == nil && isBool && !shown {
		return host{reason: "the panel has no place for icons yet; the icon appears as soon as it has one"}
	}
	return host{ok: true}
}

// noPanel says what is missing on a desktop, as XDG_CURRENT_DESKTOP names it.
func noPanel(desktop string) string {
	if strings.Contains(strings.ToUpper(desktop), "GNOME") {
		return `GNOME shows no tray icons by itself: install and switch on the extension "AppIndicator and KStatusNotifierItem Support", and the icon appears`
	}
	return "no panel with a tray (StatusNotifier) is running; the icon appears as soon as one is"
}

// noBus says what is missing when the bus cannot be used. The cause is left to the
// log: it differs from attempt to attempt.
func noBus(err error) string {
	if errors.Is(err, errNoSession) {
		return err.Error()
	}
	return "the desktop's session bus (D-Bus) does not answer; the icon appears as soon as it does"
}

var errNoSession = errors.New("no desktop session is running here (no D-Bus session bus)")

// connect opens a connection of our own to the session bus: the shared one belongs
// to the tray library, which closes it. No bus is started, and a bus that does not
// answer is given up.
func connect(ctx context.Context) (*dbus.Conn, error) {
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") == "" && !hasUserBus() {
		return nil, errNoSession
	}
	ctx, cancel := context.WithCancel(ctx)
	late := time.AfterFunc(busTimeout, cancel)
	conn, err := dbus.ConnectSessionBus(dbus.WithContext(ctx))
	if !late.Stop() {
		err = errors.Join(err, context.DeadlineExceeded)
	}
	if err != nil {
		cancel()
		return nil, err
	}
	context.AfterFunc(conn.Context(), cancel)
	return conn, nil
}

// hasUserBus looks where systemd puts the bus of a user, which the D-Bus library
// finds without being told.
func hasUserBus() bool {
	_, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid()))
	return err == nil
}
