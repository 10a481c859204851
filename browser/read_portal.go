package browser

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// portal is the definition that covers a URL's host; nil for none.
func (r *reader) portal(u *url.URL) *assets.Portal {
	if u == nil {
		return nil
	}
	for i := range r.portals {
		if r.portals[i].Covers(u.Hostname()) {
			return &r.portals[i]
		}
	}
	return nil
}

// name gives the targets that a definition knows as listings the portal's id and
// key. A portal's partners keep their own keys.
func (r *reader) name(ts targets, p *assets.Portal) targets {
	if p == nil {
		return ts
	}
	for _, t := range ts.all {
		of, id, ok := p, "", false
		if id, ok = p.ListingID(t.url); !ok && len(p.Partners) > 0 {
			if of = r.portal(t.url); of != nil && slices.Contains(p.Partners, of.Name) {
				id, ok = of.ListingID(t.url)
			}
		}
		if ok {
			t.id, t.key = id, of.Name+":"+id
			t.identity = t.key
		}
	}
	return ts
}

// mark is the first of a definition's marks that the page carries: a selector
// that matched, or a sentence in the title or the text.
func (g *ground) mark(name string, marks []string) string {
	if hit := g.Marks[name]; len(hit) > 0 {
		return hit[0]
	}
	for _, m := range marks {
		if !strings.Contains(m, " ") {
			continue
		}
		low := strings.ToLower(m)
		if strings.Contains(strings.ToLower(g.Title), low) {
			return m
		}
		for i := range g.Nodes {
			if g.Nodes[i].Tag == "" && g.Nodes[i].Hidden == 0 && strings.Contains(strings.ToLower(g.Nodes[i].Text), low) {
				return m
			}
		}
	}
	return ""
}

// marked says whether a node, or one around it, carries a mark.
func (g *ground) marked(i int, name string) bool {
	return g.ancestor(i, func(n *node) bool { return slices.Contains(n.Marks, name) }) >= 0
}

// promoted says whether a card is paid for or belongs to a block of other homes, by
// the portal's definition.
func (g *ground) promoted(c card, p *assets.Portal) bool {
	if g.marked(c.root, "promoted") || g.marked(c.root, "similar") {
		return true
	}
	for _, l := range c.link.nodes {
		if g.within(l, c.root) && (g.marked(l, "promoted") || g.marked(l, "similar")) {
			return true
		}
	}
	return p != nil && slices.ContainsFunc(g.linksIn(c.root), func(l int) bool {
		return slices.ContainsFunc(p.PromotedLinks, func(re *regexp.Regexp) bool { return re.MatchString(g.Nodes[l].Href) })
	})
}

// newestFirst says whether the page is known to show the newest first.
func newestFirst(s monitor.Search, p *assets.Portal, final *url.URL) bool {
	if s.NewestFirst != nil {
		return *s.NewestFirst
	}
	if p == nil {
		return false
	}
	matches := func(res []*regexp.Regexp) bool {
		return slices.ContainsFunc(res, func(re *regexp.Regexp) bool { return re.MatchString(final.String()) })
	}
	return matches(p.NewestFirst) || p.NewestDefault && !matches(p.OtherOrder)
}
