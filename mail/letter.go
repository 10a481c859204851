package mail

import (
	"fmt"
	"net/url"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// page is what the templates are given. Every string in it is clean.
type page struct {
	Headline string // "2 new listings, 1 price drop"
	Preview  string // what a mail program shows beside the subject
	Away     string // "" or how long Notifio was away
	Large    bool   // photos over the whole width: there are few listings
	Cards    []card
	Footer   string
}

// card is one listing of a page.
type card struct {
	Badge, Class     string // "New", and the name of its colours
	Title            string
	Price            string // in one line: "€1,500 → €1,400 per month"
	Was, Now, Period string // the same in its parts
	Facts, Address   string
	Photo, Link      string // http or https, or ""
	Host             string // of Link
	Notes            []string
	Gone             bool
	Origin           string // which searches found it, and when
}

// largeAtMost is up to how many listings have large photos: beyond it a phone
// shows one listing at a time and the reader loses the overview.
const largeAtMost = 3

const footer = "Sent by Notifio on your own computer. Each new listing is told once."

func newPage(l monitor.Letter, now time.Time) page {
	alerts := l.Alerts
	p := page{Headline: headline(alerts), Large: len(alerts) <= largeAtMost, Footer: footer, Away: away(alerts)}
	var preview []string
	for _, a := range alerts {
		c := newCard(a, now)
		p.Cards = append(p.Cards, c)
		if len(preview) < 3 {
			preview = append(preview, joined(" · ", c.Price, c.Facts, c.Address))
		}
	}
	for _, n := range l.Notices {
		p.Cards = append(p.Cards, noticeCard(n))
		if len(alerts) == 0 {
			preview = append(preview, shorten(clean(n.Body), 160))
		}
	}
	if len(alerts) == 0 {
		p.Headline = noticeHeadline(l.Notices)
	}
	p.Preview = joined(" | ", preview...)
	return p
}

// noticeCard tells of a trouble, or of its end, in the place of a listing.
func noticeCard(n monitor.Banner) card {
	return card{
		Badge: "About Notifio", Class: "back", Title: shorten(clean(n.Title), 200),
		Notes: []string{shorten(clean(n.Body), 400)}, Link: webLink(n.URL),
		Host: shorten(monitor.HostOf(webLink(n.URL)), 40),
	}
}

func noticeHeadline(notices []monitor.Banner) string {
	if len(notices) == 1 {
		return shorten(clean(notices[0].Title), 120)
	}
	return count(len(notices), "thing to know", "things to know")
}

func newCard(a monitor.Alert, now time.Time) card {
	l := a.Listing
	c := card{
		Badge: badges[a.Kind].text, Class: badges[a.Kind].class, Title: title(l), Price: priceLine(a),
		Now: money(l.Price), Period: period(l.Price), Facts: facts(l), Address: shorten(clean(l.Address), 160),
		Photo: webLink(l.Photo), Link: webLink(l.URL), Gone: a.Gone, Origin: origin(a, now),
	}
	c.Host = shorten(monitor.HostOf(c.Link), 40)
	if dropped(a) && c.Now != "" {
		c.Was = money(a.Was)
	}
	if c.Address == c.Title {
		c.Address = ""
	}
	c.Notes = notes(a)
	return c
}

var badges = map[monitor.Kind]struct{ text, class string }{
	monitor.New:       {"New", "new"},
	monitor.PriceDrop: {"Price drop", "drop"},
	monitor.Back:      {"Back on the market", "back"},
}

// alone are the headlines of a single listing.
var alone = map[monitor.Kind]string{
	monitor.New:       "A new listing",
	monitor.PriceDrop: "A price drop",
	monitor.Back:      "Back on the market",
}

// title names the listing by the best that the page gave.
func title(l monitor.Listing) string {
	for _, s := range []string{l.Title, l.Address} {
		if s = shorten(clean(s), 200); s != "" {
			return s
		}
	}
	if host := monitor.HostOf(webLink(l.URL)); host != "" {
		return "A listing on " + host
	}
	return "A listing"
}

func notes(a monitor.Alert) []string {
	var all []string
	if a.Doubt != "" {
		all = append(all, sentence(shorten(clean(a.Doubt), 160)))
	}
	return all
}

// origin says which searches found the listing, and when.
func origin(a monitor.Alert, now time.Time) string {
	var names []string
	for _, name := range a.Searches {
		if name = shorten(clean(name), 60); name != "" && len(names) < 8 {
			names = append(names, "“"+name+"”")
		}
	}
	found, published := "", ""
	if len(names) > 0 {
		found = "Found by " + listed(names)
	}
	if !a.Found.IsZero() {
		found = strings.TrimSpace(found + " at " + clock(a.Found, now))
	}
	if !a.Listing.Published.IsZero() {
		published = "published " + clock(a.Listing.Published, now)
	}
	return sentence(joined(", ", found, published))
}

// away says how long nobody looked, when some of the listings appeared meanwhile.
func away(alerts []monitor.Alert) string {
	longest, found := time.Duration(0), 0
	for _, a := range alerts {
		if a.Away > 0 {
			longest, found = max(longest, a.Away), found+1
		}
	}
	which := ""
	switch {
	case found == 0:
		return ""
	case len(alerts) == 1:
		which = "This was"
	case found == len(alerts):
		which = "These were"
	default:
		which = count(found, "of these was", "of these were")
	}
	return "Notifio was away for " + span(longest) + ". " + which + " there when it came back."
}

// headline counts what there is to tell.
func headline(alerts []monitor.Alert) string {
	if len(alerts) == 1 {
		return alone[alerts[0].Kind]
	}
	var parts []string
	for _, k := range []struct {
		kind      monitor.Kind
		one, many string
	}{
		{monitor.New, "new listing", "new listings"},
		{monitor.PriceDrop, "price drop", "price drops"},
		{monitor.Back, "back on the market", "back on the market"},
	} {
		n := 0
		for _, a := range alerts {
			if a.Kind == k.kind {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, count(n, k.one, k.many))
		}
	}
	return joined(", ", parts...)
}

// webLink returns an address that a browser may open: http or https with a host,
// without a user's name or password, everything unusual escaped. Else "".
func webLink(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return ""
	}
	u.User = nil
	var link strings.Builder
	for _, octet := range []byte(u.String()) { // a query is still as the page wrote it
		if octet <= ' ' || octet >= 0x7f || strings.IndexByte("\"<>\\^`{|}", octet) >= 0 {
			fmt.Fprintf(&link, "%%%02X", octet)
		} else {
			link.WriteByte(octet)
		}
	}
	return link.String()
}

// joined joins what is not empty.
func joined(separator string, parts ...string) string {
	var full []string
	for _, part := range parts {
		if part != "" {
			full = append(full, part)
		}
	}
	return strings.Join(full, separator)
}

// sentence gives s a capital letter and a full stop.
func sentence(s string) string {
	if s == "" {
		return ""
	}
	runes := []rune(s)
	s = strings.ToUpper(string(runes[:1])) + string(runes[1:])
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "…") {
		return s
	}
	return s + "."
}
