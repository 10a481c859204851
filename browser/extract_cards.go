package browser

import (
	"regexp"
	"slices"
	"sort"
	"strings"
)

// card is the part of a page that shows one listing.
type card struct {
	root     int // node
	link     *target
	evidence int
	other    bool // of a home that the search did not find
}

// ground is a page prepared for finding cards: sums over the nodes, so that the
// signs within any subtree are counted in one step.
type ground struct {
	*snapshot
	targets
	chromed []bool
	linked  []int // nodes that are links to a target, in page order
	depths  []int

	money, area, image, heading, named, letters []int // prefix sums
}

var (
	moneyMark = newSieve(`(?:^|[^\pL])(?:EUR|GBP|USD|CHF|PLN|CZK|SEK|NOK|DKK|HUF|RON|AED|Fr\.|zł|Kč|kr\.?|Ft|lei|TL|Rs)(?:[^\pL]|$)`)
	areaMark  = regexp.MustCompile(`(?i)\d\s*(?:m²|m2\b|sqm|qm\b|sq\.?\s?f?m?t|kvm|mq\b)|\d\s*(?:bed|bath|zimmer|zi\.|kamer|room|hab\b|dorm|local|pièce|pokoj|pok\.|rum\b|rok\b|vær)`)
)

// hasMoney says whether a text speaks of money.
func hasMoney(text string) bool {
	return strings.ContainsFunc(text, isMoneySign) || len(text) < 200 && moneyMark.MatchString(text)
}

func isMoneySign(r rune) bool {
	switch r {
	case '€', '£', '$', '₽', '₺', '₹', '¥', '₪', '₩', '฿', '₫':
		return true
	}
	return false
}

// hasSize says whether a text speaks of an area or of rooms.
func hasSize(text string) bool {
	i := strings.IndexAny(text, "0123456789")
	return i >= 0 && areaMark.MatchString(text[i:])
}

func newGround(s *snapshot, ts targets) *ground {
	g := &ground{snapshot: s, targets: ts, chromed: s.chrome(), depths: make([]int, len(s.Nodes))}
	for _, sum := range []*[]int{&g.money, &g.area, &g.image, &g.heading, &g.named, &g.letters} {
		*sum = make([]int, len(s.Nodes)+1)
	}
	for i := range s.Nodes {
		node := &s.Nodes[i]
		add := func(sum []int, yes bool) {
			sum[i+1] = sum[i]
			if yes {
				sum[i+1]++
			}
		}
		text := node.Tag == "" && node.Hidden == 0
		add(g.money, text && hasMoney(node.Text))
		add(g.area, text && hasSize(node.Text))
		add(g.image, len(node.Images) > 0 || node.Noscript != "" || node.Style != "")
		add(g.heading, isHeading(node))
		add(g.named, ts.byNode[i] != nil && ts.byNode[i].strength > 0)
		g.letters[i+1] = g.letters[i]
		if text {
			g.letters[i+1] += len(node.Text)
		}
		if ts.byNode[i] != nil {
			g.linked = append(g.linked, i)
		}
		g.depths[i] = 1
		if node.Parent >= 0 {
			g.depths[i] += g.depths[node.Parent]
		}
	}
	return g
}

func isHeading(n *node) bool {
	return len(n.Tag) == 2 && n.Tag[0] == 'h' && n.Tag[1] >= '1' && n.Tag[1] <= '6' || n.Role == "heading"
}

// tally counts signs within node i, by their prefix sums.
func (g *ground) tally(sums []int, i int) int { return sums[g.Nodes[i].end] - sums[i] }

// linksIn are the links inside node i, in page order.
func (g *ground) linksIn(i int) []int { return g.inside(g.linked, i) }

// inside are those of some nodes in page order that lie in the subtree of node i.
func (s *snapshot) inside(nodes []int, i int) []int {
	lo := sort.SearchInts(nodes, i)
	hi := sort.SearchInts(nodes, s.Nodes[i].end)
	return nodes[lo:hi]
}

// evidence says how much a part of the page looks like the card of a home.
func (g *ground) evidence(i int) int {
	e := 0
	if g.tally(g.money, i) > 0 {
		e += 3
	}
	for _, sum := range [][]int{g.area, g.image, g.heading, g.named} {
		if g.tally(sum, i) > 0 {
			e++
		}
	}
	if g.Nodes[i].Tag == "article" || len(g.Nodes[i].Data) > 0 {
		e++
	}
	return e
}

// enough is the evidence that a card needs: a price, or three smaller signs.
const enough = 3

// list is a run of cards under one parent.
type list struct {
	parent int
	cards  []int
}

