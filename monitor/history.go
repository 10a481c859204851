package monitor

import "time"

// History is what is kept of the past, for the report: every finished check and
// every alert since some time, in the order in which they were saved and found.
type History struct {
	Stretches []Stretch
	Alerts    []Alert
}

// Stretch is one or more checks of one search in a row, with the same verdict,
// within the same hour. A check with news is a stretch of its own.
type Stretch struct {
	Search   string // Search.URL
	Verdict  Verdict
	Reason   string    // of the last check
	Since    time.Time // start of the first check
	Until    time.Time // start of the last check
	Checks   int
	Took     time.Duration // all together
	Slowest  time.Duration
	Listings int // ordinary ones, at the last check
	News     int
}
