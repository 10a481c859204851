package main

import (
	"math/rand/v2"
	"slices"
	"time"
)

// crowd is many copies with the same habits, started in the same second.
type crowd struct {
	name   string
	copies int
	habits habits
	host   outage
	length time.Duration // whole seconds
	seed   uint64
}

// tally is what the host has seen of a crowd.
type tally struct {
	crowd   crowd
	seconds []int           // requests that began in each second
	alone   []int           // of them: probes
	refused int             // in all
	served  []time.Duration // when each copy was served again after the outage, in order
}

// run lives all copies, one after another: they do not meet. What a copy draws
// depends on the seed and on its number alone.
func (c crowd) run() tally {
	t := tally{crowd: c, seconds: make([]int, c.length/time.Second), alone: make([]int, c.length/time.Second)}
	source := rand.NewPCG(0, 0)
	for n := range c.copies {
		source.Seed(c.seed, uint64(n))
		again := false // served, after the outage
		one := copyOf{habits: c.habits, host: c.host, rand: rand.New(source), asked: func(r request) {
			if r.at >= c.length {
				return // of a cycle that began before the end
			}
			t.seconds[r.at/time.Second]++
			if r.alone {
				t.alone[r.at/time.Second]++
			}
			if r.refused {
				t.refused++
			}
			if !again && c.host.to > 0 && r.at >= c.host.to {
				again = true
				t.served = append(t.served, r.at)
			}
		}}
		one.live(c.length)
	}
	slices.Sort(t.served)
	return t
}

// mean is requests a second.
func (t tally) mean() float64 { return mean(t.seconds) }

func mean(seconds []int) float64 {
	sum := 0
	for _, n := range seconds {
		sum += n
	}
	return float64(sum) / float64(len(seconds))
}

// peak is the most requests in a second from then on.
func (t tally) peak(from time.Duration) int { return slices.Max(t.seconds[from/time.Second:]) }

// even is close enough to the mean. Where chance alone is left, one second in
// thousands is further away.
const even = 1.1

// evenFrom is when the crowd has forgotten its common start: from then on no second
// has more than even times the mean. It is false for one that never does.
func (t tally) evenFrom() (time.Duration, bool) {
	limit := even * t.mean()
	for i, n := range slices.Backward(t.seconds) {
		if float64(n) > limit {
			at := time.Duration(i+1) * time.Second
			return at, at < t.crowd.length-time.Minute // a crowd in step is silent between its spikes
		}
	}
	return 0, true
}

// usual is the mean of the seconds before the outage, once all copies have begun.
func (t tally) usual() float64 {
	const begun = time.Minute
	return mean(t.seconds[begun/time.Second : t.crowd.host.from/time.Second])
}

// firstMinute is the most requests in a second of the first minute in which the
// host serves again.
func (t tally) firstMinute() int {
	from := t.crowd.host.to / time.Second
	return slices.Max(t.seconds[from : from+60])
}

// probes is the most of them in a second once the host serves again.
func (t tally) probes() int { return slices.Max(t.alone[t.crowd.host.to/time.Second:]) }

// later is how long after the outage a share of the copies, above 0 and at most 1,
// had been served. It is false when that was not within the crowd's time.
func (t tally) later(share float64) (time.Duration, bool) {
	n := int(share * float64(t.crowd.copies))
	if n > len(t.served) {
		return 0, false
	}
	return t.served[max(0, n-1)] - t.crowd.host.to, true
}
