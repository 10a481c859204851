package tray

import (
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"

	"notifio.app/notifio/monitor"
)

// appName is how Notifio is called beside its banners.
const appName = "Notifio"

// How much of a banner is shown, in runes and lines.
const (
	bannerTitleRunes = 100
	bannerLineRunes  = 200
	bannerLines      = 6
)

// bannerQueue is how many banners wait for a slow notification service. The
// monitor counts more than three new homes in one banner, so this is a long outage.
const bannerQueue = 32

// NotifierOptions are what a Notifier needs to know.
type NotifierOptions struct {
	Log *slog.Logger
	// Open is called when a banner with a URL is clicked; nil: OpenURL.
	Open func(url string) error
}

// Notifier shows desktop banners, one after another, from a worker of its own. It
// is a monitor.Notifier.
type Notifier struct {
	o       NotifierOptions
	queue   chan monitor.Banner
	down    atomic.Bool  // banners cannot be shown at present, and the log says so
	dropped atomic.Int64 // since then
}

var _ monitor.Notifier = (*Notifier)(nil)

// NewNotifier returns a notifier that shows banners while Run is running.
func NewNotifier(o NotifierOptions) *Notifier {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Open == nil {
		o.Open = OpenURL
	}
	return &Notifier{o: o, queue: make(chan monitor.Banner, bannerQueue)}
}

var errServiceHangs = errors.New("the notification service does not answer")

// Notify hands a banner over and returns at once. When too many are waiting, it is
// dropped.
func (n *Notifier) Notify(b monitor.Banner) {
	select {
	case n.queue <- tidy(b):
	default:
		n.settle(errServiceHangs)
	}
}

// settle takes note of whether a banner was shown. A trouble is logged when it
// begins and when it ends, not once per banner.
func (n *Notifier) settle(err error) {
	if err == nil {
		if n.down.Swap(false) {
			n.o.Log.Info("Banners are shown again.", "not shown", n.dropped.Swap(0))
		}
		return
	}
	n.dropped.Add(1)
	if !n.down.Swap(true) {
		n.o.Log.Warn("Banners cannot be shown: " + err.Error() + ". Emails and the menu are not affected.")
	}
}

// clicked opens the link of a banner.
func (n *Notifier) clicked(url string) {
	if err := n.o.Open(url); err != nil {
		n.o.Log.Warn("The link of a banner could not be opened.", "error", err)
	}
}

// tidy makes short plain text of what portals wrote, and keeps the link only when
// it may be opened.
func tidy(b monitor.Banner) monitor.Banner {
	url, err := webURL(b.URL)
	if err != nil {
		url = ""
	}
	var lines []string
	for l := range strings.Lines(b.Body) {
		if l = clean(l, bannerLineRunes); l != "" && len(lines) < bannerLines {
			lines = append(lines, l)
		}
	}
	return monitor.Banner{Title: clean(b.Title, bannerTitleRunes), Body: strings.Join(lines, "\n"), URL: url}
}
