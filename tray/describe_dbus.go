//go:build !windows && !darwin

package tray

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"
)

// DescribeHost says which program shows icons on this desktop. The error says what
// is missing, as Available does. It answers within a few seconds.
func DescribeHost(ctx context.Context) (string, error) {
	conn, err := connect(ctx)
	if err != nil {
		return "", errors.New(noBus(err))
	}
	defer conn.Close()
	h := ask(ctx, conn)
	if !h.ok {
		return "", errors.New(h.reason)
	}
	return "icons are shown by " + owner(ctx, conn, watcherName), nil
}

// owner is the name of the program behind a name on the bus.
func owner(ctx context.Context, conn *dbus.Conn, name string) string {
	ctx, cancel := context.WithTimeout(ctx, busTimeout)
	defer cancel()
	var pid uint32
	err := conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetConnectionUnixProcessID", 0, name).Store(&pid)
	if err != nil {
		return "a program that does not tell its name"
	}
	comm, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	if err != nil {
		return fmt.Sprintf("process %d", pid)
	}
	return clean(string(comm), nameRunes)
}

// DescribeNotifications says which service shows banners, and what it can do. It
// answers within a few seconds.
func DescribeNotifications(ctx context.Context) (string, error) {
	conn, err := connect(ctx)
	if err != nil {
		return "", errors.New(noBus(err))
	}
	defer conn.Close()
	ctx, cancel := context.WithTimeout(ctx, busTimeout)
	defer cancel()
	service := conn.Object(notifications, notificationsPath)
	var name, vendor, version, spec string
	if err := service.CallWithContext(ctx, notifications+".GetServerInformation", 0).Store(&name, &vendor, &version, &spec); err != nil {
		return "", plainError(err)
	}
	var caps []string
	if err := service.CallWithContext(ctx, notifications+".GetCapabilities", 0).Store(&caps); err != nil {
		return "", plainError(err)
	}
	slices.Sort(caps)
	return clean(fmt.Sprintf("%s %s, can %s", name, version, strings.Join(caps, ", ")), 4*textRunes), nil
}
