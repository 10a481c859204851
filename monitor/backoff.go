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

// Held says whether the host is being left alone or is on probation: then a cycle
// asks it once, by one search, and the others follow when that is clean.
func (h HostRecord) Held() bool { return h.Ladder != NoLadder }

// Waiting says whether no request may go to the host at now.
func (h HostRecord) Waiting(now time.Time) bool { return h.Held() && now.Before(h.RetryAt) }

// Climb puts the host on the next rung of a ladder, or on its first when it was
// on none or on the other. asked is what the host asked for (Retry-After), u is
// uniform in [0, 1) and draws the wait.
func (h HostRecord) Climb(l Ladder, t Timing, asked time.Duration, now time.Time, u float64) HostRecord {
	if h.Ladder != l {
		h.Ladder, h.Rung = l, 0
	}
	h.Rung = min(h.Rung+1, len(t.ladder(l)))
	return h.wait(t, asked, now, u)
}

// repeat makes the host wait on the rung where it stands.
func (h HostRecord) repeat(t Timing, now time.Time, u float64) HostRecord {
	return h.wait(t, 0, now, u)
}

func (h HostRecord) wait(t Timing, asked time.Duration, now time.Time, u float64) HostRecord {
	rung := t.ladder(h.Ladder)[h.Rung-1]
	h.Wait = rung + time.Duration(float64(rung)*t.LadderJitter*(2*u-1))
	h.Wait = max(h.Wait, min(asked, t.RetryAfterMax))
	h.RetryAt = now.Add(h.Wait)
	return h
}

// Clear takes the host off its ladder and forgives its errors.
func (h HostRecord) Clear() HostRecord {
	return HostRecord{Host: h.Host, Probe: h.Probe}
}

// mended cuts a wait that a clock set back has made longer than it was meant.
func (h HostRecord) mended(now time.Time) HostRecord {
	if h.Held() && h.RetryAt.Sub(now) > h.Wait {
		h.RetryAt = now.Add(h.Wait)
	}
	return h
}

func (t Timing) ladder(l Ladder) []time.Duration {
	if l == RefusalLadder {
		return t.Refusals
	}
	return t.Errors
}

// pace is a wait of one search, beside its host's.
type pace struct {
	until  time.Time
	length time.Duration
}

func paceFrom(now time.Time, length time.Duration) pace {
	return pace{until: now.Add(length), length: length}
}

func (p pace) waiting(now time.Time) bool { return now.Before(p.until) }

func (p pace) mended(now time.Time) pace {
	if p.until.Sub(now) > p.length {
		p.until = now.Add(p.length)
	}
	return p
}
