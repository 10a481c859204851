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
		if lines[i].numbered = strings.ContainsAny(r.text, digits); lines[i].numbered {
			lines[i].label = plainSpaces.Replace(g.placeLabel(root, r.node))
			lines[i].firm = lines[i].label != ""
		}
	}
	return cardText{g, runs, lines}
}

// judged are all figures of the card by a table of labels; those in a place without
// a label take the one beside them that the table knows.
func (t cardText) judged(table *labels, figures func(string) []figure) []judged {
	var all []judged
	for i, line := range t.lines {
		if !line.numbered {
			continue
		}
		if found := figures(line.text); len(found) > 0 {
			if !line.firm {
				line.label, line.loose = t.neighbour(i, table)
			}
			all = append(all, table.judge(&line, found)...)
		}
	}
	return all
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
func (t cardText) neighbour(i int, table *labels) (label string, loose bool) {
	g, last := t.g, len(t.lines)-1
	isLabel := func(k int) bool {
		if k < 0 || k > last || t.lines[k].numbered || !short(t.lines[k].text) || len(strings.Fields(t.lines[k].text)) > 3 {
			return false
		}
		// A link or button beside the figure is no label: "Save".
		button := g.ancestor(t.runs[k].node, func(n *node) bool { return n.Tag == "a" || n.Tag == "button" })
		return (button < 0 || g.within(t.runs[i].node, button)) && table.class(trailer(t.lines[k].text)) != plain
	}
	isValue := func(k int) bool { return k >= 0 && k <= last && t.lines[k].numbered && short(t.lines[k].text) }
	shared := func(k int) int {
		a := t.runs[k].node
		for !g.within(t.runs[i].node, a) {
			a = g.Nodes[a].Parent
		}
		return a
	}
	above, below := isLabel(i-1), isLabel(i+1)
	if above && below {
		a, b := shared(i-1), shared(i+1)
		if above = g.within(a, b); a == b {
			from, to := i, i
			for isValue(from-1) || isLabel(from-1) {
				from--
			}
			for isValue(to+1) || isLabel(to+1) {
				to++
			}
			above = !isValue(from) || !isLabel(to)
		}
	}
	k := i - 1
	if !above {
		if k = i + 1; !below {
			return "", false
		}
	}
	group, from, to := shared(k), min(i, k), max(i, k)
	loose = from > 0 && g.within(t.runs[from-1].node, group) || to < last && g.within(t.runs[to+1].node, group)
	return strings.TrimSpace(t.lines[k].text), loose
}

// short says whether a line may be a label or its value, and no sentence.
func short(text string) bool { return len(text) <= 40 }
