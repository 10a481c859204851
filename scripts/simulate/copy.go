package main

import (
	"math/rand/v2"
	"time"

	"notifio.app/notifio/monitor"
)

// habits are what the copies of a crowd have in common.
type habits struct {
	timing   monitor.Timing
	searches int           // of each copy, all on the host
	took     time.Duration // of every check, a refusal's too
	spread   bool          // the first check of an automatic start
	ladder   bool          // false: every cycle asks for every search, whatever the host says
}

// outage is when the host refuses everybody, since the start of the crowd. A
// request that begins at its end is served again.
type outage struct{ from, to time.Duration }

func (o outage) refuses(at time.Duration) bool { return o.from <= at && at < o.to }

// request is one page asked for, since the start of the crowd.
type request struct {
	at      time.Duration
	refused bool
	alone   bool // the probe of a host that is being left alone
}

// epoch is when the crowd starts; the ladder goes by the clock on the wall.
var epoch = time.Date(2026, 1, 1, 8, 0, 0, 0, time.UTC)

// copyOf is one running Notifio. What it draws and how long it waits is the code
// of package monitor; what is here is only the order of events, the one of
// Monitor.begin, dispatch and settle with a single host, to which a test holds it.
type copyOf struct {
	habits
	host  outage
	rand  *rand.Rand
	asked func(request)

	rec       monitor.Backoff
	nextStart time.Duration // no request before this
}

// live runs the copy until the end. Its events need no queue: they follow each
// other, and the host answers by the clock, so that no copy feels another.
func (c *copyOf) live(end time.Duration) {
	t := c.timing
	at := time.Duration(0)
	if c.spread {
		at = monitor.FirstWait(t.Interval, t.Jitter, c.rand.Float64(), c.rand.Float64())
	}
	for at < end {
		target := c.draw(t.Interval, t.Jitter)
		over := c.cycle(at)
		at = over + t.Wait(target, over-at)
	}
}

// cycle asks for the searches that are due, one after another, and returns when the
// last of them has its answer.
func (c *copyOf) cycle(began time.Duration) (over time.Duration) {
	over = began
	if c.ladder && c.rec.Waiting(epoch.Add(began)) {
		return over
	}
	for range c.searches {
		at := max(over, c.nextStart)
		c.nextStart = at + c.draw(c.timing.Spacing, c.timing.SpacingJitter)
		over = at + c.took
		refused := c.host.refuses(at)
		c.asked(request{at, refused, c.rec.Held()})
		switch {
		case !c.ladder:
		case refused: // the others are held
			c.rec = c.rec.Climb(monitor.RefusalLadder, c.timing, 0, epoch.Add(over), c.rand.Float64())
			return over
		default: // after a probe the others follow
			c.rec = monitor.Backoff{}
		}
	}
	return over
}

func (c *copyOf) draw(d, by time.Duration) time.Duration {
	return monitor.Draw(d, by, c.rand.Float64())
}
