package browser

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"notifio.app/notifio/assets"
)

// siteKind is a way in which sites write the address of a home: path and query, and
// whether the words before its id may change.
type siteKind struct {
	name  string
	path  func(home int, words string) (path, query, fragment string)
	words bool
}

// siteKinds leave out what no rule by the link alone can hold: a short number behind
// words that change, which may be a house number, and words behind an id.
var siteKinds = []siteKind{
	{"number in the path", func(h int, _ string) (string, string, string) { return fmt.Sprint("/room/", 100000+h), "", "" }, false},
	{"number behind words", func(h int, w string) (string, string, string) { return fmt.Sprint("/rent/", w, "-", 7000000+h), "", "" }, true},
	{"number before an ending", func(h int, w string) (string, string, string) {
		return fmt.Sprint("/detail/town/", w, "-", 7000000+h, ".html"), "", ""
	}, true},
	{"UUID", func(h int, _ string) (string, string, string) {
		return fmt.Sprintf("/expose/%08x-2032-4288-86ce-3dfb7b5d0018", 0x4db40000+h*7919), "", ""
	}, false},
	{"hexadecimal", func(h int, _ string) (string, string, string) {
		return fmt.Sprintf("/flat/town/%08x", 0x61d02600+h*104729), "", ""
	}, false},
	{"short number", func(h int, _ string) (string, string, string) { return fmt.Sprint("/room/", 7+h), "", "" }, false},
	{"like a year", func(h int, _ string) (string, string, string) { return fmt.Sprint("/room/", 1950+h), "", "" }, false},
	{"house number in a town", func(h int, _ string) (string, string, string) {
		return fmt.Sprintf("/huur/town-%c/hoofdweg-%d", 'a'+h%5, 1100+h/5), "", ""
	}, false},
	{"id", func(h int, _ string) (string, string, string) { return "/details.php", fmt.Sprint("id=", 3000+h), "" }, false},
	{"ref", func(h int, _ string) (string, string, string) { return "/lettings.php", fmt.Sprint("ref=", 3000+h), "" }, false},
	{"sid", func(h int, _ string) (string, string, string) { return "/lettings.php", fmt.Sprint("sid=", 3000+h), "" }, false},
	{"unit of one building", func(h int, _ string) (string, string, string) { return "/campus/house", fmt.Sprint("unit=", 1+h), "" }, false},
	{"route in the fragment", func(h int, _ string) (string, string, string) { return "/app", "", fmt.Sprint("/listing?id=", 3000+h) }, false},
	{"route of numbers", func(h int, _ string) (string, string, string) { return "/", "", fmt.Sprint("!/room/", 30000+h) }, false},
	{"name alone", func(h int, _ string) (string, string, string) {
		return fmt.Sprintf("/te-huur/laan-van-%c%c", 'a'+h%26, 'a'+h/26), "", ""
	}, false},
}

// clicks are the trackers that are never an id.
func clicks() (names []string) {
	for _, t := range readTrackers(assets.Trackers) {
		if t.kind == "click" {
			names = append(names, strings.ReplaceAll(t.name, "*", "x"))
		}
	}
	return names
}

// written is one way to write the link to a home.
func written(t *rapid.T, k siteKind, home int, names []string) *url.URL {
	words := "bright-room-by-the-lake"
	if k.words {
		words = rapid.SampledFrom([]string{"bright-room-by-the-lake", "room-for-950-euro", "last-room-by-the-lake"}).Draw(t, "words")
	}
	path, query, fragment := k.path(home, words)
	pairs := []string{}
	if query != "" {
		pairs = append(pairs, query)
	}
	for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 3, rapid.ID[string]).Draw(t, "trackers") {
		pairs = append(pairs, name+"="+rapid.SampledFrom([]string{"mail", "4f8a9c7d", "8812734"}).Draw(t, "value"))
	}
	pairs = rapid.Permutation(pairs).Draw(t, "order")
	host := rapid.SampledFrom([]string{"", "www.", "m."}).Draw(t, "host") + "rooms.example"
	if path != "/" && rapid.Bool().Draw(t, "session") {
		path += ";jsessionid=0A1B2C3D4E5F"
	} else if path != "/" && query == "" && fragment == "" && !strings.Contains(path, ".") && rapid.Bool().Draw(t, "slash") {
		path += "/"
	}
	path = rapid.SampledFrom([]string{"", "/en", "/nl"}).Draw(t, "language") + path
	address := "https://" + host + path
	if len(pairs) > 0 {
		address += "?" + strings.Join(pairs, "&")
	}
	if fragment == "" {
		fragment = rapid.SampledFrom([]string{"", "photos", "contact"}).Draw(t, "anchor")
	}
	if fragment != "" {
		address += "#" + fragment
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// Whatever a site adds to its links, two of them have one key exactly when they lead
// to one home.
func TestAnyDecorationOfALink(t *testing.T) {
	t.Parallel()
	names := clicks()
	for _, k := range siteKinds {
		t.Run(k.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				a, b := rapid.IntRange(0, 149).Draw(t, "a"), rapid.IntRange(0, 149).Draw(t, "b")
				if rapid.Bool().Draw(t, "the same") {
					b = a
				}
				one, other := written(t, k, a, names), written(t, k, b, names)
				if equal := homeKey(one) == homeKey(other); equal != (a == b) {
					t.Fatalf("%s\n%s\nhave the keys %s and %s", one, other, homeKey(one), homeKey(other))
				}
			})
		})
	}
}

func TestRulesTrackers(t *testing.T) {
	eachRow(t, "trackers", (*[]tracker)(&trackers), func() {}, func() string {
		for _, row := range readTrackers(assets.Trackers) {
			name := strings.ReplaceAll(row.name, "*", "x")
			bare, _ := url.Parse("https://rooms.example/te-huur/laan-van-ab")
			with, _ := url.Parse(bare.String() + "?" + name + "=mail")
			if canonical(bare) != canonical(with) {
				return name
			}
		}
		return ""
	})
}
