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
	identity  string // the id where it is unmistakable, else the canonical form
	id        string
	key       string // of the listing, where a portal's definition knows it
	strength  int    // how much the id looks like one; see idToken
	shape     string
	url       *url.URL
	nodes     []int // its links, in page order
	chrome    bool  // every link to it is in the page's header, menu or footer
}

// targets are the pages that a results page links to, the page itself left out.
type targets struct {
	all    []*target
	byNode map[int]*target
}

func (s *snapshot) targets(page *url.URL) targets {
	ts := targets{byNode: map[int]*target{}}
	byCanonical := map[string]*target{}
	own := ""
	if page != nil {
		own = canonical(page)
	}
	chrome := s.chrome()
	for i := range s.Nodes {
		u := s.Nodes[i].link
		if u == nil {
			continue
		}
		c := canonical(u)
		if c == own || strings.Trim(u.Path, "/") == "" && u.RawQuery == "" && len(u.Fragment) < 3 {
			continue
		}
		t := byCanonical[c]
		if t == nil {
			t = newTarget(c, u)
			byCanonical[c] = t
			ts.all = append(ts.all, t)
		}
		t.nodes = append(t.nodes, i)
		t.chrome = t.chrome && chrome[i]
		ts.byNode[i] = t
	}
	return ts
}

func newTarget(c string, u *url.URL) *target {
	t := &target{canonical: c, url: u, id: listingID(u), identity: c, chrome: true, shape: shapeOf(u)}
	t.strength = idToken(t.id)
	if t.id != "" && t.strength == 0 {
		t.strength = 4
	}
	if t.strength >= 6 {
		t.identity = t.id
	}
	return t
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
// "#" for an id, "*" for words that hang together.
func shapeOf(u *url.URL) string {
	var b strings.Builder
	b.WriteString(strings.TrimPrefix(strings.ToLower(u.Hostname()), "www."))
	for part := range strings.SplitSeq(strings.Trim(u.Path, "/"), "/") {
		b.WriteByte('/')
		id, strength := segmentID(part)
		switch {
		case strength >= 4 && id == part, strength > 0 && digits.MatchString(part):
			b.WriteByte('#')
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
		if !tracking.MatchString(name) && idName.MatchString(name) && !searchName.MatchString(name) && idToken(value) > 0 {
			b.WriteString("?" + name + "=#")
			break
		}
	}
	return b.String()
}

var slug = regexp.MustCompile(`[-_,+%. ]|.{16,}`)
