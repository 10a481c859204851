package browser

import "time"

// Limits holds every deadline and bound of a Browser. Tests scale it; users
// cannot reach it.
type Limits struct {
	// Check is the hard limit of one check. Answer and Read end earlier, so that
	// PageClose and Alive fit in; and earlier still when a browser had to be started.
	Check  time.Duration
	Answer time.Duration // from the request until the document is parsed
	Read   time.Duration // from the request until the script has returned
	// Late is how long a document that never finished loading may still be read
	// at the end of Answer. It must fit between Answer and Read.
	Late time.Duration

	PageClose    time.Duration // before the browser is asked whether it still answers
	ContextClose time.Duration // before the driver is told to stop
	DriverStop   time.Duration // before node and Chromium are killed
	Alive        time.Duration // beyond PageClose, for a sign of life of the browser itself
	NewPage      time.Duration // for a blank page
	Launch       time.Duration // for the driver, and again for Chromium
	Patience     time.Duration // how long a check waits for a browser that is starting

	Checks     int           // after which the browser is recycled between cycles
	Memory     uint64        // bytes (PSS of the tree); above it the browser is recycled
	CookiePace time.Duration // between two savings of the session cookies
	Redirects  int           // by script or refresh, of one check; Chromium itself stops at 20 by header

	Download time.Duration   // for the driver or for a browser
	Install  time.Duration   // for apt-get
	Pauses   []time.Duration // between attempts to install, the last one repeats
	Relaunch time.Duration   // between attempts to launch what is installed
}

// DefaultLimits are the promises of the product: 30 s for a check, 2, 3 and 3 s
// to close page, context and driver, recycled every 500 checks.
func DefaultLimits() Limits {
	const s = time.Second
	return Limits{
		Check: 30 * s, Answer: 25 * s, Read: 26 * s, Late: s,
		PageClose: 2 * s, ContextClose: 3 * s, DriverStop: 3 * s,
		Alive: 1500 * time.Millisecond, NewPage: 5 * s, Launch: 30 * s, Patience: 10 * s,
		// A tree of Chromium, node and Notifio is 450 to 550 MB between cycles.
		Checks: 500, Memory: 1 << 30, CookiePace: 5 * time.Minute, Redirects: 10,
		Download: 10 * time.Minute, Install: 15 * time.Minute,
		Pauses:   []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute},
		Relaunch: 5 * s,
	}
}
