package report

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

var weekdays = [7]string{"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"}

// number is n with its thousands apart.
func number(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// count is n with its noun.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// percent is a share of a whole. It says 100 % only of all of it, and 0 % only of
// nothing.
func percent(part, whole int) string {
	if whole == 0 {
		return "–"
	}
	tenths := min(max((part*1000+whole/2)/whole, 0), 1000)
	switch {
	case part == whole, part == 0:
		return strconv.Itoa(tenths/10) + " %"
	case tenths < 950:
		return strconv.Itoa(max((tenths+5)/10, 1)) + " %"
	}
	tenths = min(tenths, 999)
	return fmt.Sprintf("%d.%d %%", tenths/10, tenths%10)
}

// lasting is a length of time, coarser the longer it is.
func lasting(d time.Duration) string {
	d = d.Round(time.Second)
	minutes, hours := int(d/time.Minute), int(d/time.Hour)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d/time.Second))
	case d < 5*time.Minute && d%time.Minute >= time.Second:
		return fmt.Sprintf("%d min %d s", minutes, int(d/time.Second)%60)
	case hours < 1:
		return fmt.Sprintf("%d min", minutes)
	case hours < 48 && minutes%60 > 0:
		return fmt.Sprintf("%d h %d min", hours, minutes%60)
	case hours < 48:
		return fmt.Sprintf("%d h", hours)
	}
	return fmt.Sprintf("%d days", hours/24)
}

// clock is a full hour of the day.
func clock(hour int) string { return fmt.Sprintf("%d:00", hour%24) }

// moment is a time of a day of the period.
func moment(t time.Time) string { return t.Format("Mon 2 Jan, 15:04") }

// period is from one day to another.
func period(from, to time.Time) string {
	switch {
	case from.Format(time.DateOnly) == to.Format(time.DateOnly):
		return to.Format("2 January 2006")
	case from.Year() == to.Year():
		return from.Format("2 January") + " to " + to.Format("2 January 2006")
	}
	return from.Format("2 January 2006") + " to " + to.Format("2 January 2006")
}

// bestTime is the best time to look, in a sentence or two.
func bestTime(b Best) string {
	switch {
	case !b.Known && b.Of == 0:
		return "No new listing has appeared yet while Notifio was watching."
	case !b.Known:
		return fmt.Sprintf("Too early to name a best time: %s so far, and it takes %d.", count(b.Of, "new listing", "new listings"), enough)
	}
	said := fmt.Sprintf("Best time to look: %s to %s, when %s of the %s new listings appeared.",
		clock(b.From), clock(b.To), number(b.Count), number(b.Of))
	if b.Day >= 0 {
		said += fmt.Sprintf(" The best day is %s, with %s.", weekdays[b.Day], number(b.DayCount))
	}
	return said
}

// hourTitle says what is known of one hour of the week.
func hourTitle(day, h int, what string) string {
	return fmt.Sprintf("%s, %s to %s: %s", weekdays[day], clock(h), clock(h+1), what)
}

// listed joins parts of a sentence that are there.
func listed(parts ...string) string {
	var said []string
	for _, p := range parts {
		if p != "" {
			said = append(said, p)
		}
	}
	return strings.Join(said, " · ")
}
