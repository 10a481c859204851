package monitor

import "time"

// Whoever is called beside the loop has limits of its own. These are for the day
// when one of them does not keep them: Notifio must not fall silent for it.
const (
	// deliverLimit is beyond all steps of a slow SMTP conversation together.
	deliverLimit = 15 * time.Minute
	// restLimit is how long the browser may take to be recycled. The next cycle
	// waits for it.
	restLimit = 15 * time.Second
	// lookupLimit is how long the mail server's name may take to resolve before
	// the machine counts as offline.
	lookupLimit = 3 * time.Second
	// late is how long after the end of its context somebody may still answer.
	late = 5 * time.Second
)

// within runs f and returns what it returned, or false when that takes longer
// than limit. Then f is left behind, and what it returns later is dropped.
func within[T any](limit time.Duration, f func() T) (T, bool) {
	answer := make(chan T, 1)
	go func() { answer <- f() }()
	over := time.NewTimer(limit)
	defer over.Stop()
	select {
	case v := <-answer:
		return v, true
	case <-over.C:
		var none T
		return none, false
	}
}
