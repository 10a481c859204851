package browser

import (
	"encoding/json"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// loaded is one page as it came: what the network said of it, and what the
// extraction script saw in it.
type loaded struct {
	Search     monitor.Search
	URL        string // requested; http or https
	FinalURL   string // after redirects
	Status     int    // of the document; 0 when none came
	RetryAfter time.Duration
	Raw        json.RawMessage // what the script returned
	At         time.Time
	Late       bool // read at the deadline, before the page had settled
}

// reader turns loaded pages into what the monitor compares. It holds no state
// beyond the portal definitions and may be used by several checks at a time.
type reader struct {
	portals []assets.Portal
}

// newReader takes the definitions in order of preference: the user's own first.
func newReader(portals []assets.Portal) (*reader, error) {
	return &reader{portals: portals}, nil
}

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

// How long the script waits for a page: at most settleMS, and until the listing
// count has stood still for quietMS.
const (
	settleMS = 10000
	quietMS  = 400
	maxNodes = 60000
)

// hints are the words in class names and test ids that are worth knowing.
const hints = `promot|sponsor|featured|similar|recommend|suggest|advert|skeleton|placeholder|carousel|noresult|no-result|empty|price-old|strike|captcha`

// options is the argument of the extraction script for a check of s.
func (r *reader) options(s monitor.Search, address string) map[string]any {
	o := map[string]any{"settle_ms": settleMS, "quiet_ms": quietMS, "scroll": false, "max_nodes": maxNodes, "hints": hints}
	u, _ := url.Parse(address)
	if p := r.portal(u); p != nil {
		o["scroll"] = p.Scroll
		marks := map[string]any{}
		for name, selectors := range map[string][]string{"promoted": p.Promoted, "similar": p.Similar, "ignore": p.Ignore, "refused": p.Refused, "signed_out": p.SignedOut} {
			if len(selectors) > 0 {
				marks[name] = selectors
			}
		}
		o["marks"] = marks
	}
	return o
}

// read decides what a loaded page is and what it shows. It does no I/O.
func (r *reader) read(l loaded) monitor.Page {
	page := monitor.Page{Status: l.Status, RetryAfter: l.RetryAfter, FinalURL: l.FinalURL}
	if v, reason := byStatus(l.Status); v != "" {
		page.Verdict, page.Reason = v, reason
		return page
	}
	snap, err := decodeSnapshot(l.Raw)
	if err != nil {
		page.Verdict, page.Reason = monitor.NotResults, err.Error()
		return page
	}
	if page.FinalURL == "" {
		page.FinalURL = snap.URL
	}
	requested, _ := url.Parse(l.URL)
	final, err := url.Parse(page.FinalURL)
	if err != nil || requested == nil {
		page.Verdict, page.Reason = monitor.NotResults, fmt.Sprintf("has no readable address: %q", page.FinalURL)
		return page
	}
	p := r.portal(final)
	g := newGround(snap, r.name(snap.targets(final), p))
	cards, pattern := g.cards(l.Search.Link, p)
	page.LinkPattern = pattern
	e := r.evidence(l, g, p, requested, final)
	e.words = g.listen(cards)
	page.Listings = g.listings(g.parted(cards, e.words), p, final, l.At)
	for _, listing := range page.Listings {
		if listing.Promoted {
			e.promoted++
		} else {
			e.ordinary++
		}
	}
	e.pattern = pattern
	if p != nil && pattern == p.Name {
		e.portal = p.Name
	}
	if len(page.Listings) == 0 {
		e.hint = g.suggest()
	}
	page.Verdict, page.Reason = judge(e)
	page.Total = max(e.words.total, 0)
	page.NewestFirst = newestFirst(l.Search, p, final)
	if page.Verdict == monitor.Results && p != nil && p.SignedInView && e.signedOut != "" {
		page.View = monitor.SignedOutView
	}
	if !page.Verdict.Clean() {
		page.Listings, page.Total = nil, 0
	} else if !snap.Settled || l.Late {
		page.Reason += ", read before it had settled"
	}
	return page
}

func (r *reader) evidence(l loaded, g *ground, p *assets.Portal, requested, final *url.URL) evidence {
	e := evidence{status: l.Status, requested: requested, final: final, late: l.Late}
	e.sameSite = site(requested) == site(final) || p != nil && p.Covers(requested.Hostname())
	e.atLogin = loginPath.MatchString(final.Path) && !loginPath.MatchString(requested.Path)
	if p != nil {
		e.refusal = g.mark("refused", p.Refused)
		e.signedOut = g.mark("signed_out", p.SignedOut)
		e.atLogin = e.atLogin || slices.ContainsFunc(p.SignedOutURL, func(re *regexp.Regexp) bool { return re.MatchString(final.String()) })
	}
	return e
}

// site is what a host belongs to: its last two labels, or three below a public
// suffix such as co.uk. A portal's mobile, language and login hosts are one site.
func site(u *url.URL) string {
	labels := strings.Split(strings.ToLower(u.Hostname()), ".")
	keep := 2
	if n := len(labels); n >= 3 && len(labels[n-1]) == 2 && publicSecond[labels[n-2]] {
		keep = 3
	}
	if net.ParseIP(u.Hostname()) != nil || len(labels) <= keep || labels[len(labels)-1] == "localhost" {
		return strings.Join(labels, ".")
	}
	return strings.Join(labels[len(labels)-keep:], ".")
}

var publicSecond = map[string]bool{"co": true, "com": true, "org": true, "net": true, "ac": true, "gov": true, "ne": true, "or": true}

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

// cards finds the page's cards by the user's link pattern, by the portal's
// definition, or by the page alone, and says which links it went by.
func (g *ground) cards(link string, p *assets.Portal) ([]card, string) {
	if link != "" {
		if pattern, err := regexp.Compile(link); err == nil {
			return g.around(g.matching(func(t *target) bool { return pattern.MatchString(t.url.String()) })), link
		}
	}
	if p != nil {
		wanted := g.matching(func(t *target) bool { return t.key != "" })
		if len(wanted) > 0 {
			return g.around(wanted), p.Name
		}
	}
	cards := g.generic()
	if p != nil && !g.overwhelming(cards) {
		return nil, ""
	}
	return cards, patternOf(cards)
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

func (g *ground) matching(ok func(t *target) bool) []*target {
	var out []*target
	for _, t := range g.all {
		ignored := !slices.ContainsFunc(t.nodes, func(l int) bool { return !g.marked(l, "ignore") })
		if !ignored && ok(t) {
			out = append(out, t)
		}
	}
	return out
}

// patternOf names the links of cards: the shape of most of them.
func patternOf(cards []card) string {
	count := map[string]int{}
	best := ""
	for _, c := range cards {
		count[c.link.shape]++
		if count[c.link.shape] > count[best] || count[c.link.shape] == count[best] && c.link.shape < best {
			best = c.link.shape
		}
	}
	return best
}

// listings reads the cards: one listing per key, at its first place in page
// order, promoted only when no ordinary card shows it.
func (g *ground) listings(cards []card, p *assets.Portal, final *url.URL, now time.Time) []monitor.Listing {
	base := webLink(g.Base)
	if base == nil {
		base = final
	}
	where := place{tld: final.Hostname()[strings.LastIndexByte(final.Hostname(), '.')+1:], lang: g.Lang}
	var out []monitor.Listing
	at := map[string]int{}
	for _, c := range cards {
		if g.marked(c.root, "ignore") {
			continue
		}
		l := g.fields(c, base, where, now)
		l.ID, l.Key = c.link.id, l.Canonical
		if c.link.key != "" {
			l.Key = c.link.key
		}
		l.Promoted = c.other || g.promoted(c, p)
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
	return a
}

// marked says whether a node, or one around it, carries a mark.
func (g *ground) marked(i int, name string) bool {
	return g.ancestor(i, func(n *node) bool { return slices.Contains(n.Marks, name) }) >= 0
}

// promoted says whether a card is paid for or belongs to a block of other homes.
func (g *ground) promoted(c card, p *assets.Portal) bool {
	if g.marked(c.root, "promoted") || g.marked(c.root, "similar") {
		return true
	}
	for _, l := range c.link.nodes {
		if g.within(l, c.root) && (g.marked(l, "promoted") || g.marked(l, "similar")) {
			return true
		}
	}
	if p != nil {
		for _, l := range g.linksIn(c.root) {
			for _, re := range p.PromotedLinks {
				if re.MatchString(g.Nodes[l].Href) {
					return true
				}
			}
		}
		return false
	}
	return slices.ContainsFunc(g.lines(c.root), func(line string) bool { return paid.MatchString(line) })
}

// paid is the label of an advertisement, alone on its line.
var paid = regexp.MustCompile(`(?i)^(?:sponsored|gesponsert|gesponsord|advertisement|advertentie|anzeige|werbung|patrocinado|sponsorisé|sponsorizzato|publicidad|annons|sponsrad)$`)

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
