package monitor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// cycle is one round over the searches that are due. It belongs to the
// monitor's goroutine; only the checks themselves run beside it.
type cycle struct {
	early    bool            // for searches that the user has just asked for, and no others
	began    time.Time       // on the wall
	parent   context.Context // ends with the program
	ctx      context.Context // ends with the cycle
	stop     context.CancelFunc
	queue    []*watch            // to be checked, in drawn order
	inFlight map[*watch]bool     // one per host, at most Lanes
	held     map[string][]*watch // by host: searches that wait for its probe
	tallies  map[string]*tally   // by host
	retried  map[*watch]bool     // their browser died once already
	done     int
	total    int
	wakeAt   time.Time // monotonic: when a check that is spaced out may start; zero: none
	closing  bool      // all checks are settled, offline is being looked into
}

// tally is what a cycle has seen of one host.
type tally struct {
	probe       *watch // the only search that may ask, until it has passed
	clean       bool
	answered    bool // signed out, not results: it is there, but nothing is cleared
	failures    int
	unreachable int
	failed      []*watch
	reason      string // of the last failure
}

// begin starts a cycle: a host in good standing has all its searches checked, a
// host whose wait is over has one, and a host that waits has none.
func (m *Monitor) begin(ctx context.Context) {
	early, done := m.early, m.doneSince
	m.early, m.doneSince = nil, time.Time{}
	if !time.Now().Before(m.nextCycle) {
		early = nil
	}
	if len(early) == 0 && done.IsZero() {
		m.began, m.target = time.Now(), m.spread(m.settings.Interval, m.settings.Jitter)
	}
	c := &cycle{
		early: len(early) > 0, began: m.now(), inFlight: map[*watch]bool{}, held: map[string][]*watch{},
		tallies: map[string]*tally{}, retried: map[*watch]bool{},
	}
	c.parent = ctx
	c.ctx, c.stop = context.WithCancel(ctx)
	m.cycle, m.nextCycle = c, time.Time{}
	m.cycles++
	m.mend()
	now := m.now()
	for _, group := range m.byHost() {
		h := m.book.host(group[0].search.Host())
		due := slices.DeleteFunc(duePaces(group, now), func(w *watch) bool {
			return c.early && !slices.Contains(early, w) || !done.IsZero() && w.row.Checked.After(done)
		})
		switch {
		case len(due) == 0 || h.rec.Waiting(now):
		case h.rec.Held():
			probe := nextProbe(group, due, h.rec.Probe)
			if probe == nil {
				continue
			}
			h.rec.Probe = probe.search.URL
			c.tally(probe).probe = probe
			c.queue = append(c.queue, probe)
			c.held[h.rec.Host] = without(due, probe)
		default:
			c.queue = append(c.queue, due...)
		}
	}
	for _, w := range early {
		m.book.host(w.search.Host()).early = time.Now()
	}
	m.shuffle(c.queue)
	c.total = len(c.queue)
}

// byHost groups the searches that are to be checked by host, both in the order
// of the file.
func (m *Monitor) byHost() [][]*watch {
	var groups [][]*watch
	place := map[string]int{}
	for _, w := range m.watches {
		if !m.watched(w) {
			continue
		}
		host := w.search.Host()
		i, seen := place[host]
		if !seen {
			i = len(groups)
			place[host] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], w)
	}
	return groups
}

func (m *Monitor) pausedSearch(w *watch) bool { return m.book.record(w.search.URL, "").Paused }

// duePaces are the searches that are not on a pace of their own.
func duePaces(group []*watch, now time.Time) []*watch {
	var due []*watch
	for _, w := range group {
		if !w.pace.Waiting(now) {
			due = append(due, w)
		}
	}
	return due
}

// nextProbe is the search after the last probe, so that one broken search does not keep
// a host down. One that is refused alone says nothing of the host, unless it has no
// other: nil where another is not due yet.
func nextProbe(group, due []*watch, last string) *watch {
	alone := func(w *watch) bool { return w.alone }
	if others := slices.DeleteFunc(slices.Clone(group), alone); len(others) > 0 {
		due = slices.DeleteFunc(slices.Clone(due), alone)
	}
	if len(due) == 0 {
		return nil
	}
	for i, w := range due {
		if w.search.URL == last {
			return due[(i+1)%len(due)]
		}
	}
	return due[0]
}

