// Package report draws what Notifio has seen: when new listings appear, how the
// checks went, when a site refused us and for how long, and how soon the user was
// told. It turns the history into figures, and the figures into one HTML page that
// needs nothing else: no script, no font and no picture from anywhere.
//
// It reads no disk and knows no configuration; both are handed to it as values.
package report

import (
	"fmt"
	"html/template"
	"io"
	"time"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// Days is how far back a report looks: the history has at least the last hundred
// days of use.
const Days = 100

// Input is what a report is made of.
type Input struct {
	Now      time.Time        // in the user's zone, by which days and hours are counted
	Searches []monitor.Search // as configured, in the order of the file
	History  monitor.History
	Version  string // of the program; may be empty
}

// Write writes the page. What others have written, such as the names of searches
// and the reasons of refusals, is escaped. The error is that of w, or that a chart
// could not be drawn.
func Write(w io.Writer, in Input) error {
	p, err := compose(Count(in))
	if err != nil {
		return err
	}
	p.Version = in.Version
	// Read here: a Notifio that makes no report need not.
	t, err := template.ParseFS(assets.Report, "report/page.html")
	if err != nil {
		return fmt.Errorf("read the report's template: %w", err)
	}
	return t.Execute(w, p)
}
