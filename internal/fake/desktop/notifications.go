package desktop

import (
	"fmt"
	"maps"
	"slices"

	"github.com/godbus/dbus/v5"
)

const (
	notifications     = "org.freedesktop.Notifications"
	notificationsPath = "/org/freedesktop/Notifications"
)

// Banner is one notification, as the service received it.
type Banner struct {
	ID         uint32
	App        string
	Icon       string
	Title      string
	Body       string // with markup, where the service advertises it
	Actions    []string
	Hints      map[string]dbus.Variant
	Persistent bool // it has no end of its own
}

// String has no pixels, so that a failing test can print a banner.
func (b Banner) String() string {
	return fmt.Sprintf("{%d %q %q %q, hints %q, persistent %v}", b.ID, b.Title, b.Body, b.Actions, slices.Sorted(maps.Keys(b.Hints)), b.Persistent)
}

// service is a notification service.
type service struct {
	d    *Desktop
	conn *dbus.Conn
	caps []string
	// guarded by Desktop.mu
	banners []Banner
	hung    chan struct{} // closed when the service no longer hangs; nil: it does not
	waiting int           // calls that hang at present
}

// StartNotifications starts a notification service with these capabilities;
// without any, with those of a usual one: actions, body and body-markup. A new
// service counts its banners from 1.
func (d *Desktop) StartNotifications(capabilities ...string) {
	d.t.Helper()
	if len(capabilities) == 0 {
		capabilities = []string{"actions", "body", "body-markup"}
	}
	s := &service{d: d, conn: d.connect(), caps: capabilities}
	d.mu.Lock()
	d.service = s
	d.mu.Unlock()
	if err := s.conn.Export(s, notificationsPath, notifications); err != nil {
		d.t.Fatal(err)
	}
	if _, err := s.conn.RequestName(notifications, dbus.NameFlagDoNotQueue); err != nil {
		d.t.Fatal(err)
	}
}

// StopNotifications ends the service, if there is one.
func (d *Desktop) StopNotifications() {
	d.HangNotifications(false)
	d.mu.Lock()
	s := d.service
	d.service = nil
	d.mu.Unlock()
	if s != nil {
		s.conn.Close()
	}
}

// HangNotifications lets the service take calls and not answer them, or answer
// again, then also those that wait.
func (d *Desktop) HangNotifications(hang bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch s := d.service; {
	case s == nil:
	case hang && s.hung == nil:
		s.hung = make(chan struct{})
	case !hang && s.hung != nil:
		close(s.hung)
		s.hung = nil
	}
}

// stall holds a call while the service hangs.
func (s *service) stall() {
	s.d.mu.Lock()
	hung := s.hung
	s.d.mu.Unlock()
	if hung == nil {
		return
	}
	s.d.update(func() { s.waiting++ })
	<-hung
	s.d.update(func() { s.waiting-- })
}

// AwaitHungCall waits until a program is waiting for an answer that does not come.
func (d *Desktop) AwaitHungCall() {
	d.t.Helper()
	d.Await("a call to the service that hangs", func() bool {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.service != nil && d.service.waiting > 0
	})
}

// GetCapabilities is called by the program under test.
func (s *service) GetCapabilities() ([]string, *dbus.Error) {
	s.stall()
	return s.caps, nil
}

// GetServerInformation is called by the program under test.
func (s *service) GetServerInformation() (name, vendor, version, spec string, err *dbus.Error) {
	return "fake desktop", "Notifio", "1", "1.2", nil
}

// CloseNotification is called by the program under test.
func (s *service) CloseNotification(uint32) *dbus.Error { return nil }

// Notify is called by the program under test.
func (s *service) Notify(app string, replaces uint32, icon, title, body string, actions []string,
	hints map[string]dbus.Variant, expires int32) (uint32, *dbus.Error) {
	s.stall()
	b := Banner{App: app, Icon: icon, Title: title, Body: body, Actions: actions, Hints: hints, Persistent: expires == 0}
	s.d.update(func() {
		b.ID = replaces
		if b.ID == 0 {
			b.ID = uint32(len(s.banners) + 1)
		}
		s.banners = append(s.banners, b)
	})
	return b.ID, nil
}

// Banners are what the present service was asked to show, oldest first.
func (d *Desktop) Banners() []Banner {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.service == nil {
		return nil
	}
	return slices.Clone(d.service.banners)
}

// AwaitBanners waits for n banners, and returns all that are there then.
func (d *Desktop) AwaitBanners(n int) []Banner {
	d.t.Helper()
	d.Await(fmt.Sprintf("%d banner(s)", n), func() bool { return len(d.Banners()) >= n })
	return d.Banners()
}

// ClickBanner clicks a banner. The service tells every program on the bus.
func (d *Desktop) ClickBanner(id uint32) {
	d.t.Helper()
	d.mu.Lock()
	s := d.service
	d.mu.Unlock()
	if s == nil {
		d.t.Fatal("no notification service is running")
	}
	if err := s.conn.Emit(notificationsPath, notifications+".ActionInvoked", id, "default"); err != nil {
		d.t.Fatal(err)
	}
}