func without(all []*watch, one *watch) []*watch {
	var rest []*watch
	for _, w := range all {
		if w != one {
			rest = append(rest, w)
		}
	}
	return rest
}

// shuffle varies the order: the same sequence every half minute is a pattern,
// and its last search would always be the last to hear any news.
func (m *Monitor) shuffle(ws []*watch) {
	m.rand.Shuffle(len(ws), func(i, j int) { ws[i], ws[j] = ws[j], ws[i] })
}

func (c *cycle) tally(w *watch) *tally {
	host := w.search.Host()
	if c.tallies[host] == nil {
		c.tallies[host] = &tally{}
	}
	return c.tallies[host]
}

// dispatch starts every check that a lane, its host and its spacing allow now,
// and ends the cycle when nothing is left.
func (m *Monitor) dispatch() {
	c := m.cycle
	now := time.Now()
	c.wakeAt = time.Time{}
	busy := map[string]bool{}
	for w := range c.inFlight {
		busy[w.search.Host()] = true
	}
	var waiting []*watch
	for _, w := range c.queue {
		h := m.book.host(w.search.Host())
		switch {
		case len(c.inFlight) >= max(1, m.settings.Lanes) || busy[h.rec.Host]:
			waiting = append(waiting, w)
		case now.Before(h.nextStart), h.replyNext:
			waiting = append(waiting, w)
			c.wakeAt = earlier(c.wakeAt, h.nextStart)
		default:
			busy[h.rec.Host] = true
			m.check(w)
		}
	}
	c.queue = waiting
	if len(c.queue) == 0 && len(c.inFlight) == 0 && !c.closing {
		m.close()
	}
}

// check loads one search beside the loop.
func (m *Monitor) check(w *watch) {
	c := m.cycle
	previous := w.started
	w.started = m.now()
	c.inFlight[w] = true
	h := m.book.host(w.search.Host())
	h.nextStart = time.Now().Add(m.spread(m.timing.Spacing, m.timing.SpacingJitter))
	search, limit := w.search, m.timing.Stuck
	search.Landed = m.book.record(search.URL, w.view).landed()
	go func() {
		page, err := Call(c.ctx, m.log, limit-late, func(ctx context.Context) (Page, error) { return m.opts.Checker.Check(ctx, search) })
		var fault *Fault
		switch {
		case errors.As(err, &fault):
			page, err = Page{Verdict: NotResults, Reason: err.Error()}, nil
		case errors.Is(err, ErrLeft):
			err = fmt.Errorf("%w: the check did not come back within %v", ErrBrowser, limit)
		}
		m.do(func() {
			if m.cycle != c { // cut short: no verdict
				m.cutChecks--
				return
			}
			delete(c.inFlight, w)
			m.conclude(w, previous, page, err)
		})
	}()
}

// cut ends the cycle in flight at once. Its checks have no verdict.
func (m *Monitor) cut() {
	if m.cycle == nil {
		return
	}
	m.cycle.stop()
	for range m.cycle.inFlight {
		m.cutChecks++
	}
	m.cycle, m.cycleEnded = nil, time.Now()
	m.teller.News(true)
}

// hold takes the rest of a host's searches out of the cycle.
func (m *Monitor) hold(hostName string) {
	var rest []*watch
	for _, w := range m.cycle.queue {
		if w.search.Host() != hostName {
			rest = append(rest, w)
			continue
		}
		m.cycle.total--
	}
	m.cycle.queue = rest
}

// release puts the searches that waited for a probe into the second pass of the
// cycle, in an order of their own.
func (m *Monitor) release(hostName string) {
	c := m.cycle
	held := c.held[hostName]
	delete(c.held, hostName)
	c.tallies[hostName].probe = nil
	if len(held) == 0 {
		return
	}
	m.log.Info(fmt.Sprintf("Recovered 1 site(s), checking %d held search(es)", len(held)), "host", hostName)
	m.shuffle(held)
	c.queue = append(c.queue, held...)
	c.total += len(held)
}

// clock is an instant as the log shows it, in the user's own time.
func clock(t time.Time) string { return t.Local().Format("15:04") }
