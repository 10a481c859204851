package browser

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// seen is a page of ours as the script saw it, with a mark of its own for each
// selector, so that it can be read again without one of them.
type seen struct {
	name string
	fixture
	snapshot map[string]any
	golden   string // as it is read with all definitions
}

// separate is the name of the mark that one selector of a definition has in seen.
func separate(mark, selector string) string { return mark + "\x00" + selector }

// seenPages takes the snapshot of each page on a portal's host once.
func seenPages(t *testing.T, r *reader) map[string][]*seen {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "read", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	c, pages := chromium(t), map[string][]*seen{}
	for _, file := range files {
		s := &seen{name: filepath.Base(file), fixture: readFixture(t, file)}
		u, err := url.Parse(s.url)
		if err != nil {
			t.Fatal(err)
		}
		p := r.portal(u)
		if p == nil {
			continue
		}
		options := r.options(monitor.Search{URL: s.url, Link: s.link}, s.url)
		options["settle_ms"] = 0
		apart := map[string]any{}
		for name, selectors := range options["marks"].(map[string]any) {
			for _, selector := range selectors.([]string) {
				apart[separate(name, selector)] = []string{selector}
			}
		}
		options["marks"] = apart
		raw, _, err := c.look(s.final, s.document, options)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &s.snapshot); err != nil {
			t.Fatal(err)
		}
		s.golden = s.read(t, r)
		pages[p.Name] = append(pages[p.Name], s)
	}
	return pages
}

// read is what a reader makes of the page, in one line of JSON.
func (s *seen) read(t *testing.T, r *reader) string {
	t.Helper()
	kept := map[string]string{} // mark of one selector -> the definition's mark
	if u, err := url.Parse(s.url); err == nil && r.portal(u) != nil {
		marks, _ := r.options(monitor.Search{}, s.url)["marks"].(map[string]any)
		for name, selectors := range marks {
			for _, selector := range selectors.([]string) {
				kept[separate(name, selector)] = name
			}
		}
	}
	whole := map[string]any{}
	for k, v := range s.snapshot {
		whole[k] = v
	}
	marks := map[string][]any{}
	for name, hits := range s.snapshot["marks"].(map[string]any) {
		if to := kept[name]; to != "" {
			marks[to] = append(marks[to], hits.([]any)...)
		}
	}
	whole["marks"] = marks
	var nodes []any
	for _, n := range s.snapshot["nodes"].([]any) {
		n := n.(map[string]any)
		if m, ok := n["m"].([]any); ok {
			copied := map[string]any{}
			for k, v := range n {
				copied[k] = v
			}
			var names []string
			for _, name := range m {
				if to := kept[name.(string)]; to != "" {
					names = append(names, to)
				}
			}
			copied["m"] = names
			n = copied
		}
		nodes = append(nodes, n)
	}
	whole["nodes"] = nodes
	raw, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	p := r.read(loaded{
		Search: monitor.Search{Name: "fixture", URL: s.url, Link: s.link}, URL: s.url, FinalURL: s.final, Status: s.status, Raw: raw,
		At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
	})
	p.Reason = strings.Split(p.Reason, `"`)[0] // which of two marks was found first is no matter
	out, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// addresses are facts that hold of a definition without a page: which orders put
// the newest first, where a login is, and which links are the same home.
var addresses = []struct{ url, is string }{
	{"https://www.daft.ie/property-for-rent/cork?sort=publishDateDesc", "newest first"},
	{"https://www.daft.ie/property-for-rent/cork?sort=priceAsc", "other order"},
	{"https://www.funda.nl/zoeken/huur?sort=%22date_down%22", "newest first"},
	{"https://www.huurwoningen.com/in/amsterdam/", "newest first"},
	{"https://www.huurwoningen.nl/in/amsterdam/?sort=price", "other order"},
	{"https://www.idealista.com/en/inmueble/102339280/", "idealista:102339280"},
	{"https://www.idealista.it/immobile/102339280/?xtmc=1", "idealista:102339280"},
	{"https://www.idealista.pt/imovel/32339280/", "idealista:32339280"},
	{"https://www.idealista.it/affitto-case/roma-roma/?ordine=pubblicazione-desc", "newest first"},
	{"https://www.idealista.pt/arrendar-casas/lisboa/?ordem=atualizado-desc", "newest first"},
	{"https://www.immobiliare.it/affitto-case/parma/?criterio=data&tipo=1", "newest first"},
	{"https://www.immobiliare.it/affitto-case/parma/?criterio=prezzo&ordine=asc", "other order"},
	{"https://www.immobilienscout24.at/expose/152133001", "immobilienscout24:152133001"},
	{"https://www.immowelt.at/expose/2abc45", "immowelt:2abc45"},
	{"https://www.immowelt.de/suche/jena/wohnungen/mieten?sortierung=datum", "newest first"},
	{"https://kamernet.nl/huren/kamers-amsterdam?sort=2", "other order"},
	{"https://www.ebay-kleinanzeigen.de/s-anzeige/zimmer-frei/2912345678-199-33310", "kleinanzeigen:2912345678"},
	{"https://www.kleinanzeigen.de/s-wohnung-mieten/jena/sortierung:preis/c203", "other order"},
	{"https://www.leboncoin.fr/recherche?category=10&sort=price", "other order"},
	{"https://www.openrent.co.uk/properties-to-rent/ely?sortType=1", "newest first"},
	{"https://www.pararius.nl/appartement-te-huur/amsterdam/61D026C2/bilderdijkkade", "pararius:61d026c2"},
	{"https://www.pararius.com/apartment-for-rent/amsterdam/61d026c2/bilderdijkkade", "pararius:61d026c2"},
	{"https://www.pararius.nl/huurwoningen/amsterdam?sort=price", "other order"},
	{"https://www.pararius.nl/huurwoningen/amsterdam/sorteer-prijs", "other order"},
	{"https://plaza.newnewnew.space/portaal/account", "login"},
	{"https://www.spareroom.com/flatshare/new_york/queens/18083215", "spareroom:18083215"},
	{"https://www.wg-gesucht.de/wg-zimmer-in-Berlin.8.0.1.0.html?asset_id=12909481", "other order"},
}

// answer is what a reader says of an address.
func answer(r *reader, address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return err.Error()
	}
	p := r.portal(u)
	if p == nil {
		return "nothing"
	}
	if id, ok := p.ListingID(u); ok {
		return p.Name + ":" + id
	}
	matches := func(re *regexp.Regexp) bool { return re.MatchString(u.String()) }
	switch {
	case slices.ContainsFunc(p.SignedOutURL, matches):
		return "login"
	case newestFirst(monitor.Search{}, p, u):
		return "newest first"
	}
	return "other order"
}

