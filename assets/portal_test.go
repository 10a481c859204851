package assets

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func TestEmbeddedPortals(t *testing.T) {
	portals, err := Portals()
	if err != nil {
		t.Fatal(err)
	}
	dated := regexp.MustCompile(`^\d{4}(-\d{2}(-\d{2})?)?\b`)
	names, hosts := map[string]bool{}, map[string]string{}
	for _, p := range portals {
		if names[p.Name] {
			t.Errorf("two portals are called %q", p.Name)
		}
		names[p.Name] = true
		for _, h := range p.Hosts {
			if other := hosts[h]; other != "" {
				t.Errorf("host %s belongs to %s and %s", h, other, p.Name)
			}
			hosts[h] = p.Name
		}
		if p.Notes == "" || len(p.Sources) == 0 {
			t.Errorf("%s: notes for the user and sources are missing", p.Name)
		}
		for _, s := range p.Sources {
			if !dated.MatchString(s) {
				t.Errorf("%s: source %q does not begin with its date", p.Name, s)
			}
		}
	}
	for _, p := range portals {
		for _, partner := range p.Partners {
			if !names[partner] {
				t.Errorf("%s: partner %q is no portal", p.Name, partner)
			}
		}
	}
	for _, name := range []string{"demo", "kamernet", "funda", "rightmove", "idealista", "spareroom", "huurwoningen", "pararius"} {
		if !names[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// One listing has one id, in every language and with every detour, and links
// that are not listings have none.
func TestListingIDs(t *testing.T) {
	portals, err := Portals()
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ link, want string }{
		{"https://kamernet.nl/en/for-rent/room-amsterdam/le-mairekade/room-2395401", "kamernet:2395401"},
		{"https://kamernet.nl/huren/kamer-amsterdam/le-mairekade/kamer-2395401?utm_source=x", "kamernet:2395401"},
		{"https://kamernet.nl/huren/kamers-amsterdam?sort=1", ""},
		{"https://www.funda.nl/huur/amsterdam/appartement-88373769-westerlengte-131/", "funda:88373769"},
		{"https://www.funda.nl/en/huur/amsterdam/appartement-88373769-westerlengte-131/", "funda:88373769"},
		{"https://www.funda.nl/detail/huur/amsterdam/appartement-westerlengte-131/88373769/", "funda:88373769"},
		{"https://www.funda.nl/huur/amsterdam/huurcomplex-41400466-jeruzalem/", ""},
		{"https://www.funda.nl/makelaars/amsterdam/24131-kantoor/", ""},
		{"https://www.rightmove.co.uk/properties/88014684#/?channel=RES_LET", "rightmove:88014684"},
		{"https://www.rightmove.co.uk/property-to-rent/property-88014684.html#tab=floorplan", "rightmove:88014684"},
		{"https://www.rightmove.co.uk/property-to-rent/contactBranch.html?propertyId=88014684", ""},
		{"https://www.idealista.com/en/inmueble/102339280/", "idealista:102339280"},
		{"https://www.idealista.it/immobile/102339280/?xtmc=1", "idealista:102339280"},
		{"https://www.idealista.com/pro/agency/", ""},
		{"https://www.spareroom.co.uk/flatshare/flatshare_detail.pl?flatshare_id=18083215&search_id=1&featured=1", "spareroom:18083215"},
		{"https://www.spareroom.co.uk/flatshare/fad_click.pl?fad_id=18083215", "spareroom:18083215"},
		{"https://www.spareroom.co.uk/flatshare/london/camden/18083215", "spareroom:18083215"},
		{"https://www.spareroom.co.uk/flatshare/?search_id=1400724683&offset=10", ""},
		{"https://www.huurwoningen.nl/huren/amsterdam/3fa91c/zeeuwsestraat/", "huurwoningen:3fa91c"},
		{"https://www.huurwoningen.nl/in/amsterdam/", ""},
		{"https://www.pararius.nl/appartement-te-huur/amsterdam/61D026C2/bilderdijkkade", "pararius:61d026c2"},
		{"https://www.pararius.com/apartment-for-rent/amsterdam/61d026c2/bilderdijkkade", "pararius:61d026c2"},
		{"https://www.pararius.nl/nieuwbouwproject/amsterdam/c483d640/q-residences/appartement-a", "pararius:c483d640"},
		{"https://www.pararius.nl/nieuwbouwproject/amsterdam/72ecef31/q-residences", ""},
		{"https://www.zoopla.co.uk/to-rent/details/contact/73030468/?featured=1", "zoopla:73030468"},
		{"https://www.wg-gesucht.de/wg-zimmer-in-Berlin-Mitte.1234567.html", "wg-gesucht:1234567"},
		{"https://www.wg-gesucht.de/wg-zimmer-in-Berlin.8.0.1.0.html?asset_id=12909481", ""},
		{"https://www.kleinanzeigen.de/s-anzeige/zimmer-frei/2912345678-199-33310", "kleinanzeigen:2912345678"},
		{"https://www.otodom.pl/pl/oferta/mieszkanie-ID4bXyZ", "otodom:4bXyZ"},
		{"https://www.otodom.pl/pl/oferta/mieszkanie-ID4bXyz.html#ab12", "otodom:4bXyz"},
		{"https://www.immowelt.de/expose/5CC7A0BF-4dbd-428f-a800-28847aff02f7?x=1", "immowelt:5cc7a0bf-4dbd-428f-a800-28847aff02f7"},
		{"https://www.finn.no/realestate/lettings/ad.html?finnkode=301234567", "finn:301234567"},
		{"https://www.willhaben.at/iad/immobilien/d/mietwohnungen/wien/wien-1020/helle-wohnung-1234567890/", "willhaben:1234567890"},
		{"http://demo.localhost:41234/room/123", "demo:123"},
		{"https://elsewhere.example/properties/88014684", ""},
	}
	for _, tt := range tests {
		u, err := url.Parse(tt.link)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		for _, p := range portals {
			if id, ok := p.ListingID(u); ok {
				got = p.Name + ":" + id
			}
		}
		if got != tt.want {
			t.Errorf("%s: %q, want %q", tt.link, got, tt.want)
		}
	}
}

func TestDefinitionMistakesNameTheirLine(t *testing.T) {
	const good = "[[portal]]\nname = \"mine\"\nhosts = [\"www.Rooms.example\"]\nlisting = ['^/room/(?P<id>\\d+)']\n"
	tests := []struct{ name, text, want string }{
		{"bad pattern", strings.Replace(good, `(?P<id>\d+)`, `(?P<id>\d+`, 1), "my.toml:4: listing pattern"},
		{"look-ahead", strings.Replace(good, `\d+)`, `\d+)(?=x)`, 1), "without look-ahead"},
		{"no id group", strings.Replace(good, `(?P<id>\d+)`, `(\d+)`, 1), "my.toml:4: listing pattern \"^/room/(\\\\d+)\" has no group named id"},
		{"unknown key", good + "promotd = ['.ad']\n", "my.toml:5: unknown key \"promotd\" in [[portal]]; did you mean \"promoted\"?"},
		{"no listing", "\n\n[[portal]]\nname = \"mine\"\nhosts = [\"a.example\"]\n", "my.toml:3: portal \"mine\" has no listing pattern"},
		{"no hosts", "[[portal]]\nname = \"mine\"\nlisting = ['^/(?P<id>\\d+)']\n", "my.toml:1: no hosts"},
		{"a URL for a host", strings.Replace(good, "www.Rooms.example", "https://rooms.example/x", 1), "my.toml:3: host \"https://rooms.example/x\""},
		{"bad name", strings.Replace(good, `"mine"`, `"My Portal"`, 1), "my.toml:2: name \"My Portal\""},
		{"same name twice", good + "\n" + good, "my.toml:7: a second portal is called \"mine\""},
		{"second table", good + "[[portal]]\nname = \"b\"\nhosts = [\"b.example\"]\nlisting = ['[']\n", "my.toml:8: listing pattern"},
		{"syntax", "[[portal]]\nname = mine\n", "my.toml:2: "},
		{"wrong type", strings.Replace(good, `["www.Rooms.example"]`, `5`, 1), "my.toml:"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := DecodePortals("my.toml", []byte(tt.text))
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v\nwant %s", err, tt.want)
			}
		})
	}
}

