package browser

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"
)

// snapshot is what the extraction script saw: the page's elements and texts in
// page order. Its short names are the ones that extract.js writes.
type snapshot struct {
	URL        string              `json:"url"`
	Base       string              `json:"base"`
	Title      string              `json:"title"`
	Lang       string              `json:"lang"`
	Settled    bool                `json:"settled"`
	WaitedMS   float64             `json:"waited_ms"`
	Scripts    []string            `json:"scripts"`
	StateChars int                 `json:"state_chars"`
	Marks      map[string][]string `json:"marks"` // which selectors of a mark matched anything
	State      []address           `json:"state"` // where something is clicked that has no link
	Cut        bool                `json:"cut"`   // the page was too long and its end is missing
	Nodes      []node              `json:"nodes"`
	// Screens are what a list showed before, screen by screen, that takes out what has
	// been scrolled away.
	Screens [][]node `json:"screens"`
}

// address is one in the page's data, with the short values beside it: an id, a name.
type address struct {
	URL    string   `json:"u"`
	Values []string `json:"k"`
}

// node is an element, or a text when Tag is empty.
type node struct {
	Parent int               `json:"p"`
	Tag    string            `json:"t"`
	Text   string            `json:"s"`
	Href   string            `json:"h"` // absolute for links and frames, as written for forms
	Label  string            `json:"a"` // aria-label, alt, title or placeholder
	Images []string          `json:"i"` // attributes that may hold a picture's address, lazy ones first
	Type   string            `json:"y"` // of a form field; "form" for a form, "large" for a large frame of another site
	Value  string            `json:"v"` // a field's name, a time's datetime
	Style  string            `json:"b"` // a style that names a background picture
	Hint   string            `json:"c"` // class, id and test id, where they hold a word that we know
	Data   map[string]string `json:"d"`
	Role   string            `json:"o"`
	Rel    string            `json:"r"`
	Marks  []string          `json:"m"`
	Hidden int               `json:"x"`

	depth int      // 1 for the body
	end   int      // index after the last descendant
	link  *url.URL // of an <a> that leads somewhere by http or https; equal ones are shared
}

// decodeSnapshot reads what the script returned: a JSON string that holds JSON,
// or the object itself.
func decodeSnapshot(raw json.RawMessage) (*snapshot, error) {
	if len(raw) == 0 {
		return nil, errors.New("the page handed over nothing")
	}
	if raw[0] == '"' {
		var inner string
		if err := json.Unmarshal(raw, &inner); err != nil {
			return nil, fmt.Errorf("the page's answer: %w", err)
		}
		raw = json.RawMessage(inner)
	}
	if err := bounded(raw); err != nil {
		return nil, err
	}
	const nodeLength = 80 // of JSON, on average: a guess that saves most of the growing
	s := snapshot{Nodes: make([]node, 0, len(raw)/nodeLength)}
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, fmt.Errorf("the page's answer: %w", err)
	}
	return &s, s.connect()
}

// bounded refuses an answer that would take too much to decode: one that is longer
// or deeper than what the script writes (4 levels), or that has more objects and lists
// than so many nodes have (a node, its data, its pictures, its marks).
func bounded(raw []byte) error {
	const deepest, most = 16, 4*maxNodes + 4096
	if len(raw) > mostAnswer {
		return errTooLarge
	}
	depth, objects, quoted := 0, 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth, objects = depth+1, objects+1
		case c == '}' || c == ']':
			depth--
		}
		if depth > deepest || objects > most {
			return errTooLarge
		}
	}
	return nil
}

// deepestNode is how deep elements may lie in each other: Chromium's parser stops at
// 512, scripts may go on, and whoever looks for an ancestor walks all of it.
const deepestNode = 4000

// connect fills in what follows from the parents: where each subtree ends, and
// where each link leads. The script writes parents before their children; an
// answer that does not is not from the script.
func (s *snapshot) connect() error {
	links := map[string]*url.URL{}
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Parent >= i || n.Parent < 0 && i > 0 || n.Parent < -1 {
			return fmt.Errorf("the page's answer: node %d has parent %d", i, n.Parent)
		}
		n.end, n.depth = i+1, 1
		if n.Parent >= 0 {
			n.depth += s.Nodes[n.Parent].depth
		}
		if n.depth > deepestNode {
			return errTooLarge
		}
		if n.Tag == "a" || n.Tag == "area" {
			link, seen := links[n.Href]
			if !seen {
				link = webLink(n.Href)
				links[n.Href] = link
			}
			n.link = link
		}
	}
	for i := len(s.Nodes) - 1; i >= 0; i-- {
		if p := s.Nodes[i].Parent; p >= 0 {
			s.Nodes[p].end = max(s.Nodes[p].end, s.Nodes[i].end)
		}
	}
	return nil
}

// webLink parses an http or https address and nothing else.
func webLink(raw string) *url.URL {
	if !utf8.ValidString(raw) {
		return nil
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || len(u.Hostname()) > longestHost {
		return nil
	}
	u.User = nil
	return u
}

// longestHost is the length in bytes of the longest name in the DNS (RFC 1035, less
// what its encoding takes). Turning a much longer one into punycode takes seconds.
const longestHost = 253

// within says whether node i lies in the subtree of node root, itself included.
func (s *snapshot) within(i, root int) bool { return i >= root && i < s.Nodes[root].end }

// children are the direct children of node i.
func (s *snapshot) children(i int) []int {
	var out []int
	for c := i + 1; c < s.Nodes[i].end; c = s.Nodes[c].end {
		out = append(out, c)
	}
	return out
}

// ancestor is the nearest ancestor of node i, itself included, that satisfies
// the condition; -1 for none.
func (s *snapshot) ancestor(i int, ok func(n *node) bool) int {
	for ; i >= 0; i = s.Nodes[i].Parent {
		if ok(&s.Nodes[i]) {
			return i
		}
	}
	return -1
}
