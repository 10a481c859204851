package monitor

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"
)

// Options are what a Monitor works with. Settings, Checker, Ledger, Teller and Log are
// required.
type Options struct {
	Settings Settings
	Memory   Memory // what Ledger kept
	Checker  Checker
	Ledger   Ledger
	Teller   Teller
	Log      *slog.Logger // the activity log, read by the user

	Replier     Replier      // nil: no replies
	Journal     ReplyJournal // nil: no replies
	Replied     []ReplyEntry // what Journal kept, in its order
	HoldReplies bool         // until the user's click

	Publish func(View) // called from the monitor's goroutine; must not block
	// MailLookup resolves the mail server's name; nil where none is configured.
	MailLookup func(context.Context) error
	Timing     Timing           // zero: DefaultTiming
	Wall       func() time.Time // zero: time.Now; tells sleep and jumps of the clock
	Rand       *rand.Rand       // zero: seeded by the system
	// AtLogin says that the system has started the program and not its user: the
	// first cycle waits for a part of an interval, never of a longer one than that of
	// Timing, unless CheckNow is called.
	AtLogin bool
	// Once makes Run return after one cycle.
	Once bool
}

// Monitor watches the searches. All of its fields but events belong to the goroutine in
// Run; the methods that others call hand it a function to run.
type Monitor struct {
	*common
	opts      Options
	events    *Events
	book      *book
	incidents *incidents

	settings  Settings
	watches   []*watch // in the order of the file
	cycle     *cycle   // nil between cycles
	cycles    int      // begun since the start
	cutChecks int      // checks of cut cycles that have not returned yet
	resting   bool     // the browser is being looked after
	signing   *signIn  // a sign-in window is open or about to be; nil when there is none
	offline   bool

	began      time.Time     // monotonic: the last cycle that was no early one
	target     time.Duration // from there to the next: interval ± jitter, as drawn
	nextCycle  time.Time     // monotonic; zero while checking or paused
	early      []*watch      // to be checked before it
	cycleEnded time.Time     // monotonic
	doneSince  time.Time     // wall: the next cycle goes on with one that was cut, and what was checked since stands; zero: it does not
	uncut      Backoff       // until when sleep cuts no other cycle
	paused     bool
	pause      Backoff // how long; its RetryAt is zero until resumed by hand
	pulse      pulse

	replies replies
}

// common is what every part of the monitor works with.
type common struct {
	timing Timing
	log    *slog.Logger
	rand   *rand.Rand
	wall   func() time.Time
	teller Teller
}

// host is a host's record with what need not survive a restart.
type host struct {
	rec       HostRecord
	reason    string    // for the rows of its held searches
	nextStart time.Time // monotonic: no request before this
	early     time.Time // monotonic: the last check before its turn
	replyNext bool      // a reply waits for nothing but its turn
}

// watch is a search at work.
type watch struct {
	search  Search
	view    string
	pace    Backoff   // of its own, beside its host's
	failed  int       // checks in a row that failed beside clean siblings
	strayed int       // checks in a row that were not results
	started time.Time // wall: start of the last check
	row     Row
	paid    idents // the promoted listings of the last page

	signedOut bool // until it is served again

	refused bool // the last time that it was answered
	beside  bool // since then another search of its host was served
	alone   bool // so its host is not held for it
}

// NewMonitor makes a Monitor from what the disk remembers. It does nothing before Run.
func NewMonitor(o Options) *Monitor {
	if o.Timing.Interval == 0 {
		o.Timing = DefaultTiming()
	}
	if o.Wall == nil {
		o.Wall = time.Now
	}
	if o.Rand == nil {
		o.Rand = rand.New(rand.NewPCG(rand.Uint64(), rand.Uint64()))
	}
	if o.Publish == nil {
		o.Publish = func(View) {}
	}
	c := &common{timing: o.Timing, log: o.Log, rand: o.Rand, wall: o.Wall, teller: o.Teller}
	in := &incidents{common: c, open: map[string]incident{}}
	m := &Monitor{common: c, opts: o, events: NewEvents(), incidents: in, book: newBook(o.Ledger, in, o.Memory)}
	m.replies = newReplies(o.Replied, o.HoldReplies)
	return m
}

