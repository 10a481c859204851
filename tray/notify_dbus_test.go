//go:build linux

package tray

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/monitor"
)

// notifierOn runs a notifier on d until the test ends. Links that are opened
// arrive on the channel.
func notifierOn(t *testing.T, d *desktop.Desktop) (*Notifier, *lockedBuffer, <-chan string) {
	t.Helper()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", d.Address())
	log, opened := &lockedBuffer{wrote: make(chan struct{}, 1)}, make(chan string, 8)
	n := NewNotifier(NotifierOptions{
		Log:  slog.New(slog.NewTextHandler(log, nil)),
		Open: func(url string) error { opened <- url; return nil },
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { defer close(done); _ = n.Run(ctx) }()
	t.Cleanup(func() { cancel(); <-done })
	return n, log, opened
}

var someBanner = monitor.Banner{
	Title: "€ 1.450 · Wohnung <3 Zi.> & Bad",
	Body:  "Keizersgracht 1 <b>bold</b>\r\nCentrum & West",
	URL:   "https://x.example/1",
}

func TestBannerIsShownAsWritten(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications()
	n, _, _ := notifierOn(t, d)
	n.Notify(someBanner)
	b := d.AwaitBanners(1)[0]
	if want := "Keizersgracht 1 &lt;b&gt;bold&lt;/b&gt;\nCentrum &amp; West"; b.Body != want {
		t.Errorf("body %q, want %q", b.Body, want)
	}
	if b.Title != someBanner.Title || b.App != "Notifio" || len(b.Actions) != 2 || b.Actions[0] != "default" {
		t.Errorf("banner %+v", b)
	}
	if _, ok := b.Hints["image-data"]; !ok {
		t.Error("the banner has no picture")
	}
}

// Escapes would be shown as such by a service that reads no markup.
func TestBodyIsPlainWithoutMarkup(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications("body")
	n, _, _ := notifierOn(t, d)
	n.Notify(someBanner)
	b := d.AwaitBanners(1)[0]
	if want := "Keizersgracht 1 <b>bold</b>\nCentrum & West"; b.Body != want || len(b.Actions) != 0 {
		t.Errorf("body %q with actions %q, want %q without", b.Body, b.Actions, want)
	}
}

func TestClickOnBannerOpensItsLink(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications()
	n, _, opened := notifierOn(t, d)
	n.Notify(someBanner)
	n.Notify(monitor.Banner{Title: "no link", URL: "javascript:alert(1)"})
	banners := d.AwaitBanners(2)
	if len(banners[1].Actions) != 0 {
		t.Errorf("a banner without a proper link can be clicked: %+v", banners[1])
	}
	d.ClickBanner(99) // of another program
	d.ClickBanner(banners[0].ID)
	if got := await(t, opened); got != someBanner.URL {
		t.Errorf("opened %q", got)
	}
}

// A restarted service counts from one again: an old link must not be opened by a
// click on somebody else's banner.
func TestRestartedServiceForgetsLinks(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications()
	n, _, opened := notifierOn(t, d)
	n.Notify(someBanner)
	d.AwaitBanners(1)
	d.StopNotifications()
	d.StartNotifications("body")
	n.Notify(monitor.Banner{Title: "second", URL: "https://x.example/2"})
	if b := d.AwaitBanners(1)[0]; len(b.Actions) != 0 {
		t.Errorf("the new service was asked for what the old one could: %+v", b)
	}
	d.ClickBanner(1)
	n.Notify(monitor.Banner{Title: "third"})
	d.AwaitBanners(2)
	select {
	case url := <-opened:
		t.Errorf("opened %q", url)
	default:
	}
}

func TestHangingServiceBlocksNobodyAndIsLoggedOnce(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications()
	d.HangNotifications(true)
	n, log, _ := notifierOn(t, d)
	begin := time.Now()
	for i := range 3 * bannerQueue {
		n.Notify(monitor.Banner{Title: fmt.Sprint(i)})
	}
	if took := time.Since(begin); took > time.Second {
		t.Errorf("handing over took %v", took)
	}
	awaitLog(t, log, "does not answer")
	d.AwaitHungCall()
	d.HangNotifications(false)
	awaitLog(t, log, "shown again")
	if n := strings.Count(log.String(), "cannot be shown"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, log)
	}
}

func TestHangingServiceGetsThreeSeconds(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications()
	d.HangNotifications(true)
	n, log, _ := notifierOn(t, d)
	begin := time.Now()
	n.Notify(someBanner)
	awaitLog(t, log, "does not answer")
	if took := time.Since(begin); took < busTimeout || took > 2*busTimeout {
		t.Errorf("gave up after %v, want %v", took, busTimeout)
	}
}

func TestAbsentServiceIsNamedAndFoundLater(t *testing.T) {
	d := desktop.Start(t)
	n, log, _ := notifierOn(t, d)
	n.Notify(someBanner)
	awaitLog(t, log, "no notification service is running")
	d.StartNotifications()
	n.Notify(someBanner)
	d.AwaitBanners(1)
	awaitLog(t, log, "shown again")
}

func TestBannersComeBackWithTheBus(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications()
	n, log, _ := notifierOn(t, d)
	n.Notify(someBanner)
	d.AwaitBanners(1)
	d.StopBus()
	n.Notify(someBanner)
	awaitLog(t, log, "cannot be shown")
	d.StartBus()
	d.StartNotifications()
	n.Notify(someBanner)
	d.AwaitBanners(1)
}

func TestNoSessionIsSaidPlainly(t *testing.T) {
	if hasUserBus() {
		t.Skip("this machine has a session bus")
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	var s service
	if err := s.show(t.Context(), someBanner); err == nil || !strings.Contains(err.Error(), "no desktop session") {
		t.Errorf("error %v", err)
	}
}

// await takes one value, within the test's patience.
func await[T any](t *testing.T, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(desktop.Patience):
		t.Fatal("waited in vain")
		panic("unreachable")
	}
}

// awaitLog waits until something was logged.
func awaitLog(t *testing.T, log *lockedBuffer, want string) {
	t.Helper()
	late := time.After(desktop.Patience)
	for !strings.Contains(log.String(), want) {
		select {
		case <-log.wrote:
		case <-late:
			t.Fatalf("not logged: %q; the log is\n%s", want, log)
		}
	}
}

func TestTidyBannerIsPlainAndShort(t *testing.T) {
	b := tidy(monitor.Banner{Title: "a\x00\u202eb" + strings.Repeat("x", 300), Body: strings.Repeat("line\n\n", 20), URL: "file:///etc/passwd"})
	if b.URL != "" || len([]rune(b.Title)) > bannerTitleRunes || strings.Count(b.Body, "line") != bannerLines || strings.Contains(b.Title, "\u202e") {
		t.Errorf("tidied to %+v", b)
	}
	if !bytes.Contains(bannerImage().Pixels, []byte{0x0f, 0xa0, 0x84, 255}) {
		t.Error("the picture of banners has lost its colour")
	}
}
