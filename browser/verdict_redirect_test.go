package browser

import (
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

func TestLostParts(t *testing.T) {
	for _, tt := range []struct{ from, to, lost string }{
		{"/s?city=utrecht&max=900", "/s?max=900&city=Utrecht", ""},
		{"/s?city=utrecht&max=900", "/s?max=900", "city=utrecht"},
		{"/s?city=utrecht", "/s?city=amsterdam", "city=utrecht"},
		{"/s?city=utrecht&min=2&max=2", "/s?city=utrecht&min=0&max=2", "min=2"},
		{"/s?area=a1&area=b2", "/s?area=a1", "area=b2"},
		{"/s?city=utrecht&utm_source=x&radius=", "/s?city=utrecht", ""},
		{"/s?city=utrecht", "/s?city=utrecht&page=1&radius=0", ""},
		{"/s?city=utrecht", "/nl/s/utrecht/te-huur", ""},
		{"/nl/rent/utrecht", "/en/rent/utrecht-7", ""},
		{"/rent/utrecht/500-900", "/rent/utrecht", "500-900"},
		{"/rent/utrecht", "/buy/utrecht", "rent"},
		{"/rent.html?city=utrecht", "/rent?city=utrecht", ""},
		{`/s?area=["utrecht"]`, "/s?area=%5B%22utrecht%22%5D", ""},
		{"/s;jsessionid=A1B2?city=utrecht", "/s;jsessionid=C3D4?city=utrecht", ""},
		{"/s?city=utrecht&token=0123456789abcdef0123", "/s?city=utrecht&token=fedcba98765432100123", ""},
		{"/#/s?city=utrecht", "/#/s", "city=utrecht"},
	} {
		got := strings.Join(lostParts(parsed(t, "https://x.example"+tt.from), parsed(t, "https://x.example"+tt.to)), " ")
		if got != tt.lost {
			t.Errorf("%s -> %s: lost %q, want %q", tt.from, tt.to, got, tt.lost)
		}
	}
}

// A redirect that lost what the last accepted page had leads to another search; at
// the first check it is accepted, and says what the site dropped.
func TestARedirectThatLosesThePlace(t *testing.T) {
	const saved, whole, bare = "https://rooms.example/search?city=utrecht&utm_source=x", "https://rooms.example/search?city=utrecht&page=1", "https://rooms.example/search"
	for _, tt := range []struct {
		landed, final string
		want          monitor.Verdict
		dropped       []string
	}{
		{"", bare, monitor.Results, []string{"city=utrecht"}},
		{"", whole, monitor.Results, nil},
		{bare, bare, monitor.Results, []string{"city=utrecht"}},
		{whole, saved, monitor.Results, nil},
		{whole, bare, monitor.NotResults, nil},
	} {
		s := monitor.Search{URL: saved, Landed: tt.landed}
		p := readerOf(t, "").read(loaded{Search: s, URL: saved, FinalURL: tt.final, Status: 200, Raw: pageOf("")})
		if p.Verdict != tt.want || !slices.Equal(p.Dropped, tt.dropped) || p.Verdict != monitor.Results && !strings.Contains(p.Reason, "without city=utrecht") {
			t.Errorf("%q -> %s: %s (%s), dropped %q", tt.landed, tt.final, p.Verdict, p.Reason, p.Dropped)
		}
	}
}
