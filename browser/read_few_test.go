package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// thin takes all cards but the first few ordinary ones out of a page, as a
// narrower search would show it, and names the ones that are left.
func thin(t *testing.T, raw json.RawMessage, address string, ids []string, keep int) (json.RawMessage, []string) {
	t.Helper()
	s, err := decodeSnapshot(raw)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	g := newGround(s, s.targets(u))
	cards, _ := g.cards("", nil)
	gone := make([]bool, len(s.Nodes))
	var left []string
	for _, c := range cards {
		if slices.Contains(ids, c.link.canonical) && len(left) < keep {
			left = append(left, c.link.canonical)
			continue
		}
		for i := c.root; i < s.Nodes[c.root].end; i++ {
			gone[i] = true
		}
	}
	place := make([]int, len(s.Nodes))
	var nodes []node
	for i, n := range s.Nodes {
		if gone[i] {
			continue
		}
		place[i] = len(nodes)
		if n.Parent >= 0 {
			n.Parent = place[n.Parent]
		}
		nodes = append(nodes, n)
	}
	s.Nodes = nodes
	out, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return out, left
}

// A real page is read without a definition when one, two, three or five of its
// cards are left: a search that finds little is the one that matters most. Beside
// so few, a strip of thirty other homes or the only home's own loan can look more
// like a list; six of seven such pages must be read exactly.
func TestCapturedPagesWithFewCards(t *testing.T) {
	t.Parallel()
	folder := pagesFolder(t)
	c, r := chromium(t), &reader{}
	all, misread := 0, []string{}
	for _, a := range answersIn(t, folder) {
		if a.verdict != monitor.Results {
			continue
		}
		document, err := os.ReadFile(a.file)
		if err != nil {
			t.Fatal(err)
		}
		name, address := a.name, a.search.URL
		options := r.options(monitor.Search{}, address)
		options["settle_ms"] = 0
		raw, _, err := c.look(address, document, options)
		if err != nil {
			t.Fatal(err)
		}
		ids := canonicals(t, filepath.Join(folder, name+".ids"))
		paid := canonicals(t, filepath.Join(folder, name+".sponsored.ids"))
		for _, keep := range []int{1, 2, 3, 5} {
			few, want := thin(t, raw, address, ids, keep)
			p := r.read(loaded{URL: address, FinalURL: address, Status: 200, Raw: few})
			all++
			if wrong := differences(p, monitor.Results, want, paid); len(wrong) > 0 {
				misread = append(misread, fmt.Sprintf("%s, %d left: %s", name, keep, wrong[0]))
			}
		}
	}
	if t.Logf("%d of %d are read exactly", all-len(misread), all); 7*len(misread) > all {
		t.Errorf("too many are not:\n%s", strings.Join(misread, "\n"))
	}
}
