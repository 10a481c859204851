package browser

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// The finder of cards.
//
// A results page shows many homes, each with a link of the same form. So the
// finder takes the page's links by their form, a family at a time, and cuts the
// page into the largest parts that hold one member of the family each: its cards
// (split). The family whose cards look most like homes is the page's list
// (generic, weigh). What its cards have in common tells the list from what stands
// around it, such as a strip of homes seen before (around), and finds the cards of
// the list whose links have another form, such as a building project's (fill).

// card is the part of a page that shows one listing.
type card struct {
	root     int // node
	link     *target
	evidence int
	other    bool // of a home that the search did not find
}

// list are the cards of one family.
type list struct {
	cards  []card
	weight float64
}

// generic finds the cards of a site that nobody has described, in page order.
func (g *ground) generic() []card {
	best, all := list{}, []list{}
	for _, f := range g.families() {
		if passed(g.done) {
			return nil
		}
		l := g.list(f.links)
		if f.coarse && !ruleForms.on() && !f.elsewhere {
			continue
		}
		if f.coarse {
			l.weight = coarseShare * g.weigh(g.main(l.cards))
		} else {
			all = append(all, l)
		}
		if l.weight > best.weight {
			best = l
		}
	}
	if len(best.cards) == 0 {
		return nil
	}
	cards := g.around(g.owned(best.cards), false)
	if len(cards) == 0 {
		return nil
	}
	end := g.turned(cards[len(cards)-1].root)
	for _, l := range all {
		cards = g.beside(cards, l.cards, end)
	}
	return g.believable(cards)
}

// owned gives cards their own links where the family's is not: where several cards
// have it, it is a building's or a part of a town's; and where a link of a form
// that few cards have stands before it, at a place of the others' own links, the
// family's is a flat of the project that this card shows.
func (g *ground) owned(cards []card) []card {
	count, forms, places := map[string]int{}, map[string]int{}, map[uint64]bool{}
	for _, c := range cards {
		count[c.link.identity]++
		shapes := map[string]bool{}
		for _, l := range g.linksIn(c.root) {
			if shapes[g.byNode[l].shape] = true; g.byNode[l] == c.link {
				places[g.place(l, c.root+1)] = true
			}
		}
		for shape := range shapes {
			forms[shape]++
		}
	}
	for i := range cards {
		c := &cards[i]
		if count[c.link.identity] > 1 && ruleShared.on() {
			if own := g.ownLink(c.root, func(t *target) bool { return count[t.identity] < 2 && t.strength > 0 }); own != nil {
				c.link = own
			}
			continue
		}
		for _, l := range g.linksIn(c.root) {
			t := g.byNode[l]
			if t == c.link || !ruleProject.on() {
				break
			}
			if places[g.place(l, c.root+1)] && t.strength > 0 && rare*forms[t.shape] <= len(cards) && !leadsAway(t) {
				c.link = t
				break
			}
		}
	}
	return cards
}

// rare is the share of a list's cards, one in so many, that an odd form of link
// has at most.
const rare = 3

// coarseShare is what a family that takes several forms of links together counts
// for: it is wanted only where each form alone finds much less.
const coarseShare = 0.4

// family are links that are formed alike.
type family struct {
	links     []int // nodes, in page order
	coarse    bool
	elsewhere bool
}

// families are the page's links by their form, and, for sites whose links have a
// form each, by host, depth and first part, by host and depth, and all that lead
// to other sites.
func (g *ground) families() []family {
	byKey := map[string]*family{}
	var out []*family
	add := func(key string, link int, coarse bool) {
		f := byKey[key]
		if f == nil {
			f = &family{coarse: coarse, elsewhere: key == "elsewhere"}
			byKey[key] = f
			out = append(out, f)
		}
		f.links = append(f.links, link)
	}
	for _, l := range g.linked {
		t := g.byNode[l]
		if g.chromed[l] {
			continue
		}
		parts := strings.Split(t.shape, "/")
		add(t.shape, l, false)
		add(fmt.Sprint(parts[0], len(parts)), l, true)
		if len(parts) > 1 {
			add(fmt.Sprint(parts[0], len(parts), parts[1]), l, true)
		}
		if t.foreign && ruleElsewhere.on() {
			add("elsewhere", l, true)
		}
	}
	families := make([]family, len(out))
	for i, f := range out {
		families[i] = *f
	}
	return families
}

// list cuts the page into the cards of a family, and weighs them.
func (g *ground) list(links []int) list {
	cards := g.cut(links)
	for i := range cards {
		cards[i].evidence = g.evidence(cards[i].root)
	}
	return list{cards, g.weigh(cards)}
}

// weigh says how much cards together look like a list of homes.
func (g *ground) weigh(cards []card) float64 {
	sum := 0.0
	for _, c := range cards {
		if c.other || c.evidence < enough {
			continue
		}
		weight := float64(g.weight(c))
		if ruleProminent.on() {
			weight *= max(0, min(14, 6+g.prominence(c.root, c.link)))
		}
		sum += weight
	}
	return sum
}

// cut finds the cards of some links: the largest parts of the page that hold one
// of their targets each.
func (g *ground) cut(links []int) []card {
	if len(links) == 0 {
		return nil
	}
	var out []card
	g.split(0, links, 0, &out)
	if len(out) == 1 {
		out[0].root = g.alone(out[0].root, links[0])
	}
	slices.SortStableFunc(out, func(a, b card) int { return cmp.Compare(a.root, b.root) })
	return out
}

