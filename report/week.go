package report

import "time"

// Week counts for each hour of the week, by the clock on the user's wall. Monday
// is 0.
type Week [7][24]Hour

// Hour is one hour of the week, over all weeks of the period.
type Hour struct {
	Watched int // how often the page was read in it at least once
	New     int // new listings that appeared in it
	Checks  int // how often the page was read
	Seen    int // listings on the page, all of these checks together
}

// hour is one hour of the calendar. Of an hour that the end of summer time
// repeats there is one.
type hour struct{ year, day, hour int }

func hourOf(t time.Time) hour { return hour{t.Year(), t.YearDay(), t.Hour()} }

// weekday is 0 on a Monday.
func weekday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

func (w *Week) at(t time.Time) *Hour { return &w[weekday(t)][t.Hour()] }

// Average is the number of listings on the page, and whether it was read at all.
func (h Hour) Average() (float64, bool) {
	if h.Checks == 0 {
		return 0, false
	}
	return float64(h.Seen) / float64(h.Checks), true
}

// Rate is how many new listings to expect in this hour. Two hours more are taken
// as watched than were, without news, so that one lucky hour is no rule.
func (h Hour) Rate() float64 { return float64(h.New) / float64(h.Watched+2) }

// plus joins two hours.
func (h Hour) plus(o Hour) Hour {
	return Hour{h.Watched + o.Watched, h.New + o.New, h.Checks + o.Checks, h.Seen + o.Seen}
}

// Hours joins the days: what happens at each hour of the day.
func (w Week) Hours() (hours [24]Hour) {
	for _, d := range w {
		for h := range d {
			hours[h] = hours[h].plus(d[h])
		}
	}
	return hours
}

// Weekdays joins the hours of each day.
func (w Week) Weekdays() (days [7]Hour) {
	for d := range w {
		for _, h := range w[d] {
			days[d] = days[d].plus(h)
		}
	}
	return days
}

const (
	// enough new listings make a rule; fewer are chance.
	enough = 10
	// window is how many hours in a row the best time is: somebody can look at the
	// telephone more often for as long as that.
	window = 3
	// outstanding is how much better than the average a day must be to be named.
	outstanding = 1.5
)

// Best is the best time to look.
type Best struct {
	Known bool // there were enough new listings to tell
	Of    int  // new listings whose hour is known
	// From and To are hours of the day, To exclusive; From > To runs over midnight.
	From, To int
	Count    int // of Of: in these hours
	Day      int // the best day of the week, 0 for Monday; -1 when none stands out
	DayCount int // of Of: on this day
}

// best finds the hours in which most is to be expected. That is not where most
// was found: a machine that sleeps at night finds nothing then.
func (w Week) best() Best {
	b, days, hours := Best{Day: -1}, w.Weekdays(), w.Hours()
	var whole Hour
	for _, d := range days {
		whole = whole.plus(d)
	}
	if b.Of = whole.New; b.Of < enough {
		return b
	}
	b.Known = true
	var highest float64
	for from := range hours {
		var expected float64
		count := 0
		for i := range window {
			h := hours[(from+i)%24]
			expected += h.Rate()
			count += h.New
		}
		if expected > highest {
			highest, b.From, b.To, b.Count = expected, from, (from+window)%24, count
		}
	}
	highest = outstanding * whole.Rate()
	for d, h := range days {
		if h.Rate() >= highest {
			highest, b.Day, b.DayCount = h.Rate(), d, h.New
		}
	}
	return b
}
