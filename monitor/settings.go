package monitor

import "time"

// Settings is what the user's file says, checked and complete. A new value
// replaces the old one whole.
type Settings struct {
	Searches []Search // enabled and disabled, in the order of the file
	Interval time.Duration
	Jitter   time.Duration
	Lanes    int // hosts checked side by side, at least 1
	Banners  bool
	Quiet    QuietHours
	// Destinations are empty only where there is no good file: then who is to be told is
	// not known, and everything waits.
	Destinations []Destination
	Recipes      []Recipe // for those searches that name one
}

// QuietHours hold banners back, never mail. From and To are minutes after
// midnight in Zone; From == To means none, From > To runs over midnight.
type QuietHours struct {
	From, To int
	Zone     *time.Location
}

// At says whether now falls into the quiet hours, by the clock on the wall of
// Zone: an hour that daylight saving skips or doubles is skipped or doubled.
func (q QuietHours) At(now time.Time) bool {
	if q.From == q.To || q.Zone == nil {
		return false
	}
	t := now.In(q.Zone)
	minute := t.Hour()*60 + t.Minute()
	if q.From < q.To {
		return q.From <= minute && minute < q.To
	}
	return minute >= q.From || minute < q.To
}