// alone finds the card of a page with one result, which nothing stands beside: the
// smallest part around its link with a price and a headline or a picture, and what
// adds neither a price nor a headline to that.
func (g *ground) alone(root, link int) int {
	if !ruleAlone.on() {
		return root
	}
	for p := link; p > root; p = g.Nodes[p].Parent {
		if g.tally(g.money, p) == 0 || g.tally(g.heading, p)+g.tally(g.image, p) == 0 {
			continue
		}
		up := g.Nodes[p].Parent
		for up > root && g.tally(g.money, up) == g.tally(g.money, p) && g.tally(g.heading, up) == g.tally(g.heading, p) {
			p, up = up, g.Nodes[up].Parent
		}
		return p
	}
	return root
}

// piece is a child of a node together with the links in it.
type piece struct {
	root  int
	links []int
}

// split finds the cards within node p, which holds all of the links.
//
// Where most children of a node hold one target each, the node is a list and these
// are its cards. A child that holds several is a row or a section of cards when
// its links stand at the same place in it as in the others (the same tags lead to
// them); with one such link it is a card that names others, such as a building
// with its flats; with none it is a carousel of other homes between the cards.
func (g *ground) split(p int, links []int, level int, out *[]card) {
	parts := []piece{{p, links}}
	for len(parts) == 1 {
		p = parts[0].root
		if g.alike(links) || links[0] == p || level == mostLevels {
			*out = append(*out, card{root: g.fit(p, links), link: g.byNode[links[0]]})
			return
		}
		parts = g.parts(p, links)
	}
	var singles, several []piece
	places := map[uint64]bool{}
	for _, c := range parts {
		if !g.alike(c.links) {
			several = append(several, c)
			continue
		}
		singles = append(singles, c)
		for _, l := range c.links {
			places[g.place(l, c.root)] = true
		}
	}
	first := len(*out)
	rows := 0
	for _, c := range several {
		inPlace := slices.DeleteFunc(slices.Clone(c.links), func(l int) bool { return !places[g.place(l, c.root)] })
		switch {
		case len(inPlace) > 0 && ruleNamesOthers.on() && !g.repeats(inPlace, c.root):
			*out = append(*out, card{root: c.root, link: g.byNode[inPlace[0]]})
		case len(inPlace) == 0 && ruleCarousel.on() && len(singles) >= 2 && len(singles) >= len(several):
			between := len(*out)
			g.split(c.root, c.links, level+1, out)
			for i := range (*out)[between:] {
				(*out)[between+i].other = true
			}
		default:
			rows++
			g.split(c.root, c.links, level+1, out)
		}
	}
	usual := g.usualDepth((*out)[first:])
	for _, c := range singles {
		root := g.fit(c.root, c.links)
		if rows > 0 && ruleRowOfOne.on() { // a last row, or a day, with a single card
			root = g.sink(root, c.links[0], usual)
		}
		*out = append(*out, card{root: root, link: g.byNode[c.links[0]]})
	}
}

// mostLevels is how often a list lies within a list at most. Pages have three or
// four: sections, rows, cards, flats.
const mostLevels = 30

// parts are the children of node p that hold any of the links.
func (g *ground) parts(p int, links []int) []piece {
	var out []piece
	for c := p + 1; c < g.Nodes[p].end && len(links) > 0; c = g.Nodes[c].end {
		n := 0
		for n < len(links) && links[n] < g.Nodes[c].end {
			n++
		}
		if n > 0 {
			out = append(out, piece{c, links[:n]})
			links = links[n:]
		}
	}
	return out
}

// alike says whether all of the links lead to one listing.
func (g *ground) alike(links []int) bool {
	for _, l := range links[1:] {
		if g.byNode[l].identity != g.byNode[links[0]].identity {
			return false
		}
	}
	return true
}

// repeats says whether two listings have their links at one place within node p.
func (g *ground) repeats(links []int, p int) bool {
	at := map[uint64]string{}
	for _, l := range links {
		place, id := g.place(l, p), g.byNode[l].identity
		if other, seen := at[place]; seen && other != id {
			return true
		}
		at[place] = id
	}
	return false
}

// place is where a node stands within node p: the tags that lead to it, hashed. What
// lies deeper than any page nests a link in its card is all of one place.
func (g *ground) place(l, p int) uint64 {
	if g.Nodes[l].depth-g.Nodes[p].depth > deepest {
		return 0
	}
	h := uint64(14695981039346656037) // FNV-1a, as the standard library's hash/fnv has it
	for ; l >= p; l = g.Nodes[l].Parent {
		for _, b := range []byte(g.Nodes[l].Tag + "/") {
			h = (h ^ uint64(b)) * 1099511628211
		}
	}
	return h
}

const deepest = 60

// fit goes down from the page itself, which is no card, towards a link.
func (g *ground) fit(p int, links []int) int {
	for p != links[0] && (p == 0 || g.Nodes[p].Tag == "main") {
		next := g.parts(p, links[:1])
		p = next[0].root
	}
	return p
}

func (g *ground) usualDepth(cards []card) int {
	depths := make([]int, 0, len(cards))
	for _, c := range cards {
		depths = append(depths, g.Nodes[c.root].depth)
	}
	slices.Sort(depths)
	if len(depths) == 0 {
		return 0
	}
	return depths[len(depths)/2]
}

// sink goes down from a root towards a link to a depth at which other cards are,
// as long as what is left there still looks like a card.
func (g *ground) sink(root, link, depth int) int {
	for p := link; p > root; p = g.Nodes[p].Parent {
		if g.Nodes[p].depth == depth && g.evidence(p) >= enough && (g.tally(g.money, p) > 0 || g.tally(g.money, root) == 0) {
			return p
		}
	}
	return root
}
