package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"slices"
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
	Late       bool // read at the deadline, before the page had finished
	// Done is closed when nobody waits for the reading any more; nil: never. What is
	// read from then on is nothing.
	Done <-chan struct{}
}

// reader turns loaded pages into what the monitor compares. It holds no state
// beyond the portal definitions and may be used by several checks at a time.
type reader struct {
	portals []assets.Portal
}

// newReader is the one way to a reader: the user's own definitions, and behind
// them the embedded ones.
func newReader(own []assets.Portal) (*reader, error) {
	portals, err := assets.PortalsWith(own)
	if err != nil {
		return nil, err
	}
	return &reader{portals: portals}, nil
}

// How long the script waits for a page: at most settleMS, and until the listing
// count has stood still for quietMS.
const (
	settleMS = 10000
	quietMS  = 400
	maxNodes = 60000
)

// hints are the words in class names and test ids that are worth knowing: a
// price that was, and an element that only parts what is around it.
const hints = oldPriceWords + `|separator|divider`

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
		page.Verdict, page.Reason, page.Robot = v, reason, v == monitor.Refused && r.asksWhoIsThere(l)
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
	page.Reader = r.version(p)
	g := r.ground(snap, l, p, final)
	cards, pattern := g.cards(l.Search.Link, p)
	if len(cards) == 0 {
		if flat := g.wrapped(); flat != nil {
			g = r.ground(flat, l, p, final)
			cards, pattern = g.cards(l.Search.Link, p)
		}
	}
	page.LinkPattern = pattern
	e := r.evidence(l, g, p, requested, final)
	e.words = g.listen(cards)
	cards = g.parted(cards, e.words)
	page.Listings = g.listings(cards, p, final, l.At)
	page.Listings = r.screens(page.Listings, snap, l, p, final)
	for _, listing := range page.Listings {
		if listing.Promoted {
			e.promoted++
		} else {
			e.ordinary++
		}
	}
	e.oneHome = isListing(final, p, cards, e.ordinary) && g.ownHome(cards)
	e.pattern = pattern
	if p != nil && pattern == p.Name {
		e.portal = p.Name
	}
	if len(page.Listings) == 0 {
		e.hint = g.suggest()
	}
	page.Verdict, page.Reason = judge(e)
	page.Robot = page.Verdict == monitor.Refused // what else is refused, its status says
	page.Total = max(e.words.total, 0)
	page.NewestFirst = newestFirst(l.Search, p, final)
	if page.Verdict == monitor.Results && p != nil && p.SignedInView && e.signedOut != "" {
		page.View = monitor.SignedOutView
	}
	page.Dropped = lostParts(requested, final)
	if !page.Verdict.Clean() {
		page.Listings, page.Total, page.Dropped = nil, 0, nil
	} else if !snap.Settled || l.Late {
		page.Reason += ", read before it had settled"
	}
	return page
}

// asksWhoIsThere says whether a page that was refused by its status is a robot check.
func (r *reader) asksWhoIsThere(l loaded) bool {
	snap, err := decodeSnapshot(l.Raw)
	final, bad := url.Parse(l.FinalURL)
	if err != nil || bad != nil {
		return false
	}
	p := r.portal(final)
	g := r.ground(snap, l, p, final)
	return robotCheck(g.listen(nil)) != "" || p != nil && g.mark("refused", p.Refused) != ""
}

// ground prepares a snapshot for finding cards.
func (r *reader) ground(s *snapshot, l loaded, p *assets.Portal, final *url.URL) *ground {
	g := newGround(s, r.name(s.targets(final), p))
	g.done = l.Done
	return g
}

// screens adds the listings that a list showed only while it was scrolled, in their
// order, which is the page's.
func (r *reader) screens(last []monitor.Listing, s *snapshot, l loaded, p *assets.Portal, final *url.URL) []monitor.Listing {
	if len(s.Screens) == 0 {
		return last
	}
	seen := map[string]bool{}
	var out []monitor.Listing
	add := func(listings []monitor.Listing) {
		for _, listing := range listings {
			if !seen[listing.Key] {
				seen[listing.Key] = true
				out = append(out, listing)
			}
		}
	}
	for _, nodes := range s.Screens {
		screen := *s
		if screen.Nodes = nodes; screen.connect() == nil {
			g := r.ground(&screen, l, p, final)
			cards, _ := g.cards(l.Search.Link, p)
			add(g.listings(cards, p, final, l.At))
		}
	}
	add(last)
	return out
}

func (r *reader) evidence(l loaded, g *ground, p *assets.Portal, requested, final *url.URL) evidence {
	e := evidence{status: l.Status, requested: requested, final: final, late: l.Late || !g.Settled, cut: g.Cut}
	if l.Search.Landed != "" {
		e.landed, _ = url.Parse(l.Search.Landed)
	}
	e.sameSite = site(requested) == site(final) || p != nil && p.Covers(requested.Hostname())
	e.atLogin = loginPath.MatchString(final.Path) && !loginPath.MatchString(requested.Path) ||
		loginHost.MatchString(final.Hostname()) && !loginHost.MatchString(requested.Hostname())
	if p != nil {
		e.refusal = g.mark("refused", p.Refused)
		e.signedOut = g.mark("signed_out", p.SignedOut)
		e.atLogin = e.atLogin || slices.ContainsFunc(p.SignedOutURL, func(re *regexp.Regexp) bool { return re.MatchString(final.String()) })
	}
	return e
}
