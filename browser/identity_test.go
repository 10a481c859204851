package browser

import (
	"net/url"
	"testing"
)

func parsed(t testing.TB, raw string) *url.URL {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func TestCanonicalLeavesOutWhereTheVisitorCameFrom(t *testing.T) {
	tests := []struct{ link, want string }{
		{"https://www.rooms.example/room/4101", "rooms.example/room/4101"},
		{"http://rooms.example:8080/room/4101/", "rooms.example/room/4101"},
		{"https://www.bücher.example/room/4101", "xn--bcher-kva.example/room/4101"},
		{"https://m.XN--BCHER-KVA.example/room/4101", "xn--bcher-kva.example/room/4101"},
		{"https://b%C3%BCcher.example/room/4101", "xn--bcher-kva.example/room/4101"},
		{"https://ROOMS.example/room/4101#photos", "rooms.example/room/4101"},
		{"https://rooms.example/room/410198?utm_source=x&pos=3&anything=else", "rooms.example/room/410198"},
		{"https://rooms.example/properties/88014684#/?channel=RES_LET", "rooms.example/properties/88014684"},
		{"https://rooms.example/expose/5cc7a0bf-4dbd-428f-a800-28847aff02f7?search=a&serp_view=list#ln=r", "rooms.example/expose/5cc7a0bf-4dbd-428f-a800-28847aff02f7"},
		{"https://rooms.example/flatshare_detail.pl?flatshare_id=18083215&search_id=14&city_id=&search_results=%2Fx", "rooms.example/flatshare_detail.pl?flatshare_id=18083215"},
		{"https://rooms.example/detail?objekt=5500&utm_source=list&position=1&sid=9f", "rooms.example/detail?objekt=5500"},
		{"https://rooms.example/show?b=2&a=1&utm_medium=mail", "rooms.example/show?a=1&b=2"},
		{"https://rooms.example/app#/listing/77123", "rooms.example/app#/listing/77123"},
		{"https://rooms.example/app#!listing/77123", "rooms.example/app#!listing/77123"},
		{"https://rooms.example/x//y/;jsessionid=AB12?ref=home", "rooms.example/x/y"},
		{"https://rooms.example/stra%C3%9Fe/nr-123456", "rooms.example/stra%C3%9Fe/nr-123456"},
		{"https://rooms.example/straße/nr-123456", "rooms.example/stra%C3%9Fe/nr-123456"},
		{"https://rooms.example/wohnungen/10115/detail?objekt=77123", "rooms.example/wohnungen/10115/detail?objekt=77123"},
		{"https://rooms.example/suche/detail/1771-14563-258.html?t=fw", "rooms.example/suche/detail/1771-14563-258.html"},
		{"https://rooms.example/a/helle-wohnung-GZTKLJ?page=2", "rooms.example/a/helle-wohnung-GZTKLJ"},
	}
	for _, tt := range tests {
		if got := canonical(parsed(t, tt.link)); got != tt.want {
			t.Errorf("%s\n got %s\nwant %s", tt.link, got, tt.want)
		}
	}
}

func TestListingIDInAnyShape(t *testing.T) {
	tests := []struct{ link, want string }{
		{"https://x.example/room/4101", "4101"},
		{"https://x.example/room/7", "7"},
		{"https://x.example/huur/amsterdam/appartement-88373769-westerlengte-131/", "88373769"},
		{"https://x.example/appartement-te-huur/amsterdam/61d026c2/bilderdijkkade", "61d026c2"},
		{"https://x.example/expose/5CC7A0BF-4dbd-428f-a800-28847aff02f7", "5cc7a0bf-4dbd-428f-a800-28847aff02f7"},
		{"https://x.example/pl/oferta/mieszkanie-w-centrum-ID4bXyZ", "ID4bXyZ"},
		{"https://x.example/s-anzeige/zimmer-frei/2912345678-199-3331", "2912345678-199-3331"},
		{"https://x.example/suche/detail/1771-14563-258.html", "1771-14563-258"},
		{"https://x.example/wg-zimmer-in-Berlin.1234567.html", "1234567"},
		{"https://x.example/a/helle-wohnung-GZTKLJ", "GZTKLJ"},
		{"https://x.example/ad.html?finnkode=301234567", "301234567"},
		{"https://x.example/residences/kastanjelaan-residence", ""},
		{"https://x.example/to-rent/brookfield", ""},
		{"https://x.example/about-us", ""},
	}
	for _, tt := range tests {
		if got := listingID(parsed(t, tt.link)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.link, got, tt.want)
		}
	}
}

