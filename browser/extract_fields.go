package browser

import (
	"net/url"
	"strconv"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// fields reads what a card shows, by meaning and not by class names. What is not
// shown stays empty.
func (g *ground) fields(c card, base *url.URL, where place, now time.Time) monitor.Listing {
	raw := g.rawLines(c.root)
	lines := cleaned(raw)
	said := g.read(c.root)
	l := monitor.Listing{URL: listingURL(c.link.url), Canonical: c.link.canonical, Text: wholeText(raw)}
	l.Price = said.price(where)
	l.AreaM2 = said.size(&areaLabels, areaFigures)
	l.Rooms = g.rooms(c, said)
	l.Address = g.address(c, lines)
	l.Title = g.title(c, lines, l.Address)
	l.Photo = g.photo(c, base)
	l.Published = g.published(c, raw, now)
	return l
}

// mostText is how many bytes of a card's text its filters read.
const mostText = 4000

// wholeText is all that a card says, line by line.
func wholeText(raw []string) string {
	text := strings.ReplaceAll(strings.Join(raw, "\n"), seam, " ")
	if len(text) > mostText {
		text = text[:mostText]
	}
	return strings.ToValidUTF8(plainSpaces.Replace(text), "")
}

// listingURL is the link to be opened: the page's own, without what tracks.
func listingURL(u *url.URL) string {
	out, id := *u, queryID(u)
	var keep []string
	for _, p := range parameters(u) {
		kind := trackers.kind(p.name)
		if kind == "" || kind == "view" || kind == "visit" && p.value == id {
			keep = append(keep, p.raw)
		}
	}
	out.RawQuery = strings.Join(keep, "&")
	if !strings.Contains(canonical(u), "#") {
		out.Fragment, out.RawFragment = "", ""
	}
	return out.String()
}

// published is when the listing appeared, as far as the card says so.
func (g *ground) published(c card, lines []string, now time.Time) time.Time {
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		n := &g.Nodes[i]
		if v := n.Data["listing-days-old"]; v != "" {
			if days, err := strconv.Atoi(v); err == nil && days >= 0 {
				return now.AddDate(0, 0, -days)
			}
		}
		if n.Tag == "time" {
			for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
				if at, err := time.Parse(layout, n.Value); err == nil && at.Before(now.AddDate(0, 0, 1)) && at.After(now.AddDate(-3, 0, 0)) {
					return at
				}
			}
		}
	}
	for _, line := range lines {
		for piece := range strings.SplitSeq(line, seam) {
			if at, ok := parsePublished(clean(piece), now); ok {
				return at
			}
		}
	}
	return time.Time{}
}
