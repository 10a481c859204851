package config

import (
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// minInterval is how often a portal is asked at most: the promise of the product,
// and the limit of what a portal takes for a person. Beyond longestInterval
// looking becomes pointless.
const (
	minInterval     = 30 * time.Second
	longestInterval = 24 * time.Hour
)

func (c *checker) poll(doc map[string]any, searches []monitor.Search) Poll {
	t := c.single(doc, "poll")
	timing := monitor.DefaultTiming()
	p := Poll{Interval: timing.Interval, Jitter: timing.Jitter}
	good := t.has("interval") || !c.partial // else it may stand in a line that could not be read
	if d, given := t.duration("interval"); given {
		good = t.checkInterval(d, searches)
		// The same share of a shorter interval, unless the file says otherwise.
		p.Interval, p.Jitter = d, min(timing.Jitter, d/6)
	}
	if d, given := t.duration("jitter"); given {
		if most := longestJitter(p.Interval, timing.Floor); d < 0 {
			t.wrongAt("jitter", `jitter "%s" is negative: write "0s" or more`, short(d))
		} else if d > 0 && d >= most && good {
			t.wrongAt("jitter", `jitter "%s" is too long for an interval of %s: write less than "%s"`, short(d), short(p.Interval), short(most))
		}
		p.Jitter = d
	}
	return p
}

// longestJitter leaves the floor between two cycles. Below the interval for
// portals the floor may be longer than the interval; there the jitter has only to
// be shorter than that.
func longestJitter(interval, floor time.Duration) time.Duration {
	if interval < minInterval {
		return interval
	}
	return interval - floor
}

// checkInterval says whether the interval is a good one.
func (t table) checkInterval(d time.Duration, searches []monitor.Search) bool {
	raw := quote(strings.TrimSpace(t.values["interval"].(string)))
	switch away := elsewhere(searches); {
	case d <= 0:
		t.wrongAt("interval", `interval %s is not a time to wait: write "30s" or more`, raw)
	case d < minInterval && away != "":
		t.wrongAt("interval", `interval %s is shorter than 30s: write "30s" or more, because search %s is not on this machine and portals turn away those who ask more often`, raw, quote(away))
	case d > longestInterval:
		t.wrongAt("interval", "interval %s is longer than a day: write less, homes are let within hours", raw)
	default:
		return true
	}
	return false
}

// elsewhere is the name of an enabled search that asks another machine.
func elsewhere(searches []monitor.Search) string {
	for _, s := range searches {
		if s.Enabled && s.URL != "" && !monitor.OnThisMachine(s.URL) {
			return s.Name
		}
	}
	return ""
}

// short is a duration as a user writes it: "25s" and "1m", not "1m0s".
func short(d time.Duration) string {
	s := d.String()
	if strings.HasSuffix(s, "m0s") {
		s = strings.TrimSuffix(s, "0s")
	}
	if strings.HasSuffix(s, "h0m") {
		s = strings.TrimSuffix(s, "0m")
	}
	return s
}
