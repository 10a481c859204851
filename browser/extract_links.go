package browser

import (
	"net/url"
	"regexp"
	"strings"
)

// target is one page that links lead to. Links to the same target differ only in
// what says where the visitor came from.
type target struct {
	canonical string
	identity  string // host and id where that is unmistakable, else the canonical form
	home      string // see homeKey
	id        string
	key       string // of the listing, where a portal's definition knows it
	strength  int    // how much the id looks like one; see idToken
	shape     string
	url       *url.URL
	nodes     []int // its links, in page order
	soft      bool  // no link, only data- attributes that a script follows
	foreign   bool  // on another site than the page
	chrome    bool  // every link to it is in the page's header, menu or footer
}

// targets are the pages that a results page links to, the page itself left out.
type targets struct {
	all    []*target
	byNode []*target // nil for nodes that are no link to one
}

func (s *snapshot) targets(page *url.URL) targets {
	f := finder{
		targets: targets{byNode: make([]*target, len(s.Nodes))}, page: page,
		byCanonical: map[string]*target{}, byLink: map[*url.URL]*target{},
	}
	if page != nil {
		f.own, f.ownID = canonical(page), pathID(page)
	}
	soft := s.softLinks(webLink(s.Base))
	chrome := s.chrome()
	for i := range s.Nodes {
		u := s.Nodes[i].link
		if u == nil {
			u = soft[i]
		}
		t := f.target(u)
		if t == nil {
			continue
		}
		t.soft = t.soft && s.Nodes[i].link == nil
		t.nodes = append(t.nodes, i)
		t.chrome = t.chrome && chrome[i]
		f.byNode[i] = t
	}
	if page != nil {
		ownWords(f.all, page)
	}
	sameHome(f.all)
	flats(f.all)
	return f.targets
}

// finder collects the targets of a page. Half of a page's links are written more
// than once, and each address is looked at once.
type finder struct {
	targets
	page        *url.URL // nil where it is not known
	own, ownID  string   // the page's canonical form, and the id in its path
	byCanonical map[string]*target
	byLink      map[*url.URL]*target // nil for addresses that are no target
}

// target is what an address leads to; nil for the page itself and for what is no
// page of its own.
func (f *finder) target(u *url.URL) *target {
	t, seen := f.byLink[u]
	if seen || u == nil {
		return t
	}
	c := canonical(u)
	home := strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && len(u.Fragment) < 3
	if c != f.own && !home && !elsewhere.MatchString(u.Host+u.Path) && !f.sameSearch(u) {
		if t = f.byCanonical[c]; t == nil {
			t = newTarget(c, u)
			t.foreign = f.page != nil && site(u) != site(f.page)
			f.byCanonical[c] = t
			f.all = append(f.all, t)
		}
	}
	f.byLink[u] = t
	return t
}

// sameSearch says whether a link leads to the page's own search, turned, sorted or
// narrowed: the same path with no id in the query, or a path that ends in the same
// numbers ("/brookfield/500-900" and "/brookfield/studio/500-900").
func (f *finder) sameSearch(u *url.URL) bool {
	if f.page == nil || u.Hostname() != f.page.Hostname() {
		return false
	}
	id := pathID(u)
	if id != f.ownID && listingID(u) != "" {
		return false
	}
	path, own := strings.TrimRight(u.Path, "/"), strings.TrimRight(f.page.Path, "/")
	if path == own {
		return id == listingID(u)
	}
	last := own[strings.LastIndexByte(own, '/')+1:]
	return strings.ContainsAny(last, "0123456789") && strings.HasSuffix(path, "/"+last)
}

func newTarget(c string, u *url.URL) *target {
	t := &target{canonical: c, url: u, id: listingID(u), identity: c, soft: true, chrome: true, shape: shapeOf(u)}
	t.strength = idToken(t.id)
	if t.id != "" && t.strength == 0 {
		t.strength = 4
	}
	t.home = homeKey(u)
	if longID(t.id) {
		_, query, _ := strings.Cut(t.home, "?")
		t.identity = hostOf(u) + " " + t.id + "?" + query
	}
	return t
}