func TestUserPortalBesideOtherTables(t *testing.T) {
	portals, err := DecodePortals("my.toml", []byte(`[poll]
interval = "30s"
[[search]]
name = "x"
link = '(?=not ours to judge'
[[portal]]
name = "mine"
hosts = ["www.Rooms.example"]
listing = [
  '^/room/(?P<id>\d+)',
]
notes = """
name = "not a key"
"""
`))
	if err != nil {
		t.Fatal(err)
	}
	if len(portals) != 1 || !portals[0].Covers("rooms.example") || !portals[0].Covers("en.rooms.example") || portals[0].Covers("bedrooms.example") {
		t.Errorf("%+v", portals)
	}
}

// A host name with letters beyond ASCII may be written as it is read or as browsers
// have it in addresses.
func TestHostsWithUmlauts(t *testing.T) {
	for _, written := range []string{"bücher.example", "www.BÜCHER.example", "xn--bcher-kva.example"} {
		portals, err := DecodePortals("my.toml", []byte("[[portal]]\nname = \"a\"\nhosts = [\""+written+"\"]\nlisting = ['^/room/(?P<id>\\d+)']\n"))
		if err != nil {
			t.Fatal(err)
		}
		for _, link := range []string{"http://bücher.example/room/7", "http://www.xn--bcher-kva.example/room/7", "http://en.Bücher.example:8080/room/7", "http://xn--BCHER-kva.example/room/7"} {
			u, err := url.Parse(link)
			if err != nil {
				t.Fatal(err)
			}
			if id, ok := portals[0].ListingID(u); !ok || id != "7" {
				t.Errorf("%s does not cover %s", written, link)
			}
		}
		if portals[0].Covers("bucher.example") {
			t.Errorf("%s covers bucher.example", written)
		}
	}
}

func TestGoodOnesAreKeptBesideBadOnes(t *testing.T) {
	portals, err := DecodePortals("my.toml", []byte("[[portal]]\nname = \"a\"\nhosts = [\"a.example\"]\nlisting = ['^/(?P<id>\\d+)']\n[[portal]]\nname = \"b\"\n"))
	if err == nil || len(portals) != 1 || portals[0].Name != "a" {
		t.Errorf("%v, %v", portals, err)
	}
}

func TestTopLevelDefinition(t *testing.T) {
	_, err := DecodePortal("x.toml", []byte("name = \"x\"\nhosts = [\"x.example\"]\n\nlistings = ['^/(?P<id>\\d+)']\n"))
	for _, want := range []string{`x.toml:4: unknown key "listings"; did you mean "listing"?`, "no listing pattern"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

func TestEveryKeyIsExplained(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("portals", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range portalKeys {
		if !strings.Contains(string(text), "| `"+key+"` |") {
			t.Errorf("portals/README.md does not explain %q", key)
		}
	}
}
