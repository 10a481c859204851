package browser

import (
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

func TestStatusDecidesAlone(t *testing.T) {
	tests := map[int]monitor.Verdict{
		0: "", 200: "", 203: "", 304: "",
		401: monitor.Refused, 403: monitor.Refused, 405: monitor.Refused, 429: monitor.Refused, 503: monitor.Refused,
		408: monitor.Failed, 425: monitor.Failed, 500: monitor.Failed, 502: monitor.Failed, 504: monitor.Failed, 520: monitor.Failed,
		400: monitor.NotResults, 404: monitor.NotResults, 410: monitor.NotResults, 451: monitor.NotResults, 418: monitor.NotResults,
	}
	for status, want := range tests {
		if got, reason := byStatus(status); got != want || (want != "") != (reason != "") {
			t.Errorf("%d: %q, %q", status, got, reason)
		}
	}
}

func TestJudge(t *testing.T) {
	const search = "https://rooms.example/rent/brookfield/500-900"
	base := func(change func(e *evidence)) evidence {
		e := evidence{status: 200, requested: parsed(t, search), final: parsed(t, search), sameSite: true, pattern: "rooms.example/room/#"}
		e.words = words{total: -1, letters: 5000}
		change(&e)
		return e
	}
	tests := []struct {
		name   string
		change func(e *evidence)
		want   monitor.Verdict
		reason string
	}{
		{"listings", func(e *evidence) { e.ordinary = 20 }, monitor.Results, "20 links like rooms.example/room/#"},
		{"one listing", func(e *evidence) { e.ordinary = 1 }, monitor.Results, "1 link like"},
		{"listings of a portal", func(e *evidence) { e.ordinary, e.portal = 3, "funda" }, monitor.Results, "3 listings of funda"},
		{"block words beside listings", func(e *evidence) { e.ordinary, e.words.robot, e.words.none = 20, "captcha", "0 results" }, monitor.Results, ""},
		{"a password field beside listings", func(e *evidence) { e.ordinary, e.words.password = 5, true }, monitor.Results, ""},
		{"a robot check", func(e *evidence) { e.words.robot, e.words.letters = "Are you human?", 300 }, monitor.Refused, "Are you human?"},
		{"a robot check with a link that looks like a listing", func(e *evidence) { e.ordinary, e.words.robot, e.words.letters = 1, "Are you human?", 300 }, monitor.Refused, ""},
		{"robot words on a long page without listings", func(e *evidence) { e.words.robot, e.words.none = "captcha", "No rooms found" }, monitor.Empty, "No rooms found"},
		{"a contact form's question on an empty page", func(e *evidence) {
			e.words.robot, e.words.letters, e.words.none = "Confirm that you are human", 600, "No rooms match"
		}, monitor.Empty, "No rooms match"},
		{"a robot check's title over an empty list", func(e *evidence) {
			e.words.robot, e.words.inTitle, e.words.letters, e.words.none = "Robot check", true, 600, "0 results"
		}, monitor.Refused, "Robot check"},
		{"a login form in the header of an empty page", func(e *evidence) { e.words.password, e.words.none = true, "No rooms match" }, monitor.Empty, "No rooms match"},
		{"results for members only", func(e *evidence) { e.words.password, e.words.total = true, 86 }, monitor.SignedOut, "login"},
		{"only a frame", func(e *evidence) { e.words.check, e.words.letters = "a frame of x", 20 }, monitor.Refused, "a frame of x"},
		{"a frame on an empty page", func(e *evidence) {
			e.words.check, e.words.letters, e.words.none = "a frame of x", 400, "No rooms found"
		}, monitor.Empty, ""},
		{"the portal's own mark", func(e *evidence) { e.refusal = "#captchaForm" }, monitor.Refused, "#captchaForm"},
		{"a login page", func(e *evidence) { e.atLogin, e.final = true, parsed(t, "https://rooms.example/login") }, monitor.SignedOut, "login"},
		{"a login form", func(e *evidence) { e.words.password = true }, monitor.SignedOut, "login"},
		{"the portal says signed out", func(e *evidence) { e.signedOut = "a.logon" }, monitor.SignedOut, "a.logon"},
		{"the portal says signed out, beside listings", func(e *evidence) { e.signedOut, e.ordinary = "a.logon", 9 }, monitor.Results, ""},
		{"home page", func(e *evidence) { e.ordinary, e.final = 1, parsed(t, "https://rooms.example/") }, monitor.NotResults, "home page"},
		{"home page in another language", func(e *evidence) { e.ordinary, e.final = 4, parsed(t, "https://rooms.example/en/") }, monitor.NotResults, "home page"},
		{"a page above", func(e *evidence) { e.ordinary, e.final = 25, parsed(t, "https://rooms.example/rent/brookfield") }, monitor.NotResults, "above"},
		{"a prettier address", func(e *evidence) {
			e.ordinary, e.final = 25, parsed(t, "https://rooms.example/en/rent/brookfield/500-900/")
		}, monitor.Results, ""},
		{"another site", func(e *evidence) { e.sameSite, e.final = false, parsed(t, "https://parking.example/") }, monitor.NotResults, "another site, parking.example"},
		{"a login page on another site", func(e *evidence) {
			e.sameSite, e.atLogin, e.words.password, e.final = false, true, true, parsed(t, "https://accounts.example/login")
		}, monitor.SignedOut, "login"},
		{"the portal's mark on a page that says none", func(e *evidence) { e.refusal, e.words.none = "iframe", "No rooms match" }, monitor.Empty, ""},
		{"counts zero", func(e *evidence) { e.words.total = 0 }, monitor.Empty, "counts 0"},
		{"says none", func(e *evidence) { e.words.none = "No rooms match" }, monitor.Empty, "No rooms match"},
		{"counts many and shows none", func(e *evidence) { e.words.total, e.words.none = 86, "No rooms match" }, monitor.NotResults, "counts 86"},
		{"a consent wall", func(e *evidence) { e.words.consent, e.words.letters = "Before you continue", 900 }, monitor.NotResults, "consent"},
		{"not filled in", func(e *evidence) { e.words.letters, e.words.state = 900, 90000 }, monitor.NotResults, "not filled in"},
		{"late, with a sentence", func(e *evidence) { e.late, e.words.none = true, "No rooms match" }, monitor.NotResults, "deadline"},
		{"cut", func(e *evidence) { e.cut, e.ordinary = true, 20 }, monitor.NotResults, "narrow the search"},
		{"one home", func(e *evidence) { e.oneHome, e.ordinary = true, 6 }, monitor.NotResults, "copy the address of the results page"},
		{"one home, for members too", func(e *evidence) { e.oneHome, e.words.password = true, true }, monitor.NotResults, "one home"},
		{"gone", func(e *evidence) { e.words.gone, e.words.none = "This page is gone", "No rooms match" }, monitor.NotResults, "search on the site"},
		{"gone, with others below", func(e *evidence) { e.words.gone, e.words.goneHead, e.ordinary = "This page is gone", true, 6 }, monitor.NotResults, "is gone"},
		{"one of many is gone", func(e *evidence) { e.words.gone, e.ordinary = "This room is no longer available", 20 }, monitor.Results, ""},
		{"a frame of another site", func(e *evidence) { e.words.frame = "https://list.example/x" }, monitor.NotResults, "https://list.example/x"},
		{"a robot check on another site", func(e *evidence) {
			e.sameSite, e.words.robot, e.words.letters, e.final = false, "Are you human?", 300, parsed(t, "https://validate.example/")
		}, monitor.Refused, "Are you human?"},
		{"a login on another site, without a password yet", func(e *evidence) {
			e.sameSite, e.atLogin, e.final = false, true, parsed(t, "https://accounts.example.org/authorize?client_id=1")
		}, monitor.SignedOut, "login"},
		{"late", func(e *evidence) { e.late = true }, monitor.NotResults, "deadline"},
		{"nothing at all", func(e *evidence) {}, monitor.NotResults, "no listing found"},
		{"only paid ones, and says none", func(e *evidence) { e.promoted, e.words.none = 4, "No rooms match" }, monitor.Empty, ""},
		{"refused by status, full of listings", func(e *evidence) { e.status, e.ordinary = 403, 20 }, monitor.Refused, "answered 403"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, reason := judge(base(tt.change))
			if got != tt.want || !strings.Contains(reason, tt.reason) {
				t.Errorf("%s: %q, want %s", got, reason, tt.want)
			}
			if strings.ContainsAny(reason, "\n\r") {
				t.Errorf("more than one line: %q", reason)
			}
		})
	}
}

