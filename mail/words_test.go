package mail

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"notifio.app/notifio/monitor"
)

func TestMoney(t *testing.T) {
	for _, c := range []struct {
		price monitor.Price
		want  string
	}{
		{monitor.Price{Amount: 950, Currency: "EUR"}, "€950"},
		{monitor.Price{Amount: 1500, Currency: "EUR", Text: "€ 1.500"}, "€1,500"},
		{monitor.Price{Amount: 1234567, Currency: "GBP"}, "£1,234,567"},
		{monitor.Price{Amount: 850.5, Currency: "EUR"}, "€850.50"},
		{monitor.Price{Amount: 1250, Currency: "CHF"}, "CHF\u00a01,250"},
		{monitor.Price{Amount: 900, AmountMax: 1100, Currency: "EUR"}, "€900–1,100"},
		{monitor.Price{Amount: 900, Text: "900,- all in"}, "900,- all in"},
		{monitor.Price{Amount: 900}, "900"},
		{monitor.Price{Text: "on\u00a0request"}, "on request"},
		{monitor.Price{Amount: math.NaN(), Currency: "EUR", Text: "?"}, "?"},
		{monitor.Price{Amount: math.Inf(1), Currency: "EUR", Text: "a lot"}, "a lot"},
		{monitor.Price{Amount: 1e300, Currency: "EUR"}, ""},
		{monitor.Price{}, ""},
	} {
		if got := money(c.price); got != c.want {
			t.Errorf("%+v: %q, want %q", c.price, got, c.want)
		}
	}
}

func TestSpans(t *testing.T) {
	for d, want := range map[time.Duration]string{
		time.Second: "1 min", 45 * time.Minute: "45 min", time.Hour: "1 h", 8*time.Hour + 12*time.Minute: "8 h 12 min",
		24 * time.Hour: "1 day", 75*time.Hour + 59*time.Minute: "3 days 3 h", 59*time.Minute + 50*time.Second: "1 h",
	} {
		if got := span(d); got != want {
			t.Errorf("%s: %q, want %q", d, got, want)
		}
	}
}

func TestShortenKeepsCharactersWhole(t *testing.T) {
	for _, c := range []struct {
		text  string
		limit int
		want  string
	}{
		{"short", 5, "short"},
		{"longer", 5, "long…"},
		{"one, two", 6, "one…"},
		{"aé́́b", 3, "a…"},
		{"ab👩‍👧cd", 5, "ab…"},
		{"👍🏽👍🏽👍🏽", 4, "👍🏽…"},
	} {
		got := shorten(c.text, c.limit)
		if got != c.want || utf8.RuneCountInString(got) > c.limit {
			t.Errorf("%q to %d: %q, want %q", c.text, c.limit, got, c.want)
		}
	}
	if got := shorten("e"+strings.Repeat("\u0301", 500), 150); utf8.RuneCountInString(got) != 150 {
		t.Errorf("an endless cluster is cut to %d", utf8.RuneCountInString(got))
	}
}

func TestOnlyWebLinksOpen(t *testing.T) {
	for raw, want := range map[string]string{
		"https://example.com/a?b=c&d=e#f":      "https://example.com/a?b=c&d=e#f",
		" http://example.com/ ":                "http://example.com/",
		"https://example.com/größe/a b":        "https://example.com/gr%C3%B6%C3%9Fe/a%20b",
		"https://ana:geheim@example.com/":      "https://example.com/",
		"HTTPS://example.com/":                 "https://example.com/",
		"javascript:alert(1)":                  "",
		"data:text/html,x":                     "",
		"file:///etc/passwd":                   "",
		"//example.com/":                       "",
		"/relative":                            "",
		"https://":                             "",
		"https://example.com/\r\nX: y":         "",
		"https://example.com/\u202egnp":        "https://example.com/%E2%80%AEgnp",
		"https://example.com/?q=\"><script>":   "https://example.com/?q=%22%3E%3Cscript%3E",
		"mailto:a@example.com":                 "",
		"https://example.com:443/x?y=ä&z=\xff": "https://example.com:443/x?y=%C3%A4&z=%FF",
	} {
		if got := webLink(raw); got != want {
			t.Errorf("%q: %q, want %q", raw, got, want)
		}
	}
}
