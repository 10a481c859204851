// Package deliver tells what the checks have found: by banner, and at each destination.
//
// The ledger is its queue. An alert is saved together with a delivery for each
// destination, and this package takes what is pending there, one sender for each
// destination, and writes down what was told. One goroutine, the one in Run, owns all
// state; a letter is on its way beside it.
package deliver

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"notifio.app/notifio/monitor"
)

// Ledger keeps what is to be told, and to whom.
type Ledger interface {
	// Address says where things are told from now on; what a destination that is gone
	// was alone to hear is handed to the others.
	Address(ctx context.Context, destinations []string) error
	Outbox(ctx context.Context) (monitor.Outbox, error)
	Save(ctx context.Context, c monitor.Change) error
}

// Options are what a Teller works with. All but Told are required.
type Options struct {
	Settings monitor.Settings
	Ledger   Ledger
	Notifier monitor.Notifier
	Log      *slog.Logger // the activity log, read by the user
	Timing   monitor.Timing
	Wall     func() time.Time
	Publish  func(monitor.Deliveries) // called from the goroutine in Run; must not block
	Report   func(trouble string)     // "" when it is over; must not block
	Told     func()                   // something was told; must not block
}

// Teller tells. All of its fields but events belong to the goroutine in Run; its methods
// hand that a function to run.
type Teller struct {
	opts     Options
	log      *slog.Logger
	timing   monitor.Timing
	events   *monitor.Events
	settings monitor.Settings

	box      monitor.Outbox // what the ledger holds
	unread   bool           // it may hold more
	current  bool           // box was read in this very step
	owed     []monitor.Change
	newsAt   time.Time // monotonic: when news whose cycle goes on is told at the latest; zero: there is none
	senders  []*sender // in the order of the settings
	accounts map[string]*account
	banners  budget
	trouble  string
	finish   chan struct{} // closed when nothing is left to do; nil while nobody waits for that
}

var _ monitor.Teller = (*Teller)(nil)

// quitGrace is how long a letter that is on its way may take to get there after the
// program was told to quit. Quitting takes effect within a second.
const quitGrace = 800 * time.Millisecond

// New makes a Teller. It does nothing before Run.
func New(o Options) *Teller {
	if o.Told == nil {
		o.Told = func() {}
	}
	return &Teller{opts: o, log: o.Log, timing: o.Timing, events: monitor.NewEvents(), accounts: map[string]*account{}}
}

// Run tells until ctx ends; it returns within a second after that.
func (t *Teller) Run(ctx context.Context) {
	defer t.events.Close()
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop() // after the grace
	t.apply(t.opts.Settings)
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for {
		alarm.Reset(t.advance(work))
		select {
		case <-ctx.Done():
			t.quit()
			return
		case <-t.events.Some():
			t.events.Run()
		case <-alarm.C:
		}
	}
}

func (t *Teller) quit() {
	over := time.NewTimer(quitGrace)
	defer over.Stop()
	for slices.ContainsFunc(t.senders, func(s *sender) bool { return s.sending }) {
		select {
		case <-t.events.Some():
			t.events.Run()
		case <-over.C:
			return
		}
	}
}

// News says that alerts were saved; over, that their cycle has ended. Banners are shown
// at once; letters wait for the end of the cycle, ten seconds at most, so that other
// searches that find the same listing add their names to it.
func (t *Teller) News(over bool) {
	t.events.Do(func() {
		switch {
		case !over && t.newsAt.IsZero():
			t.unread, t.newsAt = true, time.Now().Add(t.timing.MailDelay)
		case !over:
			t.unread = true
		default:
			t.banners.shown = 0
			if !t.newsAt.IsZero() {
				t.newsAt = time.Now()
			}
		}
	})
}

// Notice shows a banner about something else than a listing, or mails it.
func (t *Teller) Notice(b monitor.Banner, mail bool) {
	t.events.Do(func() {
		if !mail {
			t.notice(b)
			return
		}
		for _, s := range t.senders {
			if s.to.Courier != nil {
				s.notices, s.news = append(s.notices, b), true
			}
		}
	})
}

// Awake tries again what failed for the time being: the waits stood still while the
// machine slept.
func (t *Teller) Awake() {
	t.events.Do(func() {
		for _, s := range t.senders {
			for _, w := range []*wait{&s.wait, &s.account.wait, &s.unknown} {
				if !w.hard {
					w.until = time.Time{}
				}
			}
			s.news = true
		}
	})
}

// Reload puts new settings in place of the old ones, and forgets all refusals: they may
// be mended by them.
func (t *Teller) Reload(s monitor.Settings) {
	t.events.Do(func() {
		t.apply(s)
		t.retry()
	})
}

// RetryMail tries everything again at once: what was refused for good, and letters that
// have perhaps arrived.
func (t *Teller) RetryMail() {
	t.events.Do(func() {
		t.retry()
		var c monitor.Change
		for _, m := range t.box.Messages {
			if m.Perhaps {
				c.Sent = append(c.Sent, m.ID)
			}
		}
		t.save(c)
	})
}

// MarkSeen says that the user has looked at the new listings.
func (t *Teller) MarkSeen() { t.events.Do(func() { t.save(monitor.Change{AllSeen: true}) }) }

// Finish returns when nothing is left to do but to wait for a retry, or when ctx ends.
func (t *Teller) Finish(ctx context.Context) {
	finished := make(chan struct{})
	t.events.Do(func() { t.finish = finished })
	select {
	case <-finished:
	case <-ctx.Done():
	case <-t.events.Done():
	}
}

