package monitor

import (
	"context"
	"errors"
	"time"
)

// close looks at the cycle as a whole once every check is settled: is it the
// hosts that failed, or are we offline?
func (m *Monitor) close() {
	c := m.cycle
	c.closing = true
	tried, down := 0, 0
	for name, t := range c.tallies {
		if OnThisMachine("http://"+name) || !t.tried() {
			continue
		}
		tried++
		if t.failures > 0 && t.failures == t.unreachable && !t.clean && !t.answered {
			down++
		}
	}
	switch {
	case tried == 0:
		m.end(m.offline && len(c.tallies) == 0)
	case down < tried:
		m.end(false)
	case c.early: // a single search, which may be mistyped
		m.end(m.offline)
	case tried > 1 || m.opts.MailLookup == nil:
		m.end(true)
	default:
		m.lookUpMail(c)
	}
}

// restLimit is how long the browser may take to be recycled, which the next cycle waits
// for; lookupLimit is how long the mail server's name may take to resolve before the
// machine counts as offline.
const (
	restLimit   = 15 * time.Second
	lookupLimit = 3 * time.Second
)

// lookUpMail asks a second witness before a single host's failure counts as ours.
func (m *Monitor) lookUpMail(c *cycle) {
	go func() {
		_, err := Call(c.ctx, m.log, lookupLimit, func(ctx context.Context) (none struct{}, err error) { return none, m.opts.MailLookup(ctx) })
		m.do(func() {
			if m.cycle == c {
				m.end(err != nil)
			}
		})
	}()
}

func (t *tally) tried() bool { return t.failures > 0 || t.clean || t.answered }

// end moves the ladders of the hosts that failed, unless the trouble is ours,
// and schedules the next cycle.
func (m *Monitor) end(offline bool) {
	c := m.cycle
	switch {
	case offline && !m.offline:
		m.log.Warn("Offline: no host can be reached")
	case m.offline && !offline:
		m.log.Info("Online again")
	}
	m.offline = offline
	for name, t := range c.tallies {
		m.judge(m.book.host(name), t, offline)
	}
	c.stop()
	m.cycle, m.cycleEnded = nil, time.Now()
	m.teller.News(true)
	m.book.save(Change{Hosts: m.book.changedHosts()})
	m.schedule(c.early)
	m.rest(c.parent)
}

// judge is the end of a cycle for one host: errors count once, and only when
// nothing came through.
func (m *Monitor) judge(h *host, t *tally, offline bool) {
	if t.clean {
		for _, w := range t.failed {
			m.failedAlone(w)
		}
		return
	}
	if t.failures == 0 || offline {
		return
	}
	h.reason = t.reason
	switch {
	case t.probe != nil && h.rec.Ladder == RefusalLadder:
		h.rec.Backoff = h.rec.repeat(m.timing, m.now(), m.rand.Float64())
	case t.probe != nil:
		h.rec.Backoff = h.rec.Climb(ErrorLadder, m.timing, 0, m.now(), m.rand.Float64())
	case h.rec.Held(): // refused in this very cycle
		return
	default:
		h.rec.Errors++
		if h.rec.Errors < errorGrace {
			return
		}
		h.rec.Backoff = h.rec.Climb(ErrorLadder, m.timing, 0, m.now(), m.rand.Float64())
		h.rec.Probe = t.failed[len(t.failed)-1].search.URL
	}
	m.log.Warn(h.rec.Host+" does not answer. Leaving it alone", "reason", t.reason, "until", clock(h.rec.RetryAt))
}

// failedAlone counts a failure beside clean siblings: the third in a row is the
// search's own trouble, and it goes on at its own pace.
func (m *Monitor) failedAlone(w *watch) {
	w.failed++
	if w.failed >= troubleLimit && !w.pace.Held() {
		w.pace = waitFor(m.timing.TroublePace, m.now())
	}
}

// troubleLimit is how many checks in a row may go wrong for a search alone.
const troubleLimit = 3

// rest lets the browser be looked after while nothing is in flight.
func (m *Monitor) rest(ctx context.Context) {
	if m.replies.now != nil {
		return // its page is in use
	}
	m.resting = true
	go func() {
		_, err := Call(ctx, m.log, restLimit, func(ctx context.Context) (none struct{}, err error) { m.opts.Checker.Rest(ctx); return })
		m.do(func() {
			m.resting = false
			if errors.Is(err, ErrLeft) {
				m.log.Warn("The browser did not come to rest between two cycles")
			}
		})
	}()
}
