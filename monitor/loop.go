package monitor

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// quitGrace is how long a reply that is being sent may take to its end after the program
// was told to quit. Quitting takes effect within a second.
const quitGrace = 800 * time.Millisecond

// Run watches until ctx ends; it returns within a second after that, and leaves
// nothing behind but checks that are still giving up.
func (m *Monitor) Run(ctx context.Context) {
	defer m.events.Close()
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop() // after the grace

	m.apply(m.opts.Settings)
	if m.replying() {
		m.requeue()
		m.replyTrouble()
	}
	m.pulse = newPulse(m.now())
	m.nextCycle = time.Now().Add(m.firstWait())
	m.advance(work)

	ticker := time.NewTicker(m.timing.Pulse)
	defer ticker.Stop()
	alarm := time.NewTimer(0)
	defer alarm.Stop()
	for !m.finished() {
		alarm.Reset(m.sleep())
		select {
		case <-ctx.Done():
			m.quit(work)
			return
		case <-m.events.Some():
			m.events.Run()
		case <-ticker.C:
			if !m.beat() {
				continue // nothing has changed
			}
		case <-alarm.C:
		}
		m.advance(work)
	}
}

// advance does all that is due, and publishes what has come of it.
func (m *Monitor) advance(ctx context.Context) {
	m.giveProfile()
	if m.cycle == nil && m.due() {
		m.begin(ctx)
	}
	if m.cycle != nil {
		m.dispatch()
	}
	m.reply(ctx)
	m.publish()
}

// due says whether it is time for a cycle.
func (m *Monitor) due() bool {
	next := m.next()
	return !m.paused && m.signing == nil && !m.resting && m.cutChecks == 0 && !next.IsZero() && !time.Now().Before(next)
}

// next is when a cycle begins: the one of the beat, or before it one for the searches
// that the user has just asked for. It is zero while checking or paused.
func (m *Monitor) next() time.Time {
	if len(m.early) > 0 {
		return earlier(m.nextCycle, m.notBelow(time.Now()))
	}
	return m.nextCycle
}

// notBelow moves a cycle's start to the floor after the last one.
func (m *Monitor) notBelow(next time.Time) time.Time {
	if floor := m.cycleEnded.Add(m.timing.Floor); !m.cycleEnded.IsZero() && next.Before(floor) {
		return floor
	}
	return next
}

