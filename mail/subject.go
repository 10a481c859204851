package mail

import (
	"slices"
	"strings"

	"notifio.app/notifio/monitor"
)

// subjectLimit is how long a subject may be, in characters: phones show forty, no
// program shows more than a line, and some servers refuse long header lines.
const subjectLimit = 150

// subject says what a phone's lock screen should: of one listing its price and
// name, of several how many there are and which searches found them, and of
// notices alone the first.
func subject(l monitor.Letter) string {
	alerts := l.Alerts
	if len(alerts) == 0 {
		return shorten(noticeHeadline(l.Notices), subjectLimit)
	}
	if len(alerts) == 1 {
		return shorten(single(alerts[0]), subjectLimit)
	}
	var names []string
	for _, a := range alerts {
		for _, name := range a.Searches {
			if name = clean(name); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return shorten(joined(": ", headline(alerts), strings.Join(names, " · ")), subjectLimit)
}

func single(a monitor.Alert) string {
	what := badges[a.Kind].text
	if a.Gone {
		what += ", no longer on the page"
	}
	return joined(": ", what, joined(" · ", strings.ReplaceAll(priceLine(a), "\u00a0", " "), title(a.Listing), facts(a.Listing)))
}
