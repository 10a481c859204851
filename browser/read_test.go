package browser

import (
	"encoding/json"
	"testing"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// pageOf is what the script hands over for two cards, with a mark when it found one.
func pageOf(mark string) json.RawMessage {
	marks := ""
	if mark != "" {
		marks = `"marks":{"signed_out":["` + mark + `"]},`
	}
	return json.RawMessage(`{"url":"https://rooms.example/search",` + marks + `"nodes":[{"p":-1,"t":"body"},
		{"p":0,"t":"article"},{"p":1,"t":"a","h":"https://rooms.example/room/771"},{"p":2,"s":"Room by the lake"},{"p":1,"s":"€ 500 p.m."},
		{"p":0,"t":"article"},{"p":5,"t":"a","h":"https://rooms.example/room/772"},{"p":6,"s":"Room by the park"},{"p":5,"s":"€ 600 p.m."}]}`)
}

func readerOf(t *testing.T, definition string) *reader {
	t.Helper()
	portals, err := assets.DecodePortals("x", []byte("[[portal]]\nname = \"mine\"\nhosts = [\"rooms.example\"]\nlisting = ['^/room/(?P<id>\\d+)']\n"+definition))
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReader(portals)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestResultsShownToTheSignedOutAreAViewOfTheirOwn(t *testing.T) {
	const definition = "signed_out = ['a.logon']\n"
	tests := []struct{ definition, mark, want string }{
		{definition + "signed_in_view = true\n", "a.logon", monitor.SignedOutView},
		{definition + "signed_in_view = true\n", "", ""},
		{definition, "a.logon", ""}, // the portal shows everybody the same
	}
	for _, tt := range tests {
		p := readerOf(t, tt.definition).read(loaded{URL: "https://rooms.example/search", Status: 200, Raw: pageOf(tt.mark)})
		if p.Verdict != monitor.Results || p.View != tt.want || len(p.Listings) != 2 {
			t.Errorf("%+v: %s, view %q, %d listings (%s)", tt, p.Verdict, p.View, len(p.Listings), p.Reason)
		}
	}
}

// A refusal says whether the page asks who is there, whatever its status: then a person
// can answer, and it concerns the host.
func TestRobotChecksAreNamed(t *testing.T) {
	page := func(title, text string) json.RawMessage {
		return json.RawMessage(`{"url":"https://rooms.example/search","title":"` + title + `","nodes":[{"p":-1,"t":"body"},{"p":0,"t":"p"},{"p":1,"s":"` + text + `"}]}`)
	}
	for name, tt := range map[string]struct {
		status  int
		raw     json.RawMessage
		verdict monitor.Verdict
		robot   bool
	}{
		"a check with status 200":   {200, page("Robot check", "Please confirm that you are human"), monitor.Refused, true},
		"a check with status 403":   {403, page("Robot check", "Please confirm that you are human"), monitor.Refused, true},
		"a refusal without a check": {403, page("Forbidden", "You have no access"), monitor.Refused, false},
		"too many requests":         {429, page("Too many requests", "Come again later"), monitor.Refused, false},
		"a refusal without a page":  {403, nil, monitor.Refused, false},
		"a mistake of the site's":   {502, page("Robot check", "Please confirm that you are human"), monitor.Failed, false},
		"results that speak of it":  {200, pageOf(""), monitor.Results, false},
	} {
		p := readerOf(t, "").read(loaded{URL: "https://rooms.example/search", FinalURL: "https://rooms.example/search", Status: tt.status, Raw: tt.raw})
		if p.Verdict != tt.verdict || p.Robot != tt.robot {
			t.Errorf("%s: %s (%s), robot %v", name, p.Verdict, p.Reason, p.Robot)
		}
	}
}

func TestNewestFirst(t *testing.T) {
	yes, no := true, false
	tests := []struct {
		definition, url string
		word            *bool
		want            bool
	}{
		{"", "https://rooms.example/search", nil, false},
		{"", "https://rooms.example/search", &yes, true},
		{"newest_first = ['[?&]sort=new']\n", "https://rooms.example/search?sort=new", nil, true},
		{"newest_first = ['[?&]sort=new']\n", "https://rooms.example/search?sort=new", &no, false},
		{"newest_first = ['[?&]sort=new']\n", "https://rooms.example/search?sort=price", nil, false},
		{"newest_default = true\nother_order = ['[?&]sort=']\n", "https://rooms.example/search", nil, true},
		{"newest_default = true\nother_order = ['[?&]sort=']\n", "https://rooms.example/search?sort=price", nil, false},
	}
	for _, tt := range tests {
		s := monitor.Search{URL: tt.url, NewestFirst: tt.word}
		if p := readerOf(t, tt.definition).read(loaded{Search: s, URL: tt.url, FinalURL: tt.url, Status: 200, Raw: pageOf("")}); p.NewestFirst != tt.want {
			t.Errorf("%q at %s: %v", tt.definition, tt.url, p.NewestFirst)
		}
	}
}

// A key does not change with the port that the demo portal happens to get, and a
// user's link pattern does not change the keys of a known portal.
func TestKeysOutliveWhatSurroundsThem(t *testing.T) {
	r := readerOf(t, "")
	for _, s := range []monitor.Search{{URL: "https://rooms.example/search"}, {URL: "https://rooms.example:8443/search", Link: "/room/77"}} {
		p := r.read(loaded{Search: s, URL: s.URL, FinalURL: s.URL, Status: 200, Raw: pageOf("")})
		if len(p.Listings) != 2 || p.Listings[0].Key != "mine:771" || p.Listings[1].Key != "mine:772" {
			t.Errorf("%s: %+v", s.URL, p.Listings)
		}
	}
}

// The user's own definition of a host wins over the embedded one.
func TestTheFirstDefinitionOfAHostWins(t *testing.T) {
	own := readerOf(t, "").portals[0]
	other := own
	other.Name = "embedded"
	r, err := newReader([]assets.Portal{own, other})
	if err != nil {
		t.Fatal(err)
	}
	if p := r.read(loaded{URL: "https://rooms.example/search", Status: 200, Raw: pageOf("")}); p.Listings[0].Key != "mine:771" {
		t.Errorf("key %q", p.Listings[0].Key)
	}
}

// When a portal changes its addresses, a page full of priced cards is read
// without the definition rather than not at all; two odd links are not.
func TestADefinitionThatMatchesNothing(t *testing.T) {
	r := readerOf(t, "")
	r.portals[0].Listing = nil
	if p := r.read(loaded{URL: "https://rooms.example/search", Status: 200, Raw: pageOf("")}); p.Verdict == monitor.Results {
		t.Errorf("two cards: %s (%s)", p.Verdict, p.Reason)
	}
}
