package report

import (
	"time"

	"notifio.app/notifio/monitor"
)

// Class is how a check went, as the report tells it.
type Class int

// The classes, in the order in which they are stacked and listed.
const (
	Fine Class = iota // results, or an empty page that says so
	SignedOut
	Refused
	Failed
	NotResults
	classes
)

func classOf(v monitor.Verdict) Class {
	switch v {
	case monitor.Results, monitor.Empty:
		return Fine
	case monitor.SignedOut:
		return SignedOut
	case monitor.Refused:
		return Refused
	case monitor.NotResults:
		return NotResults
	}
	return Failed
}

// Day is one day of the calendar.
type Day struct {
	Date   time.Time // its midnight, in UTC, so that days are 24 hours apart
	Checks [classes]int
}

func (d *Day) add(v monitor.Verdict, checks int) { d.Checks[classOf(v)] += checks }

func midnight(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// dayIndex counts the days from one time to another, by the calendar.
func dayIndex(from, t time.Time) int { return int(midnight(t).Sub(midnight(from)) / (24 * time.Hour)) }

// days are those from one time to another.
func days(from, to time.Time) []Day {
	if from.IsZero() || to.Before(from) {
		return nil
	}
	out := make([]Day, dayIndex(from, to)+1)
	for i := range out {
		out[i].Date = midnight(from).AddDate(0, 0, i)
	}
	return out
}
