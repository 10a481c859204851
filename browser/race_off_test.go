//go:build !race

package browser

// trees is how many random pages are read.
const trees = 4000