// lists finds every place where cards stand side by side. Where lists lie inside
// the cards of another, most of those cards decide: when they show a price and a
// link of their own, or are few among many and hold what is no list of homes, the
// inner lists are carousels and parts of cards. Else the outer one is a grid of
// rows or sections.
func (g *ground) lists() []list {
	var all []list
	for p := range g.Nodes {
		if g.Nodes[p].Tag == "" || g.chromed[p] {
			continue
		}
		if cards := g.cardsUnder(p); len(cards) >= 2 {
			all = append(all, list{p, cards})
		}
	}
	dropped := make([]bool, len(all))
	var singles []list
	for o := range all {
		if dropped[o] {
			continue
		}
		inner, holders := g.nested(all, o, dropped)
		alone, usual := 0, g.usualLetters(all[o].cards, holders)
		for c, lists := range holders {
			rare := 4*len(holders) < len(all[o].cards)
			if rare && (g.tally(g.letters, c) <= 3*usual || g.unlike(lists)) || g.standsAlone(c, lists) {
				alone++
			}
		}
		switch {
		case len(inner) == 0:
		case 2*alone > len(holders):
			for _, i := range inner {
				dropped[i] = true
			}
		default:
			dropped[o] = true
			for _, c := range all[o].cards {
				if holders[c] == nil {
					singles = append(singles, list{all[o].parent, []int{c}})
				}
			}
		}
	}
	out := singles
	for i, l := range all {
		if !dropped[i] {
			out = append(out, l)
		}
	}
	return out
}

// nested finds the lists inside the cards of list o: their places in all, and the
// parents of those lists for each card that holds one.
func (g *ground) nested(all []list, o int, dropped []bool) (inner []int, holders map[int][]int) {
	holders = map[int][]int{}
	for i := o + 1; i < len(all) && g.within(all[i].parent, all[o].parent); i++ {
		if dropped[i] {
			continue
		}
		// The card that may hold it is the last one that begins before it.
		n, found := slices.BinarySearch(all[o].cards, all[i].parent)
		if !found {
			n--
		}
		if n >= 0 && g.within(all[i].parent, all[o].cards[n]) {
			c := all[o].cards[n]
			inner = append(inner, i)
			holders[c] = append(holders[c], all[i].parent)
		}
	}
	return inner, holders
}

// usualLetters is how much text those of the cards have, in the middle, that hold
// no lists; 0 when there are none.
func (g *ground) usualLetters(cards []int, holders map[int][]int) int {
	var letters []int
	for _, c := range cards {
		if holders[c] == nil {
			letters = append(letters, g.tally(g.letters, c))
		}
	}
	if len(letters) == 0 {
		return 0
	}
	slices.Sort(letters)
	return letters[len(letters)/2]
}

// unlike says whether a list is two parts of one card: one with a picture and one
// without, such as a home and the building that it is in.
func (g *ground) unlike(lists []int) bool {
	if len(lists) != 1 {
		return false
	}
	parts := g.cardsUnder(lists[0])
	return len(parts) == 2 && (g.tally(g.image, parts[0]) > 0) != (g.tally(g.image, parts[1]) > 0)
}

// standsAlone says whether a card that holds lists is a card without them: it
// shows a price, and a link with an id, outside of them.
func (g *ground) standsAlone(c int, lists []int) bool {
	within := func(i int) bool {
		return slices.ContainsFunc(lists, func(p int) bool { return g.within(i, p) })
	}
	outside := g.tally(g.money, c)
	for k, p := range lists {
		if !slices.ContainsFunc(lists[:k], func(q int) bool { return g.within(p, q) }) {
			outside -= g.tally(g.money, p)
		}
	}
	return outside > 0 && slices.ContainsFunc(g.linksIn(c), func(l int) bool { return !within(l) && g.byNode[l].strength > 0 })
}

// cardsUnder are the children of a node that look like cards: enough evidence,
// and a link that leads nowhere that a sibling leads, so that the two halves of
// one card are not taken for two.
func (g *ground) cardsUnder(p int) []int {
	kids := g.children(p)
	if len(kids) < 2 || len(g.linksIn(p)) < 2 {
		return nil
	}
	owners := map[string]int{} // identity -> child, or -1 when several lead there
	for _, c := range kids {
		for _, l := range g.linksIn(c) {
			id := g.byNode[l].identity
			if o, seen := owners[id]; seen && o != c {
				owners[id] = -1
			} else if !seen {
				owners[id] = c
			}
		}
	}
	var cards []int
	for _, c := range kids {
		if g.Nodes[c].Tag == "" || g.evidence(c) < enough {
			continue
		}
		if slices.ContainsFunc(g.linksIn(c), func(l int) bool { return owners[g.byNode[l].identity] == c && !g.byNode[l].chrome }) {
			cards = append(cards, c)
		}
	}
	return cards
}
