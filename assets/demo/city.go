package demo

import (
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"time"
)

// How a city behaves. Notifio takes the first look in silence and adopts a
// second one that brings more than three unknown rooms, so exactly one new room
// is published between them.
const (
	// firstNews after the first look there is a new room: soon enough for any
	// second look (five seconds lie between two cycles), late enough for the first
	// to be repeated by a browser that had to be started again.
	firstNews = 5 * time.Second
	minGap    = 2 * time.Minute // between two new rooms
	maxGap    = 4 * time.Minute
	minStay   = 10 * time.Minute // from a new room's publication until it is let
	maxStay   = 18 * time.Minute
	// mostFresh keeps the new rooms of a run below the standing ones. A restart
	// takes them off the page, which must not then look half-loaded.
	mostFresh = 6
	minFall   = 3 * time.Minute // from publication to a fall of the price
	maxFall   = 7 * time.Minute

	cleanLooks       = 4 // a newcomer first sees how it is meant to be
	firstSpread      = 6 // the first trouble comes within so many looks after those
	minCalm          = 8 // looks at a city between two troubles
	calmSpread       = 10
	calmAfterRefusal = 3                // looks at any city: a probe by another search is answered too
	retryAfter       = 20 * time.Second // shorter than any wait of Notifio's own
)

// outcome is what a request for a results page gets.
type outcome int

const (
	full outcome = iota
	half
	refused
)

// city is one results page and what happened on it since the portal started.
type city struct {
	name    string
	tag     int64 // the last digits of its rooms' ids
	looks   int
	trouble int       // the number of the look that will not be clean
	fresh   []fresh   // published in this run, oldest first
	count   int       // of rooms published in this run
	next    time.Time // when the next one is
}

// fresh is a room that came while somebody was looking.
type fresh struct {
	room
	falls time.Time // when its price does; zero: never
	price int       // from then on
	let   time.Time
}

func newCity(name string) *city {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name)) // never an error
	return &city{name: name, tag: int64(h.Sum64() % tags)}
}

// visit is one look at the city: it moves the rooms on to now and says what the
// visitor gets. While calm, a trouble that is due is put off.
func (c *city) visit(now time.Time, r *rand.Rand, calm bool) outcome {
	if c.looks == 0 {
		c.next = now.Add(firstNews)
		c.trouble = cleanLooks + 1 + r.IntN(firstSpread)
	}
	c.looks++
	c.move(now, r)
	if c.looks < c.trouble || calm {
		return full
	}
	c.trouble = c.looks + minCalm + 1 + r.IntN(calmSpread)
	if r.IntN(3) == 0 {
		return refused
	}
	return half
}

// move lets rooms go whose time is over, and publishes at most one: after a
// night in which nobody looked there is one new room, not a hundred.
func (c *city) move(now time.Time, r *rand.Rand) {
	c.fresh = slices.DeleteFunc(c.fresh, func(f fresh) bool { return !now.Before(f.let) })
	if c.next.Sub(now) > maxGap { // the clock was set back
		c.next = now.Add(between(r, minGap, maxGap))
	}
	if now.Before(c.next) {
		return
	}
	at := c.next
	if now.Sub(at) > maxGap {
		at = now
	}
	if len(c.fresh) == mostFresh {
		c.fresh = c.fresh[1:]
	}
	c.fresh = append(c.fresh, c.publish(at, r))
	c.next = at.Add(between(r, minGap, maxGap))
}

// publish makes the next new room. The second one of a run and about every
// third after it become cheaper.
func (c *city) publish(at time.Time, r *rand.Rand) fresh {
	c.count++
	f := fresh{room: invent(freshID(at, c.tag), c.name), let: at.Add(between(r, minStay, maxStay))}
	if r.IntN(3) == 0 || c.count == 2 {
		f.falls = at.Add(between(r, minFall, maxFall))
		f.price = f.room.price * (93 + r.IntN(5)) / 100 / 5 * 5
	}
	return f
}

// rooms are on offer at now, newest first.
func (c *city) rooms(now time.Time) []room {
	all := standing(c.name, c.tag, now)
	for _, f := range c.fresh {
		if !f.falls.IsZero() && !now.Before(f.falls) {
			f.room.price = f.price
		}
		all = append(all, f.room)
	}
	slices.SortFunc(all, func(a, b room) int { return b.published().Compare(a.published()) })
	return all
}

// between draws a duration from the half-open range low to high.
func between(r *rand.Rand, low, high time.Duration) time.Duration {
	return low + time.Duration(r.Int64N(int64(high-low)))
}
