package browser

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// cards finds the page's cards by the user's link pattern, by the portal's
// definition, or by the page alone, and says which links it went by.
func (g *ground) cards(link string, p *assets.Portal) ([]card, string) {
	if link != "" {
		if pattern, err := regexp.Compile(link); err == nil {
			wanted := g.matching(func(t *target) bool {
				return slices.ContainsFunc(t.nodes, func(l int) bool { return pattern.MatchString(g.Nodes[l].Href) })
			})
			return g.known(wanted).cards, link
		}
	}
	if p != nil {
		wanted := g.matching(func(t *target) bool { return t.key != "" })
		if len(wanted) > 0 {
			return g.around(g.known(wanted).cards, true), p.Name
		}
	}
	cards := g.generic()
	if p != nil && !g.overwhelming(cards) {
		return nil, ""
	}
	return cards, patternOf(cards)
}

// known are the cards of targets that are known to be listings.
func (g *ground) known(wanted []*target) list {
	var links []int
	for _, t := range wanted {
		links = append(links, t.nodes...)
	}
	slices.Sort(links)
	return g.list(links)
}

// overwhelming says whether cards on a portal whose definition matches nothing
// are listings all the same: then the portal has changed its addresses, and a
// page full of priced cards is better read without the definition than not.
func (g *ground) overwhelming(cards []card) bool {
	priced := 0
	for _, c := range cards {
		if c.link.strength > 0 && g.tally(g.money, c.root) > 0 {
			priced++
		}
	}
	return len(cards) >= 4 && 4*priced >= 3*len(cards)
}

// matching are the targets that are known to be listings, outside of regions that
// are none. Links in the page's menus ("recently viewed") count only where there
// are no others.
func (g *ground) matching(ok func(t *target) bool) []*target {
	var out, furniture []*target
	for _, t := range g.all {
		ignored := !slices.ContainsFunc(t.nodes, func(l int) bool { return !g.marked(l, "ignore") })
		switch {
		case ignored || !ok(t):
		case t.chrome:
			furniture = append(furniture, t)
		default:
			out = append(out, t)
		}
	}
	if len(out) == 0 {
		return furniture
	}
	return out
}

// patternOf names the links of cards by what they have in common, so that the
// name stays the same when some of them change: of the host and depth that most
// of them have, the parts that are the same, and "*" for those that are not.
func patternOf(cards []card) string {
	groups := map[string][][]string{}
	best := ""
	for _, c := range cards {
		parts := strings.Split(c.link.shape, "/")
		key := fmt.Sprintf("%s %d", parts[0], len(parts))
		groups[key] = append(groups[key], parts)
		if n := len(groups[key]); n > len(groups[best]) || n == len(groups[best]) && key < best {
			best = key
		}
	}
	if best == "" {
		return ""
	}
	common := slices.Clone(groups[best][0])
	for _, parts := range groups[best] {
		for i, part := range parts {
			if part != common[i] {
				common[i] = "*"
			}
		}
	}
	return strings.Join(common, "/")
}

// listings reads the cards: one listing per key, at its first place in page
// order, promoted only when no ordinary card shows it.
func (g *ground) listings(cards []card, p *assets.Portal, final *url.URL, now time.Time) []monitor.Listing {
	base := webLink(g.Base)
	if base == nil {
		base = final
	}
	where := place{tld: final.Hostname()[strings.LastIndexByte(final.Hostname(), '.')+1:], lang: g.Lang}
	cards = slices.DeleteFunc(slices.Clone(cards), func(c card) bool { return g.marked(c.root, "ignore") })
	read := make([]monitor.Listing, len(cards))
	for i, c := range cards {
		if passed(g.done) {
			return nil
		}
		l := &read[i]
		*l = g.fields(c, base, where, now)
		l.ID, l.Key = c.link.id, c.link.home
		if before := canonicalBefore(c.link.url); before != l.Canonical {
			l.Aliases = []string{before}
		}
		if c.link.key != "" {
			l.Key = c.link.key
		}
		l.Promoted = c.other || g.promoted(c, p)
	}
	g.labelled(cards, read)
	var out []monitor.Listing
	at := map[string]int{}
	for _, l := range read {
		i, seen := at[l.Key]
		switch {
		case !seen:
			at[l.Key] = len(out)
			out = append(out, l)
		case out[i].Promoted && !l.Promoted:
			// An ordinary hit whose paid copy stands further up: its place is here.
			l = merge(l, out[i])
			out[i].Key = ""
			at[l.Key] = len(out)
			out = append(out, l)
		default:
			out[i] = merge(out[i], l)
		}
	}
	return slices.DeleteFunc(out, func(l monitor.Listing) bool { return l.Key == "" })
}

// merge joins two cards of one listing: what the first does not show is taken
// from the second.
func merge(a, b monitor.Listing) monitor.Listing {
	if a.Price.Amount == 0 && (b.Price.Amount != 0 || a.Price.Text == "") {
		a.Price = b.Price
	}
	if a.Title == "" {
		a.Title = b.Title
	}
	if a.AreaM2 == 0 {
		a.AreaM2 = b.AreaM2
	}
	if a.Rooms == 0 {
		a.Rooms = b.Rooms
	}
	if a.Address == "" {
		a.Address = b.Address
	}
	if a.Photo == "" {
		a.Photo = b.Photo
	}
	if a.Published.IsZero() {
		a.Published = b.Published
	}
	a.Let = a.Let || b.Let
	return a
}
