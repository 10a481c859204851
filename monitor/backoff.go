package monitor

import "time"

// Ladder names the list of waits that a host is on.
type Ladder string

// The ladders. A host is on one of them at a time.
const (
	NoLadder      Ladder = ""
	RefusalLadder Ladder = "refusal"
	ErrorLadder   Ladder = "error"
)

// before says why a host is on this ladder when only the disk remembers it.
func (l Ladder) before() string {
	if l == RefusalLadder {
		return "refused before the restart"
	}
	return "no answer before the restart"
}

// errorGrace is how many cycles in a row may fail before a host is made to wait.
// One failed check is usually a blip, and the next cycle is half a minute away.
const errorGrace = 2

// failuresPerCycle is how many failures of one host a cycle puts up with before
// the host's other searches wait for the next one.
const failuresPerCycle = 2

// Backoff is a wait by the clock on the wall: of a host, of one of its searches, or of
// the user's pause. On a ladder it grows from rung to rung.
type Backoff struct {
	Ladder  Ladder
	Rung    int           // 1-based; 0 on no ladder
	Wait    time.Duration // the length of the present wait
	RetryAt time.Time     // when it ends; zero: there is none
}

// waitFor is a wait on no ladder.
func waitFor(length time.Duration, now time.Time) Backoff {
	return Backoff{Wait: length, RetryAt: now.Add(length)}
}

// Held says whether a ladder has not been left yet. Its host is waiting or on
// probation: then a cycle asks it once, by one search, and the others follow when
// that is clean.
func (b Backoff) Held() bool { return b.Ladder != NoLadder }

// Waiting says whether no request may go out at now.
func (b Backoff) Waiting(now time.Time) bool { return now.Before(b.RetryAt) }

// Climb is the next rung of a ladder, or the first for who was on none or on the
// other. asked is what the host asked for (Retry-After), u is uniform in [0, 1) and
// draws the wait.
func (b Backoff) Climb(l Ladder, t Timing, asked time.Duration, now time.Time, u float64) Backoff {
	if b.Ladder != l {
		b.Ladder, b.Rung = l, 0
	}
	b.Rung = min(b.Rung+1, len(t.ladder(l)))
	return b.wait(t, asked, now, u)
}

// repeat waits on the rung where it stands.
func (b Backoff) repeat(t Timing, now time.Time, u float64) Backoff {
	return b.wait(t, 0, now, u)
}

func (b Backoff) wait(t Timing, asked time.Duration, now time.Time, u float64) Backoff {
	rung := t.ladder(b.Ladder)[b.Rung-1]
	b.Wait = rung + time.Duration(float64(rung)*t.LadderJitter*(2*u-1))
	b.Wait = max(b.Wait, min(asked, t.RetryAfterMax))
	b.RetryAt = now.Add(b.Wait)
	return b
}

// mended cuts a wait that a clock set back has made longer than it was meant.
func (b Backoff) mended(now time.Time) Backoff {
	if b.RetryAt.Sub(now) > b.Wait {
		b.RetryAt = now.Add(b.Wait)
	}
	return b
}

func (t Timing) ladder(l Ladder) []time.Duration {
	if l == RefusalLadder {
		return t.Refusals
	}
	return t.Errors
}

// Clear takes the host off its ladder and forgives its errors.
func (h HostRecord) Clear() HostRecord {
	return HostRecord{Host: h.Host, Probe: h.Probe}
}