// sleep is how long nothing is due.
func (m *Monitor) sleep() time.Duration {
	now := time.Now()
	next := m.replies.wakeAt
	if m.cycle != nil {
		next = earlier(next, m.cycle.wakeAt)
	} else if !m.resting && m.cutChecks == 0 {
		next = earlier(next, m.next())
	}
	if next.IsZero() {
		return time.Hour
	}
	return max(0, next.Sub(now))
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// quit stops checking at once and lets a reply that is being sent arrive.
func (m *Monitor) quit(ctx context.Context) {
	m.cut()
	m.stopReply()
	m.nextCycle, m.paused = time.Time{}, true
	m.book.save(Change{Records: slices.Collect(maps.Values(m.book.records)), Hosts: m.book.changedHosts()})
	m.publish()
	over := time.NewTimer(quitGrace)
	defer over.Stop()
	for m.replies.now != nil && m.replies.now.sealed {
		select {
		case <-m.events.Some():
			m.events.Run()
		case <-over.C:
			return
		}
	}
}

// finished says whether a single cycle is done.
func (m *Monitor) finished() bool {
	return m.opts.Once && m.cycles > 0 && m.cycle == nil && !m.resting
}

// firstWait is none for whoever has just started the program and looks at it. An
// automatic start is that of many copies in the same second. Who asks every hour
// does not wait an hour for that.
func (m *Monitor) firstWait() time.Duration {
	if !m.opts.AtLogin {
		return 0
	}
	interval, jitter := min(m.settings.Interval, m.timing.Interval), min(m.settings.Jitter, m.timing.Jitter)
	wait := FirstWait(interval, jitter, m.rand.Float64(), m.rand.Float64())
	m.log.Info(fmt.Sprintf("Started at login. First poll in %.1fs", wait.Seconds()))
	return wait
}

// schedule sets the next cycle, measured start to start; an early one in between does
// not count. A cycle that overran goes again after the floor.
func (m *Monitor) schedule(early bool) {
	elapsed := time.Since(m.began)
	wait := m.timing.Wait(m.target, elapsed)
	if elapsed > m.target && !early {
		m.log.Info(fmt.Sprintf("Cycle took %.1fs, over the %.0fs interval. Next poll in %.1fs",
			elapsed.Seconds(), m.target.Seconds(), wait.Seconds()))
	}
	m.nextCycle = time.Now().Add(wait)
}

// hasten brings the next cycle forward, but not below the floor after the last.
func (m *Monitor) hasten(in time.Duration) {
	if m.cycle != nil || m.paused || m.signing != nil {
		return
	}
	m.nextCycle, m.early, m.doneSince = m.notBelow(time.Now().Add(in)), nil, time.Time{}
}

// soon checks a search before the next cycle, or next in the one that is in flight,
// since the user has just asked for it: at most one of each host in an interval, and
// never past the host's backoff or the search's own.
func (m *Monitor) soon(w *watch) {
	h, c := m.book.host(w.search.Host()), m.cycle
	sameHost := func(other *watch) bool { return other.search.Host() == h.rec.Host }
	switch {
	case m.cycles == 0, h.rec.Held(), w.pace.Waiting(m.now()), slices.ContainsFunc(m.early, sameHost):
	case !h.early.IsZero() && time.Since(h.early) < m.settings.Interval:
	case c == nil, c.closing:
		m.early = append(m.early, w)
	case !c.inFlight[w] && !slices.Contains(c.queue, w):
		c.queue, h.early = slices.Insert(c.queue, 0, w), time.Now()
		c.total++
	}
}

// shorten lets an interval that has become shorter count from the last cycle's start.
func (m *Monitor) shorten() {
	m.target = min(m.target, m.spread(m.settings.Interval, m.settings.Jitter))
	if !m.nextCycle.IsZero() && !m.began.IsZero() {
		m.nextCycle = earlier(m.nextCycle, m.notBelow(m.began.Add(m.target)))
	}
}

// pulse is a look at both clocks: the one on the wall, and the one that our waits go by.
type pulse struct{ wall, mono time.Time }

func newPulse(wall time.Time) pulse { return pulse{wall: wall, mono: time.Now()} }

// since is how much further the clock on the wall has gone than the other one since the
// last pulse: the machine slept, or that clock was set. It is negative when the clock
// was set back. What holds up Notifio itself, such as a slow disk, moves both alike, and
// is nothing; nor is a clock of our waits that goes back, which it should never do.
// Where that one goes on during sleep (Windows), all waits are over at waking anyway.
func (p pulse) since(wall, mono time.Time) time.Duration {
	return wall.Sub(p.wall) - max(0, mono.Sub(p.mono))
}

// beat notices sleep, jumps of the clock, and what the clock on the wall ends:
// a pause. It says whether anything has changed.
func (m *Monitor) beat() bool {
	now, mono := m.now(), time.Now()
	jump := m.pulse.since(now, mono)
	m.pulse = pulse{wall: now, mono: mono}
	changed := false
	switch {
	case jump > m.timing.Asleep:
		m.woke(jump)
		changed = true
	case jump < -m.timing.Asleep:
		m.log.Info("The clock was set back", "by", roughly(-jump))
		m.mend()
		changed = true
	}
	if m.paused && !m.pause.RetryAt.IsZero() && !m.pause.Waiting(now) {
		m.resume()
		changed = true
	}
	return m.watchIncidents() || changed
}

// woke follows a sleep: one cycle soon, and none of those that were missed. Of a cycle in flight the checks under way are made again, since
// their pages may never come, and what was checked longer than an interval ago; but a
// machine that dozes off all the time gets through a cycle in the end.
func (m *Monitor) woke(slept time.Duration) {
	m.log.Info("Awake again", "after", roughly(slept))
	m.mend()
	m.teller.Awake()
	now, interval := m.now(), m.settings.Interval
	switch c := m.cycle; {
	case m.paused:
	case c == nil:
		m.hasten(min(m.timing.Floor/2, max(0, time.Until(m.nextCycle))))
	case !m.uncut.Waiting(now) && !m.opts.Once:
		m.uncut, m.doneSince = waitFor(interval, now), now.Add(-interval)
		if c.began.After(m.doneSince) {
			m.doneSince = c.began
		}
		m.cut()
		m.nextCycle = time.Now()
	}
}

// mend cuts waits that a clock set back has made longer than they were meant.
func (m *Monitor) mend() {
	now := m.now()
	for _, h := range m.book.hosts {
		h.rec.Backoff = h.rec.mended(now)
	}
	for _, w := range m.watches {
		w.pace = w.pace.mended(now)
	}
	m.pause, m.uncut = m.pause.mended(now), m.uncut.mended(now)
}