// apply makes a sender for each destination. Who stays keeps its state.
func (t *Teller) apply(settings monitor.Settings) {
	t.settings = settings
	before := t.senders
	t.senders = nil
	var names []string
	for _, d := range settings.Destinations {
		i := slices.IndexFunc(before, func(s *sender) bool { return s.to.Name == d.Name })
		s := newSender()
		if i >= 0 {
			s = before[i]
		}
		s.to, s.account = d, t.account(d)
		t.senders, names = append(t.senders, s), append(names, d.Name)
	}
	if err := t.opts.Ledger.Address(context.Background(), names); err != nil {
		t.log.Warn("Who is to be told could not be written down", "reason", err)
	}
	t.unread = true
}

func (t *Teller) account(d monitor.Destination) *account {
	name := d.Account
	if name == "" {
		name = "of " + d.Name
	}
	if t.accounts[name] == nil {
		t.accounts[name] = &account{}
	}
	return t.accounts[name]
}

func (t *Teller) retry() {
	for _, s := range t.senders {
		s.retry()
	}
}

// advance does all that is due, publishes what has come of it, and says how long nothing
// will be due.
func (t *Teller) advance(ctx context.Context) time.Duration {
	t.current = false
	t.read()
	t.announce()
	now := time.Now()
	if !t.newsAt.IsZero() && !now.Before(t.newsAt) {
		t.newsAt = time.Time{}
		for _, s := range t.senders {
			s.news = true
		}
	}
	next := t.newsAt
	if len(t.owed) > 0 { // what was told is not written down: nothing is told twice for that
		next = now.Add(debtPause)
	} else {
		for _, s := range t.senders {
			next = earlier(next, t.serve(ctx, s, now))
		}
	}
	if t.quiet() && (len(t.banners.held) > 0 || len(t.silent()) > 0) {
		next = earlier(next, now.Add(quietPause))
	}
	t.report()
	t.opts.Publish(t.view())
	t.rest(next, now)
	if next.IsZero() {
		return time.Hour
	}
	return max(0, next.Sub(now))
}

const (
	debtPause  = time.Minute      // between two tries to write down what was told
	quietPause = 20 * time.Second // between two looks at the clock on the wall
)

// serve starts the next letter of a sender, or says when there may be one.
func (t *Teller) serve(ctx context.Context, s *sender, now time.Time) time.Time {
	if s.to.Courier == nil {
		return time.Time{}
	}
	j, at := s.next(t.box, now, t.now(), t.timing)
	if j != nil && !t.current { // a listing may have left its page since
		t.unread = true
		t.read()
		j, at = s.next(t.box, now, t.now(), t.timing)
	}
	if j == nil {
		return at
	}
	t.send(ctx, s, j)
	return time.Time{}
}

// rest ends a Finish when nothing is on its way or due.
func (t *Teller) rest(next, now time.Time) {
	if t.finish == nil || !t.newsAt.IsZero() || slices.ContainsFunc(t.senders, func(s *sender) bool { return s.sending }) {
		return
	}
	if next.IsZero() || next.After(now) {
		close(t.finish)
		t.finish = nil
	}
}

// read takes from the ledger what it holds.
func (t *Teller) read() {
	for len(t.owed) > 0 {
		if err := t.opts.Ledger.Save(context.Background(), t.owed[0]); err != nil {
			return
		}
		t.owed = t.owed[1:]
	}
	if !t.unread {
		return
	}
	box, err := t.opts.Ledger.Outbox(context.Background())
	if err != nil {
		t.log.Warn("What is to be told cannot be read", "reason", err)
		return
	}
	t.box, t.unread, t.current = box, false, true
}

// save writes what was told. What cannot be written is owed.
func (t *Teller) save(c monitor.Change) {
	t.unread = true
	if err := t.opts.Ledger.Save(context.Background(), c); err != nil {
		t.owed = append(t.owed, c)
		t.log.Warn("What was told cannot be written down", "reason", err)
	}
}

func (t *Teller) now() time.Time { return t.opts.Wall().Round(0) }

func (t *Teller) clock(in time.Duration) string { return t.now().Add(in).Local().Format("15:04") }

// report says what is wrong with the telling, when that has changed.
func (t *Teller) report() {
	trouble := ""
	for _, s := range t.senders {
		if trouble = s.trouble(t.box); trouble != "" {
			break
		}
	}
	if trouble != t.trouble {
		t.trouble = trouble
		t.opts.Report(trouble)
	}
}

// recent is how many listings a view has.
const recent = 10

// view is what others show: one entry for each listing.
func (t *Teller) view() monitor.Deliveries {
	v := monitor.Deliveries{Unseen: t.box.Unseen}
	place, pending := map[string]int{}, map[string]bool{}
	for _, a := range slices.Backward(t.box.Alerts) {
		key := a.Listing.Key
		if len(a.Pending) > 0 && !pending[key] {
			pending[key] = true
			v.Pending++
		}
		i, shown := place[key]
		switch {
		case !shown && len(v.Recent) < recent:
			place[key] = len(v.Recent)
			v.Recent = append(v.Recent, a)
		case shown && a.Kind == monitor.New && len(a.Pending) > 0: // it has the price of the drop
			v.Recent[i] = a
		}
	}
	return v
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

func count(n int) string {
	if n == 1 {
		return "1 listing"
	}
	return fmt.Sprintf("%d listings", n)
}
