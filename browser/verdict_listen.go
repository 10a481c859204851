package browser

import "cmp"

// words are the sentences on a page that matter for a verdict.
type words struct {
	total    int  // the page's own count; -1 when it shows none
	sure     bool // the count stands in a heading, or reads "1 to 20 of 57"
	letters  int  // of visible text
	robot    string
	inTitle  bool   // the title asks whether somebody is a machine
	check    string // where a robot check is loaded from: weaker than a sentence
	none     string // a sentence that says that nothing matches
	gone     string // a sentence that says that the page, or its listing, is no more
	goneHead bool   // it is the title or the first headline
	frame    string // address of a large frame of another site
	consent  string
	password bool // a field for a password is visible
	state    int  // characters of data in the page's scripts
}

// saysNone says whether the page says itself that nothing matches.
func (w words) saysNone() bool { return w.none != "" || w.total == 0 }

// longestSentence is how long a line may be to count as a statement of the page:
// longer ones are descriptions and legal texts.
const longestSentence = 200

// listen finds the sentences on a page that matter for a verdict. Beside a list of
// cards only the count matters, and what the page says above the list.
func (g *ground) listen(cards []card) words {
	w := words{total: -1, state: g.StateChars}
	blocks := g.blocks()
	w.total, w.sure = g.count(blocks, cards)
	for _, b := range blocks {
		w.letters += len(b.text)
	}
	if robotTitle.MatchString(g.Title) {
		w.robot, w.inTitle = clean(g.Title), true
	}
	if goneText.MatchString(statement(g.Title)) {
		w.gone, w.goneHead = clean(g.Title), true
	}
	for _, b := range blocks {
		if len(b.text) > longestSentence {
			continue
		}
		if len(cards) > fewListings && b.at > cards[0].root {
			break
		}
		if !b.chrome && !b.link && !g.inCard(cards, b.at) {
			if w.none == "" && !b.apart && saysNone(b.text) {
				w.none = b.text
			}
			if w.gone == "" && !saysNone(b.text) && goneText.MatchString(statement(b.text)) {
				w.gone, w.goneHead = b.text, b.heading
			}
		}
		if len(cards) > fewListings {
			continue
		}
		if w.robot == "" && robotText.MatchString(b.text) {
			w.robot = b.text
		}
		if w.consent == "" && consentText.MatchString(b.text) {
			w.consent = b.text
		}
	}
	g.lookForChecks(&w)
	return w
}

// lookForChecks finds password fields, and frames and scripts of robot checks.
func (g *ground) lookForChecks(w *words) {
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Tag == "input" && n.Type == "password" && n.Hidden == 0 {
			w.password = true
		}
		if n.Tag != "iframe" || n.Hidden != 0 {
			continue
		}
		if u := webLink(n.Href); robotHosts.MatchString(n.Href) {
			w.check = cmp.Or(w.check, "a frame of "+clean(n.Href))
		} else if n.Type == "large" && w.frame == "" && u != nil && !elsewhere.MatchString(u.Host+u.Path) {
			w.frame = u.String()
		}
	}
	for _, script := range g.Scripts {
		if w.check == "" && robotHosts.MatchString(script) {
			w.check = "a script of " + clean(script)
		}
	}
}
