package browser

import (
	"net/url"
	"regexp"
	"slices"
)

// Cards without a link
//
// Some cards are clicked by the help of a script. Where they lead is then said by
// an attribute (data-href, onclick), or by the page's data: for the id in an
// attribute of the card, for the name that it shows, or, where the data lists as
// many addresses as there are cards, by their order.

// softLinks are the addresses of nodes that are clicked without being links.
func (s *snapshot) softLinks(base *url.URL) map[int]*url.URL {
	out := map[int]*url.URL{}
	if base == nil {
		return out
	}
	byValue := s.byValue()
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.link != nil || len(n.Data) == 0 {
			continue
		}
		if u := softLink(n, base); u != nil {
			out[i] = u
			continue
		}
		for name, value := range n.Data {
			if address := byValue[value]; address != "" && ruleDataID.on() && idAttribute.MatchString(name) {
				if u := page(base, address); u != nil {
					out[i] = u
				}
			}
		}
	}
	if len(out) == 0 && len(s.State) > 0 {
		s.listed(base, out)
	}
	return out
}

var (
	linkAttributes = []string{"href", "url", "link", "detail-url", "listing-url", "target-url"}
	idAttribute    = regexp.MustCompile(`(?i)(?:^|[-_])(?:ad)?id$|^(?:key|listing|object|property)$`)
	clicked        = regexp.MustCompile(`['"]((?:https?:/)?/[^'"\s]+|[\w/-]+\.(?:html?|php|aspx?|jsp)\b[^'"\s]*)['"]`)
	notAPage       = regexp.MustCompile(`(?i)\.(?:jpe?g|png|gif|webp|svg|js|json|css|xml|pdf)$|/(?:api|ajax|graphql)/`)
)

// softLink is the address in an attribute of something that is clicked with the
// help of a script. It must carry an id; other such addresses lead to services of
// the page.
func softLink(n *node, base *url.URL) *url.URL {
	var found []string
	for _, name := range linkAttributes {
		if !ruleAttribute.on() {
			break
		}
		found = append(found, n.Data[name])
	}
	if m := clicked.FindStringSubmatch(n.Data["onclick"]); m != nil && ruleOnclick.on() {
		found = append(found, m[1])
	}
	for _, address := range found {
		if u := page(base, address); u != nil && idToken(listingID(u)) >= 4 {
			return u
		}
	}
	return nil
}

// page is an address resolved against the page's; nil for one that is no page.
func page(base *url.URL, address string) *url.URL {
	if address == "" {
		return nil
	}
	u, err := base.Parse(address)
	if err != nil || notAPage.MatchString(u.Path) {
		return nil
	}
	return webLink(u.String())
}

// byValue are the addresses in the page's data by the values beside them that no
// other address has.
func (s *snapshot) byValue() map[string]string {
	out := map[string]string{}
	for _, a := range s.State {
		for _, v := range slices.Compact(slices.Sorted(slices.Values(a.Values))) {
			if other, twice := out[v]; twice && other != a.URL {
				out[v] = ""
			} else {
				out[v] = a.URL
			}
		}
	}
	return out
}

// listed finds the page's list of cards without links, and gives them the
// addresses in the page's data: by their names, else in their order.
func (s *snapshot) listed(base *url.URL, out map[int]*url.URL) {
	var cards []int
	for p := range s.Nodes {
		var own []int
		for _, c := range s.children(p) {
			if s.Nodes[c].Tag != "" && s.Nodes[c].Hidden == 0 && s.showsHome(c) {
				own = append(own, c)
			}
		}
		if len(own) > len(cards) {
			cards = own
		}
	}
	if len(cards) < 2 {
		return
	}
	byValue := s.byValue()
	for _, c := range cards {
		for _, line := range s.lines(c) {
			if u := page(base, byValue[line]); u != nil && out[c] == nil && ruleDataName.on() {
				out[c] = u
			}
		}
	}
	if len(out) == 0 && len(s.State) == len(cards) && ruleDataOrder.on() {
		for i, c := range cards {
			if u := page(base, s.State[i].URL); u != nil {
				out[c] = u
			}
		}
	}
}

// mostLetters is how many letters of text a card has at most. The longest that
// were seen have a description of two thousand.
const mostLetters = 4000

// showsHome says whether a node without a link shows money and a size or a
// picture, and is no larger than a card.
func (s *snapshot) showsHome(i int) bool {
	money, size, letters := false, false, 0
	for j := i; j < s.Nodes[i].end; j++ {
		n := &s.Nodes[j]
		letters += len(n.Text)
		if n.link != nil || letters > mostLetters {
			return false
		}
		money = money || n.Tag == "" && hasMoney(n.Text)
		size = size || n.Tag == "" && hasSize(n.Text) || len(n.Images) > 0
	}
	return money && size
}

// elsewhere are links that carry a listing's address in order to share it, and
// addresses that hide an email.
var elsewhere = newSieve(`(?i)^(?:[a-z-]+\.)?(?:facebook|twitter|x|linkedin|pinterest|whatsapp|telegram|instagram|reddit|tumblr|youtube)\.com/|^(?:t\.me|wa\.me|youtu\.be|g\.page|goo\.gl)/|/cdn-cgi/|^maps\.|google\.[a-z.]+/maps|openstreetmap\.org`)
