package report

import (
	"slices"
	"time"

	"notifio.app/notifio/monitor"
)

// Told is how soon the user was told of alerts.
type Told struct {
	Published Delay // from publication, where the portal shows a time, to telling
	Found     Delay // from finding to telling
	Waiting   int   // alerts that nobody has been told of yet
	Undated   int   // new listings told, without a time of publication to go by
}

// Bins are the upper ends of the steps in which delays are counted; the last step
// has none.
var Bins = []time.Duration{
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 6 * time.Hour,
}

// Delay sums up how long something took.
type Delay struct {
	N            int
	Median, Slow time.Duration // Slow: nine of ten were at least as fast
	Slowest      time.Duration
	Bins         [8]int // one more than Bins
}

// delays gathers them.
type delays struct {
	published, found []time.Duration
	waiting, undated int
}

// add takes an alert. Found after a gap it says nothing about how fast Notifio
// is: the machine was asleep.
func (d *delays) add(a monitor.Alert) {
	told, ok := firstTold(a)
	switch {
	case !ok:
		d.waiting++
		return
	case a.Away > 0:
		return
	}
	if took := told.Sub(a.Found); took >= 0 {
		d.found = append(d.found, took)
	}
	if a.Kind != monitor.New {
		return
	}
	if took := told.Sub(a.Listing.Published); dated(a) && took >= 0 {
		d.published = append(d.published, took)
	} else {
		d.undated++
	}
}

// firstTold is when the first of the recipients knew.
func firstTold(a monitor.Alert) (first time.Time, ok bool) {
	for _, at := range a.Told {
		if !at.IsZero() && (!ok || at.Before(first)) {
			first, ok = at, true
		}
	}
	return first, ok
}

// dated says whether the time of publication is one that a delay can be measured
// from. Many portals show a day only, which is read as its midnight or, for
// `today` and `3 days ago`, as a whole number of days before the page was read.
func dated(a monitor.Alert) bool {
	const day = 24 * time.Hour
	const reading = time.Minute // from reading the page to the alert, at the most
	at := a.Listing.Published
	if at.IsZero() || at.Hour() == 0 && at.Minute() == 0 && at.Second() == 0 {
		return false
	}
	if at.Nanosecond() == 0 { // as written in the page
		return true
	}
	rest := a.Found.Sub(at) % day
	return rest >= reading
}

func (d delays) count() Told {
	return Told{Published: sum(d.published), Found: sum(d.found), Waiting: d.waiting, Undated: d.undated}
}

func sum(all []time.Duration) Delay {
	if len(all) == 0 {
		return Delay{}
	}
	all = slices.Sorted(slices.Values(all))
	d := Delay{N: len(all), Median: rank(all, 50), Slow: rank(all, 90), Slowest: all[len(all)-1]}
	for _, took := range all {
		n, _ := slices.BinarySearch(Bins, took+1) // an upper end is outside its step
		d.Bins[n]++
	}
	return d
}

// rank is the smallest of the sorted values that at least percent of them do not
// exceed.
func rank(sorted []time.Duration, percent int) time.Duration {
	return sorted[(len(sorted)*percent+99)/100-1]
}
