//go:build linux

package tray

import (
	"strings"
	"testing"

	"notifio.app/notifio/internal/fake/desktop"
)

func TestDesktopIsDescribed(t *testing.T) {
	d := desktop.Start(t)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", d.Address())
	if text, err := DescribeHost(t.Context()); err == nil || !strings.Contains(err.Error(), "no panel with a tray") {
		t.Errorf("without a panel: %q, %v", text, err)
	}
	if text, err := DescribeNotifications(t.Context()); err == nil || !strings.Contains(err.Error(), "no notification service") {
		t.Errorf("without a service: %q, %v", text, err)
	}
	d.StartPanel()
	d.StartNotifications()
	if text, err := DescribeHost(t.Context()); err != nil || !strings.HasPrefix(text, "icons are shown by tray") { // this very test
		t.Errorf("%q, %v", text, err)
	}
	if text, err := DescribeNotifications(t.Context()); err != nil || text != "fake desktop 1, can actions, body, body-markup" {
		t.Errorf("%q, %v", text, err)
	}
	d.HangNotifications(true)
	if text, err := DescribeNotifications(t.Context()); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("a service that hangs: %q, %v", text, err)
	}
	d.StopBus()
	if text, err := DescribeHost(t.Context()); err == nil || !strings.Contains(err.Error(), "does not answer") {
		t.Errorf("without a bus: %q, %v", text, err)
	}
}
