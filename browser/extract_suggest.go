package browser

import (
	"regexp"
	"strings"
)

// worthTrying is how many links must be alike to be suggested as listings.
const worthTrying = 3

// suggest is a pattern for the user's `link` on a page where no listing was
// found: for the links that are most alike, outside of menus. It is "" when
// nothing on the page repeats.
func (g *ground) suggest() string {
	count := map[string]int{}
	best := ""
	for _, t := range g.all {
		if t.chrome || t.soft {
			continue
		}
		shape := pattern(t)
		count[shape]++
		if n := count[shape]; n > count[best] || n == count[best] && shape < best {
			best = shape
		}
	}
	if count[best] < worthTrying {
		return ""
	}
	return best
}

// pattern is a regular expression for links like one: everything but their last
// part, and parts that differ from listing to listing.
func pattern(t *target) string {
	parts := strings.Split(strings.Trim(t.url.EscapedPath(), "/"), "/")
	for i, part := range parts {
		if _, strength := segmentID(part); strength > 0 || i == len(parts)-1 || slug.MatchString(part) {
			parts[i] = "[^/?#]+"
		} else {
			parts[i] = regexp.QuoteMeta(part)
		}
	}
	return "^" + regexp.QuoteMeta(t.url.Scheme+"://"+t.url.Host) + "/" + strings.Join(parts, "/")
}
