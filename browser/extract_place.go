package browser

import (
	"slices"
	"strings"
)

// cardText is all that a card says.
type cardText struct {
	g     *ground
	runs  []run
	lines []passage
}

// read takes the texts of a card, each with the label of its place. What is struck
// through is left out.
func (g *ground) read(root int) cardText {
	runs := g.runs(root, isOld)
	lines := make([]passage, len(runs))
	for i, r := range runs {
		lines[i].text = plainSpaces.Replace(r.text)
		if strings.ContainsAny(r.text, "0123456789") {
			lines[i].label = plainSpaces.Replace(g.placeLabel(root, r.node))
			lines[i].firm = lines[i].label != ""
		}
	}
	return cardText{g, runs, lines}
}

// labelled are the texts with the labels beside them that a table knows.
func (t cardText) labelled(table *labels) []passage {
	out := slices.Clone(t.lines)
	for i := range out {
		if !out[i].firm && strings.ContainsAny(out[i].text, "0123456789") {
			out[i].label, out[i].loose = t.g.neighbour(t.runs, t.lines, i, table)
		}
	}
	return out
}

// placeLabel is what the place of a text says it is: the <dt> of its <dd>, the
// head of its column, the first cell of its row, an aria-label.
func (g *ground) placeLabel(root, i int) string {
	for ; i > root; i = g.Nodes[i].Parent {
		n := &g.Nodes[i]
		switch {
		case n.Tag == "dd":
			for _, sibling := range slices.Backward(g.children(n.Parent)) {
				if sibling < i && g.Nodes[sibling].Tag == "dt" {
					return g.text(sibling)
				}
			}
		case isCell(n):
			return g.cellLabel(i)
		case n.Label != "" && n.Tag != "a" && n.Tag != "img" && len(n.Label) < longLine && len(g.rawLines(i)) == 1:
			return strings.TrimRight(n.Label, "0123456789.,' ")
		}
	}
	return ""
}

func isCell(n *node) bool {
	return n.Tag == "td" || n.Tag == "th" || n.Role == "cell" || n.Role == "gridcell" || n.Role == "columnheader" || n.Role == "rowheader"
}

// cellLabel is the head of a cell's column; in a table without one, the first of
// the two cells of its row.
func (g *ground) cellLabel(i int) string {
	row := g.cells(g.Nodes[i].Parent)
	at := slices.Index(row, i)
	table := g.ancestor(i, func(n *node) bool { return n.Tag == "table" || n.Role == "table" || n.Role == "grid" })
	if table >= 0 && at > 0 {
		for j := table; j < g.Nodes[i].Parent; j++ {
			if head := g.cells(j); len(head) == len(row) && len(head) > 2 {
				if c := &g.Nodes[head[at]]; c.Tag == "th" || c.Role == "columnheader" {
					return g.text(head[at])
				}
				break
			}
		}
	}
	if len(row) == 2 && at == 1 {
		return g.text(row[0])
	}
	return ""
}

// cells are the cells of a row.
func (g *ground) cells(row int) []int {
	if n := &g.Nodes[row]; n.Tag != "tr" && n.Role != "row" {
		return nil
	}
	return slices.DeleteFunc(g.children(row), func(i int) bool { return !isCell(&g.Nodes[i]) })
}

// neighbour is the label on the line above or below: the one that shares the
// smaller part of the page with the figure; of two that are as near, the one that
// the order of the lines around tells. It is loose where others share that part.
func (g *ground) neighbour(runs []run, lines []passage, i int, table *labels) (label string, loose bool) {
	isLabel := func(k int) bool {
		if k < 0 || k >= len(lines) {
			return false
		}
		// A link or button beside the figure is no label: "Save".
		button := g.ancestor(runs[k].node, func(n *node) bool { return n.Tag == "a" || n.Tag == "button" })
		return (button < 0 || g.within(runs[i].node, button)) && len(lines[k].text) <= 40 && !strings.ContainsAny(lines[k].text, "0123456789") && len(strings.Fields(lines[k].text)) <= 3 && table.class(trailer(lines[k].text)) != plain
	}
	isValue := func(k int) bool {
		return k >= 0 && k < len(lines) && len(lines[k].text) <= 40 && strings.ContainsAny(lines[k].text, "0123456789")
	}
	shared := func(k int) int {
		a := runs[k].node
		for !g.within(runs[i].node, a) {
			a = g.Nodes[a].Parent
		}
		return a
	}
	above, below := isLabel(i-1), isLabel(i+1)
	if above && below {
		a, b := shared(i-1), shared(i+1)
		switch {
		case a != b && g.within(a, b):
			below = false
		case a != b:
			above = false
		default:
			first, last := i, i
			for isValue(first-1) || isLabel(first-1) {
				first--
			}
			for isValue(last+1) || isLabel(last+1) {
				last++
			}
			below = isValue(first) && isLabel(last)
		}
	}
	k := i - 1
	if below {
		k = i + 1
	} else if !above {
		return "", false
	}
	group := shared(k)
	alone := (k == 0 || min(i, k) == 0 || !g.within(runs[min(i, k)-1].node, group)) && (max(i, k) == len(runs)-1 || !g.within(runs[max(i, k)+1].node, group))
	return strings.TrimSpace(lines[k].text), !alone
}
