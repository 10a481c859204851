package browser

// wrapped is the page with an element around each card, where cards have none of
// their own: a headline with a link, and behind it, as its sibling, the price; or
// two rows of a table for each home. nil where nothing is written so.
func (g *ground) wrapped() *snapshot {
	if !ruleFlat.on() {
		return nil
	}
	for _, f := range g.families() {
		if f.coarse || passed(g.done) {
			continue
		}
		p, parts := 0, []piece{{0, f.links}}
		for len(parts) == 1 && parts[0].root != f.links[0] {
			p = parts[0].root
			parts = g.parts(p, f.links)
		}
		if len(parts) < 3 {
			continue
		}
		inside := 0
		for _, c := range parts {
			if !g.alike(c.links) {
				inside = len(parts) // rows or sections
			}
			inside += min(1, g.tally(g.money, c.root))
		}
		if 2*inside < len(parts) && g.tally(g.money, p) >= len(parts) {
			return g.wrap(p, parts)
		}
	}
	return nil
}

// wrap puts a <div> around each of the given children of node p and what follows it,
// up to the next one; around the last, and as many siblings as the others have.
func (g *ground) wrap(p int, parts []piece) *snapshot {
	starts, most := map[int]bool{}, 0
	for _, c := range parts {
		starts[c.root] = true
	}
	open, taken := -1, 0 // the wrapper that is open, and how many siblings are in it
	at := make([]int, len(g.Nodes))
	out := *g.snapshot
	out.Nodes = nil
	for i := range g.Nodes {
		n := g.Nodes[i]
		if n.Parent == p {
			if starts[i] {
				if taken > most && open >= 0 {
					most = taken
				}
				open, taken = len(out.Nodes), 0
				out.Nodes = append(out.Nodes, node{Parent: at[p], Tag: "div"})
			}
			taken++
			if i > parts[len(parts)-1].root && taken > most {
				open = -1
			}
		}
		at[i] = len(out.Nodes)
		switch {
		case n.Parent == p && open >= 0:
			n.Parent = open
		case n.Parent >= 0:
			n.Parent = at[n.Parent]
		}
		out.Nodes = append(out.Nodes, n)
	}
	if out.connect() != nil {
		return nil
	}
	return &out
}
