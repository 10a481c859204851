package tray

import (
	"context"
	"log/slog"
	"time"

	"notifio.app/notifio/monitor"
)

// Actions are what the menu can ask for. They are called one after another, in
// the order of the clicks, on a goroutine of the tray's; each returns soon. TestMail
// and Report may take their time: each has a goroutine of its own, and a click while
// it is running does nothing. A nil function makes its item do nothing; without
// SignIn or Report the menu has no such item.
type Actions struct {
	CheckNow     func()
	Pause        func(until time.Time) // zero: until resumed
	Resume       func()
	PauseSearch  func(url string, paused bool) // Row.URL
	EditSearches func()
	OpenLog      func()
	Report       func() // make the report and show it
	TestMail     func()
	SetUpMail    func()
	MarkSeen     func()            // clicked, or the menu was opened
	Open         func(url string)  // a listing, or Row.URL, which may be "demo:NAME"
	SignIn       func(host string) // Row.Host
	SendReply    func(key string)  // ReplyRow.Key
	SkipReply    func(key string)  // ReplyRow.Key
	AllowReplies func()
	StartAtLogin func(on bool)
	Quit         func()
}

// Options are what a Tray needs to know.
type Options struct {
	Actions Actions
	Log     *slog.Logger
	// HasMail says whether email is set up. It is asked at every redraw, on the
	// tray's goroutine; nil: it is not.
	HasMail func() bool
	// StartsAtLogin says whether the system starts Notifio at login. It is asked
	// like HasMail; nil: this system cannot, and the menu has no such item.
	StartsAtLogin func() bool
	Version       string // for About
}

// Tray is the icon with its menu. Show may be called from any goroutine; Run once.
type Tray struct {
	o       Options
	views   chan monitor.View // one slot: only the newest counts
	changed chan struct{}     // one slot: an action may have changed what Options tell
}

// New returns a tray that shows nothing before Run.
func New(o Options) *Tray {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Tray{o: o, views: make(chan monitor.View, 1), changed: make(chan struct{}, 1)}
}

// Show hands over a view. It never blocks; a view that was not drawn yet is
// replaced.
func (t *Tray) Show(v monitor.View) { offer(t.views, v) }

// offer puts v into a mailbox of one slot, in place of what lies there.
func offer[T any](box chan T, v T) {
	for {
		select {
		case box <- v:
			return
		default:
		}
		select {
		case <-box:
		default:
		}
	}
}

// farewell is how long Run waits for the panel to let go of the icon. Quit takes
// effect within a second.
const farewell = 700 * time.Millisecond

// host is whether somebody can show the icon. Without a reason it is only not known
// yet.
type host struct {
	bus    int // counts the connections to the desktop, and their ends: an icon ends with its own
	ok     bool
	reason string // for the user, when not ok
	cause  error  // may be nil
}

// face is what is drawn at present. It belongs to the goroutine in live.
type face struct {
	t       *Tray
	native  *native
	painter painter
	view    monitor.View
	at      time.Time // of the last step, which is what countdowns go by
	host    host
	up      bool        // the icon has been handed over on host.bus
	late    *time.Timer // fires when a label that had to wait may be sent
}

// live draws until ctx ends. It is the one goroutine that drives the library.
func (t *Tray) live(ctx context.Context, n *native, hosts <-chan host) {
	f := &face{t: t, native: n, at: time.Now(), late: time.NewTimer(0)}
	defer f.late.Stop()
	clicks := make(chan Action, 32)
	go t.serve(ctx, clicks)
	steps := time.NewTicker(step)
	defer steps.Stop()
	for {
		select {
		case <-ctx.Done():
			n.stop()
			return
		case h := <-hosts:
			f.meet(h)
		case f.view = <-t.views:
			f.draw(false)
		case f.at = <-steps.C:
			// Between two steps the time of countdowns stands still: all rows of
			// a host agree, and a new view moves no label but those it is about.
			f.draw(true)
		case <-f.late.C:
			f.draw(false)
		case i := <-n.clicked:
			f.click(i, clicks)
		case <-t.changed:
			f.draw(false)
		case <-n.opened:
			f.draw(false) // others may switch off the start at login
			if f.view.Unseen > 0 {
				send(clicks, Action{Verb: MarkSeen})
			}
		}
	}
}

// meet hands the icon over when somebody can show it, once per bus: a panel that
// only restarts finds it again by itself.
func (f *face) meet(h host) {
	if h.reason != f.host.reason {
		f.report(h)
	}
	f.up = f.up && h.bus == f.host.bus
	f.host = h
	if !h.ok || f.up {
		return
	}
	f.at = time.Now()
	m := f.build()
	if first := f.native.start(m); first {
		f.painter.start(m)
	}
	f.painter.icon, f.painter.tooltip = m.Icon, m.Tooltip
	f.up = true
	f.draw(true)
}

// report logs when the icon cannot be shown, and when it can again.
func (f *face) report(h host) {
	if h.reason != "" {
		var cause []any
		if h.cause != nil {
			cause = []any{"cause", h.cause}
		}
		f.t.o.Log.Warn("The icon cannot be shown: "+h.reason, cause...)
		return
	}
	f.t.o.Log.Info("The icon is in the tray.")
}

func (f *face) build() Model {
	o := Offer{SignIn: f.t.o.Actions.SignIn != nil, Report: f.t.o.Actions.Report != nil, Version: f.t.o.Version}
	if f.t.o.HasMail != nil {
		o.Mail = f.t.o.HasMail()
	}
	if f.t.o.StartsAtLogin != nil {
		o.Login, o.AtLogin = true, f.t.o.StartsAtLogin()
	}
	return Menu(f.view, f.at, o)
}

func (f *face) draw(atStep bool) {
	if !f.up {
		return
	}
	now := time.Now()
	c := f.painter.paint(f.build(), now, atStep)
	if !c.due.IsZero() {
		f.late.Reset(c.due.Sub(now))
	}
	f.native.apply(c)
}

// click asks for what the item i stands for, as it was last drawn.
func (f *face) click(i int, clicks chan<- Action) {
	if i >= len(f.painter.drawn) {
		return
	}
	if d := f.painter.drawn[i]; d.visible && d.enabled && d.do.Verb != Nothing {
		f.painter.hurry()
		send(clicks, d.do)
	}
}

// send drops a click when dozens of them are waiting already.
func send(clicks chan<- Action, a Action) {
	select {
	case clicks <- a:
	default:
	}
}
