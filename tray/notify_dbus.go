//go:build !windows && !darwin

package tray

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"slices"
	"strings"
	"sync"

	"github.com/godbus/dbus/v5"
	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

const (
	notifications     = "org.freedesktop.Notifications"
	notificationsPath = "/org/freedesktop/Notifications"

	// rememberedLinks bounds how many banners can still be clicked.
	rememberedLinks = 64
)

// Run shows the banners that are handed to Notify, until ctx ends. Banners that
// are waiting then are dropped.
func (n *Notifier) Run(ctx context.Context) error {
	s := service{open: n.clicked}
	defer s.close()
	for {
		select {
		case <-ctx.Done():
			return nil
		case b := <-n.queue:
			n.settle(s.show(ctx, b))
		case sig, open := <-s.signals:
			if !open {
				s.close()
			} else {
				s.hear(sig)
			}
		}
	}
}

// service is the desktop's notification service, over a connection of our own that
// is opened when it is needed. It belongs to the goroutine in Run.
type service struct {
	open    func(url string) // what a click does
	conn    *dbus.Conn
	signals chan *dbus.Signal
	caps    []string // nil: not known
	links   map[uint32]string
	ids     []uint32 // of links, oldest first
}

func (s *service) close() {
	if s.conn != nil {
		s.conn.Close()
	}
	*s = service{open: s.open}
}

// show puts up one banner. The service gets three seconds for everything.
func (s *service) show(ctx context.Context, b monitor.Banner) error {
	life := ctx
	ctx, cancel := context.WithTimeout(ctx, busTimeout)
	defer cancel()
	if err := s.reach(ctx, life); err != nil {
		return plainError(err)
	}
	body := b.Body
	if slices.Contains(s.caps, "body-markup") {
		body = escapeMarkup(body)
	}
	var actions []string
	if b.URL != "" && slices.Contains(s.caps, "actions") {
		actions = []string{"default", "Open"}
	}
	hints := map[string]dbus.Variant{
		"urgency":       dbus.MakeVariant(byte(1)),
		"desktop-entry": dbus.MakeVariant("notifio"),
		"image-data":    dbus.MakeVariant(bannerImage()),
	}
	var id uint32
	err := s.conn.Object(notifications, notificationsPath).CallWithContext(ctx, notifications+".Notify", 0,
		appName, uint32(0), "", b.Title, body, actions, hints, int32(-1)).Store(&id)
	if err != nil {
		return plainError(err)
	}
	if actions != nil {
		s.remember(id, b.URL)
	}
	return nil
}

// reach connects, hears what the bus has said so far, and asks what the service can do,
// where that is not known yet. The connection lasts for life, longer than this banner's
// ctx.
func (s *service) reach(ctx, life context.Context) error {
	if s.conn == nil {
		conn, err := connect(life)
		if err != nil {
			return err
		}
		s.conn, s.signals = conn, make(chan *dbus.Signal, 64)
		conn.Signal(s.signals)
		if err := s.subscribe(ctx); err != nil {
			s.close()
			return err
		}
	}
	if err := s.catchUp(ctx); err != nil || s.caps != nil {
		return err
	}
	caps := []string{}
	err := s.conn.Object(notifications, notificationsPath).CallWithContext(ctx, notifications+".GetCapabilities", 0).Store(&caps)
	if err == nil {
		s.caps = caps
	}
	return err
}

// catchUp asks the bus for an answer, and hears the signals that came before it: what
// was known of a service that has ended must not be used on the next one.
func (s *service) catchUp(ctx context.Context) error {
	if err := s.conn.BusObject().CallWithContext(ctx, "org.freedesktop.DBus.GetId", 0).Err; err != nil {
		return err
	}
	for {
		select {
		case sig, open := <-s.signals:
			if open {
				s.hear(sig)
				continue
			}
		default:
		}
		return nil
	}
}

// subscribe asks for clicks, from the service alone, and for its restarts: a new
// one counts its banners from one again.
func (s *service) subscribe(ctx context.Context) error {
	err := s.conn.AddMatchSignalContext(ctx, dbus.WithMatchSender(notifications),
		dbus.WithMatchInterface(notifications), dbus.WithMatchMember("ActionInvoked"))
	if err != nil {
		return err
	}
	return s.conn.AddMatchSignalContext(ctx, dbus.WithMatchInterface("org.freedesktop.DBus"),
		dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, notifications))
}

// hear opens the link of the banner that was clicked, and forgets the links of a
// service that has ended.
func (s *service) hear(sig *dbus.Signal) {
	switch sig.Name {
	case "org.freedesktop.DBus.NameOwnerChanged":
		s.caps, s.links, s.ids = nil, nil, nil
	case notifications + ".ActionInvoked":
		var id uint32
		var action string
		if dbus.Store(sig.Body, &id, &action) == nil && action == "default" && s.links[id] != "" {
			s.open(s.links[id])
		}
	}
}

func (s *service) remember(id uint32, url string) {
	if s.links == nil {
		s.links = map[uint32]string{}
	}
	s.links[id] = url
	if s.ids = append(s.ids, id); len(s.ids) > rememberedLinks {
		delete(s.links, s.ids[0])
		s.ids = s.ids[1:]
	}
}

// escapeMarkup writes text so that a service that reads markup shows it as it is.
func escapeMarkup(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
}

// plainError says in words what the usual failures mean.
func plainError(err error) error {
	var d dbus.Error
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return errServiceHangs
	case errors.Is(err, errNoSession):
		return err
	case errors.As(err, &d) && d.Name == "org.freedesktop.DBus.Error.ServiceUnknown":
		return errors.New("no notification service is running on this desktop")
	}
	return fmt.Errorf("notification service: %w", err)
}

// rawImage is a picture as the "image-data" hint takes it.
type rawImage struct {
	Width, Height, Stride int32
	Alpha                 bool
	Bits, Channels        int32
	Pixels                []byte
}

// bannerImage is the program's picture; it needs no file and no icon theme.
var bannerImage = sync.OnceValue(func() rawImage {
	img, err := png.Decode(bytes.NewReader(assets.AppIcon()))
	if err != nil {
		return rawImage{Bits: 8, Channels: 4, Alpha: true}
	}
	m := image.NewNRGBA(img.Bounds())
	draw.Draw(m, m.Bounds(), img, img.Bounds().Min, draw.Src)
	size := m.Bounds().Size()
	return rawImage{int32(size.X), int32(size.Y), int32(m.Stride), true, 8, 4, m.Pix}
})