func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{"https://a.example/1?x=2#3", "http://[::1]:80/", "https://a.example/%zz", "https://a.example?%3D=%00", "https://a.example/;;//;", "https://Bücher.example/"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u := webLink(raw)
		if u == nil {
			return
		}
		c := canonical(u)
		again := webLink("https://" + c)
		if again == nil {
			t.Skip("a host that only stands with its scheme")
		}
		if twice := canonical(again); twice != c {
			t.Errorf("%q: %q becomes %q", raw, c, twice)
		}
	})
}

// Each row are links to one home; no link of one row leads to a home of another.
func TestKeysAreEqualExactlyWhenHomesAre(t *testing.T) {
	rows := [][]string{
		{"https://a.example/rent/willow-lane-910-eur-5512301", "https://m.a.example/en/rent/willow-lane-860-eur-5512301/?utm_source=x", "https://www.a.example/nl/rent/new-title-5512301#photos"},
		{"https://a.example/rent/willow-lane-910-eur-5512302"},
		{"https://a.example/homes/willow-lane?impression_id=9c41e701af", "https://a.example/homes/willow-lane?impression_id=77b0d201af", "https://a.example/homes/willow-lane;jsessionid=A1?ref=home"},
		{"https://a.example/homes/rose-garden?impression_id=9c41e701af"},
		{"https://a.example/property.php?ref=4410", "https://a.example/property.php?utm_medium=mail&ref=4410"},
		{"https://a.example/property.php?ref=4417"}, {"https://a.example/detail?sid=4410"}, {"https://a.example/detail?index=4411"},
		{"https://a.example/detail?view=4410"}, {"https://a.example/detail?results=4410"}, {"https://a.example/detail?order=4410"},
		{"https://a.example/residence/204417/apply?unit=1", "https://a.example/residence/204417/apply?pos=7&unit=1"},
		{"https://a.example/residence/204417/apply?unit=2"},
		{"https://a.example/app#/listing?id=7", "https://a.example/app#/listing?id=7&utm_source=x"}, {"https://a.example/app#/listing?id=8"},
		{"https://a.example/?source=40211#/home/7", "https://a.example/#/home/7"}, {"https://a.example/?source=40211#/home/8"},
		{"https://a.example/let.php?position=12&ref=7", "https://a.example/let.php?ref=7&position=13"}, {"https://a.example/let.php?position=12&ref=8"},
		{"https://a.example/app#!/x/7"}, {"https://a.example/app#!/x/8"},
		{"https://a.example/show;id=7", "https://a.example/show;id=7;jsessionid=B2"}, {"https://a.example/show;id=8"},
		{"https://a.example/huur/buitenkaag/hoofdweg-12384", "https://a.example/nl/huur/buitenkaag/hoofdweg-12384?gclid=x"}, {"https://a.example/huur/lisserbroek/hoofdweg-12384"},
		{"https://a.example/o/flat-ID4bXyZ.html"}, {"https://a.example/o/flat-ID4bXyz.html"},
		{"https://a.example/e/5CC7A0BF-4dbd-428f-a800-28847aff02f7", "https://a.example/e/5cc7a0bf-4dbd-428f-a800-28847aff02f7?search=a"},
		{"https://a.example/for-sale/willow-lane-250000-eur"}, {"https://a.example/for-sale/rose-garden-250000-eur"},
		{"https://a.example/new/6bb00065/unit-a"}, {"https://a.example/new/6bb00065/unit-b"},
		{"https://a.example/home/81200"}, {"https://a.example/unit/81200"},
	}
	row := map[string]int{}
	for i, links := range rows {
		first := homeKey(parsed(t, links[0]))
		for _, link := range links {
			key := homeKey(parsed(t, link))
			if key != first {
				t.Errorf("%s\n has the key %s\n and not %s", link, key, first)
			}
			if j, seen := row[key]; seen && j != i {
				t.Errorf("%s has the key of %s", link, rows[j][0])
			}
			row[key] = i
		}
	}
}
