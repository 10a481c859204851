// Package desktop is a fake desktop for tests: a private D-Bus daemon with, when a
// test asks for them, a panel that shows tray icons and a notification service. It
// needs the program dbus-daemon, but no display.
//
// The panel speaks as real ones do (StatusNotifierItem and dbusmenu), the service
// speaks org.freedesktop.Notifications; both can start late, stop and come back,
// the service can hang, and the bus itself can die. Nothing here sleeps: what a
// test waits for is an event, with a deadline.
package desktop

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
)

// Patience is how long a test waits for an event before it fails.
const Patience = 2 * time.Minute

// Desktop is a session bus and what runs on it. Its methods may be called from any
// goroutine; those that fail the test, from the test's own.
type Desktop struct {
	t    testing.TB
	dir  string
	conf string

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at every event
	daemon  *exec.Cmd
	panel   *panel
	service *service
	seen    record
}

// Start runs a session bus with nothing on it until the test ends. Where there is
// no dbus-daemon, the test fails and says how to get it.
func Start(t testing.TB) *Desktop {
	t.Helper()
	if _, err := exec.LookPath("dbus-daemon"); err != nil {
		t.Fatal("dbus-daemon is missing, and this test needs it: apt-get install dbus-daemon")
	}
	// Not the test's own folder: a socket's path has little room.
	dir, err := os.MkdirTemp("", "desktop")
	if err != nil {
		t.Fatal(err)
	}
	d := &Desktop{t: t, dir: dir, conf: filepath.Join(dir, "bus.conf"), changed: make(chan struct{})}
	t.Cleanup(d.close)
	if err := os.WriteFile(d.conf, fmt.Appendf(nil, busConfig, d.Address()), 0o600); err != nil {
		t.Fatal(err)
	}
	d.StartBus()
	return d
}

// busConfig names no folder of services, so that nothing of the machine's own is
// started by a message.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>session</type>
  <listen>%s</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
`

// Address is where the bus listens, also while it is stopped.
func (d *Desktop) Address() string { return "unix:path=" + filepath.Join(d.dir, "bus") }

// Env is what the program under test needs in its environment.
func (d *Desktop) Env() []string { return []string{"DBUS_SESSION_BUS_ADDRESS=" + d.Address()} }

// StartBus starts the bus, for the first time or after StopBus, at the same
// address and with nothing on it.
func (d *Desktop) StartBus() {
	d.t.Helper()
	cmd := exec.Command("dbus-daemon", "--config-file="+d.conf, "--nofork", "--nopidfile", "--print-address")
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		_ = cmd.Process.Kill()
		d.t.Fatalf("dbus-daemon did not start: %v, %v", err, cmd.Wait())
	}
	d.mu.Lock()
	d.daemon = cmd
	d.mu.Unlock()
}

// StopBus kills the bus, and with it the panel and the service.
func (d *Desktop) StopBus() {
	d.StopPanel()
	d.StopNotifications()
	d.mu.Lock()
	cmd := d.daemon
	d.daemon = nil
	d.mu.Unlock()
	if cmd != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	}
	_ = os.Remove(filepath.Join(d.dir, "bus"))
}

func (d *Desktop) close() {
	d.StopBus()
	_ = os.RemoveAll(d.dir)
}

// connect opens a connection of the desktop's own.
func (d *Desktop) connect() *dbus.Conn {
	d.t.Helper()
	conn, err := dbus.Connect(d.Address())
	if err != nil {
		d.t.Fatalf("connect to the private bus: %v", err)
	}
	return conn
}

// update changes what has been seen, and wakes whoever waits.
func (d *Desktop) update(change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
	close(d.changed)
	d.changed = make(chan struct{})
}

// Changed is closed at the next event on the desktop.
func (d *Desktop) Changed() <-chan struct{} {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changed
}

// Await waits until ok says yes, asking again after each event on the desktop, and
// fails the test after Patience. What names the thing awaited.
func (d *Desktop) Await(what string, ok func() bool) {
	d.t.Helper()
	late := time.After(Patience)
	for {
		changed := d.Changed()
		if ok() {
			return
		}
		select {
		case <-changed:
		case <-late:
			d.t.Fatalf("waited %v in vain for: %s", Patience, what)
		}
	}
}