// CheckNow runs the timer's next cycle at once. It does nothing while a cycle is
// in flight or the monitor is paused, and waits out the floor after a cycle.
func (m *Monitor) CheckNow() {
	m.do(func() {
		if m.cycle == nil && !m.paused {
			m.hasten(0)
		}
	})
}

// Pause stops all requests within a second, also in the middle of a page load,
// until the given time or, when that is zero, until Resume.
func (m *Monitor) Pause(until time.Time) {
	m.do(func() {
		m.paused, m.pause = true, Backoff{}
		if !until.IsZero() {
			m.pause = waitFor(until.Sub(m.now()), m.now())
		}
		m.cut()
		m.stopReply()
		m.nextCycle = time.Time{}
		m.log.Info("Paused")
	})
}

// Resume ends a pause; the next cycle follows at once.
func (m *Monitor) Resume() { m.do(m.resume) }

func (m *Monitor) resume() {
	if !m.paused {
		return
	}
	m.paused, m.pause = false, Backoff{}
	m.log.Info("Resumed")
	m.hasten(0)
}

// PauseSearch stops or resumes the checks of one search, also across restarts. A
// check that is in flight goes on to its end.
func (m *Monitor) PauseSearch(url string, paused bool) {
	m.do(func() {
		rec := m.book.record(url, "")
		rec.Paused = paused
		m.book.put(rec)
		m.book.save(Change{Records: []Record{rec}})
		m.dropIdle()
		for _, w := range m.watches {
			if w.search.URL == url && !paused {
				m.soon(w)
			}
		}
	})
}

// Reload puts new settings in place of the old ones. Searches are recognised by
// their URL; a cycle in flight goes on with those that are still there.
func (m *Monitor) Reload(s Settings) {
	m.do(func() {
		m.apply(s)
		m.replyTrouble()
		m.log.Info("Configuration read", "searches", len(s.Searches))
	})
}

// Wake looks again at what waits for something that others have done: a reply waits
// until its listing is told.
func (m *Monitor) Wake() { m.do(func() {}) }

// Report begins, changes or (with an empty text) ends a trouble that others have
// noticed: the configuration, the browser, the tray, the mail. It is logged, and shown
// as a banner when it begins; that of the mail when it lasts.
func (m *Monitor) Report(source, text string) {
	m.do(func() { m.incidents.report(source, text, source != "mail") })
}

// SessionRenewed says that the user has signed in to a host, or answered its
// robot check: its searches are asked again without waiting out their paces.
func (m *Monitor) SessionRenewed(hostName string) {
	m.do(func() {
		for _, w := range m.watches {
			if w.search.Host() == hostName {
				w.pace.RetryAt = time.Time{}
			}
		}
		if h := m.book.host(hostName); h.rec.Held() {
			h.rec.RetryAt = m.now()
		}
		m.hasten(0)
	})
}

// do hands f to the monitor's goroutine. After Run has ended it does nothing.
func (m *Monitor) do(f func()) { m.events.Do(f) }

// ask is do for callers that need an answer.
func (m *Monitor) ask(ctx context.Context, f func() error) error { return m.events.Ask(ctx, f) }

// notice shows a banner about something else than a listing; write mails it.
func (c *common) notice(b Banner) { c.teller.Notice(b, false) }
func (c *common) write(b Banner)  { c.teller.Notice(b, true) }

// now is the time on the wall, without Go's monotonic reading, so that a
// difference of two of them is what a clock on the wall would show.
func (c *common) now() time.Time { return c.wall().Round(0) }

// spread draws uniformly from d ± by.
func (c *common) spread(d, by time.Duration) time.Duration {
	return Draw(d, by, c.rand.Float64())
}
