package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// inputNotes are what the index says of a page in words, beside its verdict and
// its count.
var inputNotes = map[string]func(t *testing.T, s shown){
	"09-featured-labels": paidCards(3),
	"funda-top-position": paidCards(3),
	"olx-promoted":       paidCards(4),
	"27-kaution-first": func(t *testing.T, s shown) {
		amounts(700, 710, 720, 730, 740, 750)(t, s)
		for i, l := range s.ordinary() {
			if want := float64(60 + i); l.AreaM2 != want {
				t.Errorf("%s has %g m², want %g", l.Title, l.AreaM2, want)
			}
		}
	},
	"rents-among-fees": func(t *testing.T, s shown) {
		if warm := amountsOf(s); len(warm) == 4 && warm[0] == 1070 {
			s.Listings[0].Price.Amount = 890 // with heating or without: either is the rent
		}
		amounts(890, 540, 760, 1120)(t, s)
	},
	"yen-prices-only": func(t *testing.T, s shown) {
		amounts(85000, 95000, 105000, 115000, 125000, 135000, 145000, 155000)(t, s)
		currency("JPY")(t, s)
	},
	"soum-prices": func(t *testing.T, s shown) {
		amounts(300270000, 301270000, 302270000, 303270000, 304270000, 305270000, 306270000, 307270000)(t, s)
		currency("UZS")(t, s)
	},
	"project-card-with-units": func(t *testing.T, s shown) {
		leadTo(t, s, 2, `/projekte/expose/k25l9[35]2$`)
	},
	"page-is-gone-404": func(t *testing.T, s shown) {
		if !regexp.MustCompile(`\b(?:gone|no longer|not found|not there)\b`).MatchString(s.Reason) {
			t.Errorf("the reason does not say that the page is gone: %s", s.Reason)
		}
	},
}

func paidCards(want int) func(t *testing.T, s shown) {
	return func(t *testing.T, s shown) {
		t.Helper()
		if n := len(s.Listings) - len(s.ordinary()); n != want {
			t.Errorf("%d paid cards, want %d", n, want)
		}
	}
}

func amountsOf(s shown) []float64 {
	var out []float64
	for _, l := range s.ordinary() {
		out = append(out, l.Price.Amount)
	}
	return out
}

func amounts(want ...float64) func(t *testing.T, s shown) {
	return func(t *testing.T, s shown) {
		t.Helper()
		if got := amountsOf(s); !slices.Equal(got, want) {
			t.Errorf("amounts %g, want %g", got, want)
		}
	}
}

func currency(want string) func(t *testing.T, s shown) {
	return func(t *testing.T, s shown) {
		t.Helper()
		for _, l := range s.ordinary() {
			if l.Price.Currency != want {
				t.Errorf("%q is an amount in %q, want %q", l.Price.Text, l.Price.Currency, want)
			}
		}
	}
}

// leadTo asks for n listings with such an address.
func leadTo(t *testing.T, s shown, n int, pattern string) {
	t.Helper()
	re, got := regexp.MustCompile(pattern), 0
	for _, l := range s.ordinary() {
		if re.MatchString(l.URL) {
			got++
		}
	}
	if got != n {
		t.Errorf("%d listings lead to %s, want %d", got, pattern, n)
	}
}

// Every small page of a kind that was once misread.
func TestProgramReadsSmallPages(t *testing.T) {
	t.Parallel()
	pages := answersIn(t, filepath.Join("..", "shared", "inputs", "pages"))
	read := extractAll(t, pages)
	keys := map[string][]string{}
	for _, a := range pages {
		s := read[a.file]
		for _, l := range s.ordinary() {
			keys[a.name()] = append(keys[a.name()], l.Key)
		}
		t.Run(a.name(), func(t *testing.T) {
			if a.verdict == "not results and not empty" {
				if monitor.Verdict(s.Verdict).Clean() {
					t.Errorf("%s (%s)", s.Verdict, s.Reason)
				}
			} else if s.Verdict != a.verdict {
				t.Errorf("%s (%s), want %s", s.Verdict, s.Reason, a.verdict)
			}
			want, err := strconv.Atoi(a.listings)
			if err != nil {
				t.Fatal(err)
			}
			// A project may be told as one home, or as each of its four.
			units := strings.Contains(a.note, "(or its 4 units)")
			if n := len(s.ordinary()); n != want && !(units && n == want+3) {
				t.Errorf("%d listings, want %d", n, want)
			}
			if check := inputNotes[a.name()]; check != nil {
				check(t, s)
			}
		})
	}
	for _, pair := range [][2]string{{"14a-impression-id", "14b-impression-id"}, {"15a-price-in-slug", "15b-price-in-slug"}} {
		a, b := keys[pair[0]], keys[pair[1]]
		slices.Sort(a)
		slices.Sort(b)
		if !slices.Equal(a, b) {
			t.Errorf("%s and %s show the same homes, under the keys\n%q and\n%q", pair[0], pair[1], a, b)
		}
	}
}
