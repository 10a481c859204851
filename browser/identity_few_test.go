package browser

import (
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"notifio.app/notifio/monitor"
)

// A card has the key and the id that it had on the full page when it is the only one
// left there: what a site lets today must not be new again tomorrow because its
// neighbours have gone.
func TestKeyOfTheLastCardLeft(t *testing.T) {
	t.Parallel()
	c, r := chromium(t), testReader(t)
	look := func(address string, document []byte) json.RawMessage {
		options := r.options(monitor.Search{}, address)
		options["settle_ms"] = 0
		raw, _, err := c.look(address, document, options)
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	own, err := filepath.Glob(filepath.Join("testdata", "read", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range own {
		if f := readFixture(t, file); f.status == 200 && f.link == "" {
			keysHold(t, filepath.Base(file), look(f.final, f.document), f.final)
		}
	}
	for _, a := range answersIn(t, pagesFolder(t)) {
		if a.verdict == monitor.Results {
			document, err := os.ReadFile(a.file)
			if err != nil {
				t.Fatal(err)
			}
			keysHold(t, a.name, look(a.search.URL, document), a.search.URL)
		}
	}
}

// keysHold compares the names of a page's first, middle and last card with those that
// they have alone. A link that no anchor bears, which the page's data or a row of
// buttons gave away, may not be found beside nothing; it has no other name then.
func keysHold(t *testing.T, name string, raw json.RawMessage, address string) {
	t.Helper()
	names := namesOf(t, raw, address, nil)
	links := slices.Sorted(maps.Keys(names))
	for i, link := range links {
		if i != 0 && i != len(links)/2 && i != len(links)-1 {
			continue
		}
		few, left := thin(t, raw, address, []string{link}, 1)
		if alone, found := namesOf(t, few, address, left)[link]; found && alone != names[link] {
			t.Errorf("%s: %s\n is %q alone, and %q beside the others", name, link, alone, names[link])
		}
	}
}

// namesOf are the key and the id of each card of a page, or of the given links, by
// their canonical form.
func namesOf(t *testing.T, raw json.RawMessage, address string, links []string) map[string]string {
	t.Helper()
	s, err := decodeSnapshot(raw)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	ts, out := s.targets(u), map[string]string{}
	if links == nil {
		cards, _ := newGround(s, ts).cards("", nil)
		for _, c := range cards {
			links = append(links, c.link.canonical)
		}
	}
	for _, t := range ts.all {
		if slices.Contains(links, t.canonical) {
			out[t.canonical] = t.home + " " + t.id
		}
	}
	return out
}
