//go:build race

package browser

// trees is how many random pages are read: the race detector makes each ten times
// as slow, and finds nothing more in the fourth thousand than in the first.
const trees = 1000
