package config

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Problem is one mistake in the file, or one thing the user should know of it.
// It never quotes a password or the address of a search.
type Problem struct {
	File string // path of the file
	Line int    // 1-based; 0 when it concerns the file as a whole
	Text string // what is wrong and what to do, in one line
	Err  error  // what the file system said, where that is the cause
}

// Error is the problem in one line: `notifio.toml:14: search "Centrum": …`.
func (p Problem) Error() string {
	name := filepath.Base(p.File)
	if p.Line == 0 {
		return name + ": " + p.Text
	}
	return fmt.Sprintf("%s:%d: %s", name, p.Line, p.Text)
}

func (p Problem) Unwrap() error { return p.Err }

// Problems are all mistakes of a file, by line. They are the error of Parse and
// Load.
type Problems []Problem

// Error has one problem per line.
func (ps Problems) Error() string {
	lines := make([]string, len(ps))
	for i, p := range ps {
		lines[i] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// Unwrap lets errors.Is find the cause in the file system.
func (ps Problems) Unwrap() []error {
	errs := make([]error, len(ps))
	for i, p := range ps {
		errs[i] = p
	}
	return errs
}

// sortByLine keeps the order of problems within a line.
func sortByLine(ps []Problem) {
	slices.SortStableFunc(ps, func(a, b Problem) int { return a.Line - b.Line })
}