// flats tells the flats of a building apart that share its long id: what follows the
// id has a number in it then, another one for each ("/expose/48219377/flat-2"). One
// such ending alone is a title, and others are views of the home ("/photos").
func flats(all []*target) {
	ending := func(t *target) string {
		path, _, _ := strings.Cut(t.home, "?")
		_, after, _ := strings.Cut(path, t.id)
		for word := range strings.SplitSeq(after, "/") {
			if strings.ContainsAny(word, "0123456789") {
				return word
			}
		}
		return ""
	}
	endings := map[string]map[string]bool{}
	for _, t := range all {
		if e := ending(t); e != "" && longID(t.id) {
			if endings[t.identity] == nil {
				endings[t.identity] = map[string]bool{}
			}
			endings[t.identity][e] = true
		}
	}
	for _, t := range all {
		if len(endings[t.identity]) > 1 {
			t.identity += "/" + ending(t)
		}
	}
}

// ownWords takes ids back that stand in the page's own address: they are part of
// the search, a price range or a place, and not of a listing.
func ownWords(all []*target, page *url.URL) {
	own := strings.ToLower(page.EscapedPath() + "?" + page.RawQuery)
	for _, t := range all {
		if len(t.id) >= 3 && strings.Contains(own, strings.ToLower(t.id)) {
			t.id, t.strength, t.identity, t.home = "", 0, t.canonical, t.canonical
		}
	}
}

// sameHome takes the identity by id back from links of a shape in which many
// links share an id: it is a postcode, a city or a building, and not a listing.
func sameHome(all []*target) {
	ids, links := map[string]map[string]bool{}, map[string]int{}
	for _, t := range all {
		if ids[t.shape] == nil {
			ids[t.shape] = map[string]bool{}
		}
		ids[t.shape][t.identity] = true
		links[t.shape]++
	}
	for _, t := range all {
		if 2*len(ids[t.shape]) < links[t.shape] {
			t.identity, t.home, t.id = t.canonical, t.canonical, ""
		}
	}
}

// chrome marks the nodes inside the page's own furniture.
func (s *snapshot) chrome() []bool {
	out := make([]bool, len(s.Nodes))
	for i, n := range s.Nodes {
		inherited := n.Parent >= 0 && out[n.Parent]
		furniture := n.Tag == "nav" || n.Tag == "footer" || n.Tag == "header" && s.pageHeader(i) ||
			n.Role == "navigation" || n.Role == "banner" || n.Role == "contentinfo" || n.Tag == "select" || n.Role == "menu"
		out[i] = inherited || furniture
	}
	return out
}

// pageHeader says whether a <header> belongs to the page and not to a card.
func (s *snapshot) pageHeader(i int) bool {
	return s.ancestor(s.Nodes[i].Parent, func(n *node) bool {
		return n.Tag == "article" || n.Tag == "li" || n.Tag == "section" || n.Tag == "main"
	}) < 0
}

// shapeOf is a link with everything that differs between listings taken out:
// "#" for an id, "*" for words that hang together and for what follows an id.
func shapeOf(u *url.URL) string {
	var b strings.Builder
	b.WriteString(hostOf(u))
	named := false
	for part := range strings.SplitSeq(strings.Trim(u.Path, "/"), "/") {
		b.WriteByte('/')
		id, strength := segmentID(part)
		switch {
		case named:
			b.WriteByte('*')
		case strength >= 4 && id == part, strength > 0 && only(part, 1, len(part), isDigit):
			b.WriteByte('#')
			named = strength >= 4
		case strength >= 4:
			b.WriteString("*#")
		case slug.MatchString(part):
			b.WriteByte('*')
		default:
			b.WriteString(part)
		}
	}
	for pair := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if idParameter(name, value) {
			b.WriteString("?" + name + "=#")
			break
		}
	}
	return b.String()
}

var slug = regexp.MustCompile(`[-_,+%. ]|.{16,}`)