func TestAddressesOfPortals(t *testing.T) {
	r := testReader(t)
	for _, a := range addresses {
		if got := answer(r, a.url); got != a.is {
			t.Errorf("%s is %s, want %s", a.url, got, a.is)
		}
	}
}

// Each definition, and each entry of each of its lists, is needed by a page or an
// address of ours.
func TestRulesPortals(t *testing.T) {
	if !*rulesFlag {
		t.Skip("make rules runs this alone")
	}
	whole := testReader(t)
	pages := seenPages(t, whole)
	lists := []string{"Hosts", "Listing", "Promoted", "PromotedLinks", "Similar", "Ignore", "Partners", "Refused", "SignedOut", "SignedOutURL", "NewestFirst", "OtherOrder"}
	for i, p := range whole.portals {
		if len(pages[p.Name]) == 0 {
			t.Errorf("%s: there is no page of ours", p.Name)
		}
		check := func(r *reader) string { return failing(t, r, pages[p.Name]) }
		others := slices.Delete(slices.Clone(whole.portals), i, i+1)
		mustFail(t, p.Name, "the whole definition", check(&reader{portals: others}))
		for _, flag := range []string{"NewestDefault", "SignedInView"} {
			if reflect.ValueOf(p).FieldByName(flag).Bool() {
				mustFail(t, p.Name, flag, check(with(whole, i, flag, reflect.ValueOf(false))))
			}
		}
		for _, list := range lists {
			all := reflect.ValueOf(p).FieldByName(list)
			for j := range all.Len() {
				fewer := reflect.AppendSlice(reflect.MakeSlice(all.Type(), 0, all.Len()), all.Slice(0, j))
				fewer = reflect.AppendSlice(fewer, all.Slice(j+1, all.Len()))
				mustFail(t, p.Name, fmt.Sprintf("%s %q", list, fmt.Sprint(all.Index(j))), check(with(whole, i, list, fewer)))
			}
		}
	}
}

func mustFail(t *testing.T, portal, entry, failed string) {
	t.Helper()
	if failed == "" {
		t.Errorf("%s: nothing fails without %s", portal, entry)
	} else {
		t.Logf("%s: without %s: %s", portal, entry, failed)
	}
}

// with is a reader whose ith definition has another value in one field.
func with(r *reader, i int, field string, value reflect.Value) *reader {
	portals := slices.Clone(r.portals)
	reflect.ValueOf(&portals[i]).Elem().FieldByName(field).Set(value)
	return &reader{portals: portals}
}

// failing names the first page or address of a portal that is read otherwise.
func failing(t *testing.T, r *reader, pages []*seen) string {
	t.Helper()
	for _, s := range pages {
		if s.read(t, r) != s.golden {
			return s.name
		}
	}
	for _, a := range addresses {
		if got := answer(r, a.url); got != a.is {
			return a.url
		}
	}
	return ""
}
