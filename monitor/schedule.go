package monitor

import "time"

// When a copy of Notifio asks is decided by these functions and by the ladder of
// a HostRecord. They are plain, and public, so that a crowd of copies can be
// simulated with the very code that the loop runs (scripts/simulate).

// Draw is uniform in d ± by, for a u that is uniform in [0, 1).
func Draw(d, by time.Duration, u float64) time.Duration {
	return d + time.Duration(float64(by)*(2*u-1))
}

// Wait is how long after a cycle the next one begins, so that target lies between
// their starts. A cycle that overran goes again after the floor. A clock that was set
// back makes elapsed negative, and lengthens nothing.
func (t Timing) Wait(target, elapsed time.Duration) time.Duration {
	return max(t.Floor, target-max(0, elapsed))
}

// FirstWait is how long after an automatic start the first cycle begins: the rest
// of an interval that was drawn as any other, at a moment that is uniform in it. u
// and rest are uniform in [0, 1). So many copies that are started together ask as
// evenly as if they had been running for long; a wait that is uniform over 30 s
// would send half as many again in its last five seconds, when the second cycles
// of the first copies begin.
func FirstWait(interval, jitter time.Duration, u, rest float64) time.Duration {
	return time.Duration(rest * float64(Draw(interval, jitter, u)))
}