func TestCountOfThePage(t *testing.T) {
	tests := []struct {
		line string
		want int
	}{
		{"12 rooms in Amsterdam", 12}, {"199 results", 199}, {"1 kamer in Brookveld", 1}, {"0 resultaten", 0},
		{"Showing 201-210 of 1000+ results", 1000}, {"1 - 30 van 160 resultaten", 160}, {"1 - 25 von 1.261", 1261},
		{"Zeige 1 bis 10 von 273 Angeboten", 273}, {"Wir haben 273 Wohnungen für Sie gefunden", 273}, {"1,754 properties to rent", 1754},
		{"230 casas y pisos en alquiler", 230}, {"1 250 annonces", 1250}, {"WG-Zimmer in Berlin: 312 Angebote", 312}, {"521 Apartment for rent in Lausanne", 521},
		{"2 bedroom flats to rent in Leeds", -1}, {"3-Zimmer-Wohnungen mieten", -1}, {"4 new listings today", -1}, {"Rooms in Amsterdam", -1}, {"Since 1999", -1}, {"", -1},
	}
	for _, tt := range tests {
		if got, _ := counted(tt.line, false); got != tt.want {
			t.Errorf("%q: %d, want %d", tt.line, got, tt.want)
		}
	}
}

func TestSiteOfAHost(t *testing.T) {
	for link, want := range map[string]string{
		"https://www.rooms.example/a": "rooms.example", "https://login.rooms.example:8443/": "rooms.example", "https://rooms.co.uk/": "rooms.co.uk",
		"https://m.rooms.co.uk/": "rooms.co.uk", "http://127.0.0.1:81/": "127.0.0.1", "http://a.localhost:81/": "a.localhost", "http://b.localhost/": "b.localhost", "http://[::1]/": "::1",
		"http://bücher.example/": "xn--bcher-kva.example", "http://www.B%C3%9CCHER.example/": "xn--bcher-kva.example", "http://xn--bcher-kva.example/": "xn--bcher-kva.example",
	} {
		if got := site(parsed(t, link)); got != want {
			t.Errorf("%s: %q, want %q", link, got, want)
		}
	}
}
