package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// part is something that a card shows below its headline: elements from the
// outermost to the innermost, and the text in it.
type part struct{ tags, text string }

// cardsOf reads one card for each headline, with what stands below it.
func cardsOf(t *testing.T, headlines []string, below map[int][]part) []monitor.Listing {
	t.Helper()
	var nodes []node
	add := func(parent int, n node) int {
		n.Parent = parent
		nodes = append(nodes, n)
		return len(nodes) - 1
	}
	list := add(add(-1, node{Tag: "body"}), node{Tag: "ul"})
	for i, headline := range headlines {
		card := add(list, node{Tag: "li"})
		link := add(card, node{Tag: "a", Href: fmt.Sprintf("https://rooms.example/room/%d", 77100+i)})
		add(add(link, node{Tag: "h2"}), node{Text: headline})
		add(add(card, node{Tag: "p"}), node{Text: "€ 900 p.m."})
		for _, b := range below[i] {
			at := card
			for tag := range strings.FieldsSeq(b.tags) {
				switch tag {
				case ".": // the element of the text before
					at = nodes[len(nodes)-1].Parent
				case "..":
					at = nodes[nodes[len(nodes)-1].Parent].Parent
				default:
					at = add(at, node{Tag: tag})
				}
			}
			add(at, node{Text: b.text})
		}
	}
	raw, err := json.Marshal(map[string]any{"url": "https://rooms.example/search", "settled": true, "nodes": nodes})
	if err != nil {
		t.Fatal(err)
	}
	p := readerOf(t, "").read(loaded{URL: "https://rooms.example/search", Status: 200, Raw: raw})
	if len(p.Listings) != len(headlines) {
		t.Fatalf("%s (%s), %d listings", p.Verdict, p.Reason, len(p.Listings))
	}
	return p.Listings
}

var streets = []string{"Lake Street 1", "Park Street 2", "Mill Street 3", "Hill Street 4", "Canal Street 5"}

func TestACardThatSaysItIsPaidFor(t *testing.T) {
	for _, tt := range []struct {
		label part
		want  bool
	}{
		{part{"span", "Sponsored"}, true},
		{part{"div span", "Ad"}, true},
		{part{"div", "WYRÓŻNIONE"}, true},
		{part{"span", "Gesponsert ·"}, true},
		{part{"p", "A featured home in a quiet street"}, false},
		{part{"p", "Ad hoc viewings"}, false},
		{part{"h3", "Werbung"}, false},
	} {
		got := cardsOf(t, streets, map[int][]part{1: {tt.label}})
		if got[1].Promoted != tt.want || got[0].Promoted || got[2].Promoted {
			t.Errorf("%v: promoted %v", tt.label, got[1].Promoted)
		}
	}
}

// A word on half of the cards or more is what the site calls its listings.
func TestALabelOnMostCardsSaysNothing(t *testing.T) {
	every := map[int][]part{}
	for i := range streets {
		every[i] = []part{{"span", "Anzeige"}}
	}
	every[3] = append(every[3], part{"span", "Top-Anzeige"})
	for i, l := range cardsOf(t, streets, every) {
		if l.Promoted != (i == 3) {
			t.Errorf("card %d: promoted %v", i, l.Promoted)
		}
	}
}

func TestAHeadlineIsNoLabel(t *testing.T) {
	names := slices.Concat(streets, []string{"Anzeige", "Vermietet"})
	for _, l := range cardsOf(t, names, nil) {
		if l.Promoted || l.Let {
			t.Errorf("%q: promoted %v, let %v", l.Title, l.Promoted, l.Let)
		}
	}
}

func TestACardThatSaysItIsLet(t *testing.T) {
	for _, tt := range []struct {
		says []part
		want bool
	}{
		{[]part{{"span", "Let agreed"}}, true},
		{[]part{{"div strong", "Verhuurd"}}, true},
		{[]part{{"div", "UNDER OFFER"}}, true},
		{[]part{{"span", "Reserviert!"}}, true},
		{[]part{{"dl dt", "Status"}, {".. dd", "Let agreed"}}, true},
		{[]part{{"span", "To let"}}, false},
		{[]part{{"span", "Not yet let"}}, false},
		{[]part{{"span", "Let available date: 1 May"}}, false},
		{[]part{{"span", "Onder optie mogelijk"}}, false},
		{[]part{{"p", "Recently let prices"}}, false},
		{[]part{{"span", "Reserved:"}, {"span", "no"}}, false},
		{[]part{{"dl dt", "Let agreed"}, {".. dd", "No"}}, false},
		{[]part{{"p", "This home is "}, {". b", "let"}}, false},
	} {
		if got := cardsOf(t, streets, map[int][]part{1: tt.says}); got[1].Let != tt.want || got[0].Let {
			t.Errorf("%v: let %v", tt.says, got[1].Let)
		}
	}
}

// Every word of the tables is one that a portal shows.
var (
	paidWords = []string{
		"Sponsored", "Promoted", "Featured", "Featured property", "Ad", "Advert", "Advertisement",
		"Gesponsord", "Advertentie", "Topadvertentie", "Top ad", "Uitgelicht", "Gesponsert", "Anzeige", "Top-Anzeige", "Werbung",
		"Patrocinado", "Destacado", "Publicidad", "Promocionado", "Sponsorizzato", "In evidenza", "In vetrina", "Pubblicità",
		"Sponsorisé", "Annonce sponsorisée", "À la une", "Publicité", "Wyróżnione", "Promowane", "Sponsorowane", "Reklama",
		"Sponzorováno", "Topováno", "Sponsrad", "Annons", "Sponset", "Annonse", "Betalt plassering", "Sponsoreret", "Annonce",
		"Destaque", "Publicidade", "Promovido",
	}
	letWords = []string{
		"Let", "Now let", "Let agreed", "Let STC", "Rented", "Leased", "Reserved", "Under offer", "Under option", "Sold", "Sold STC", "No longer available",
		"Verhuurd", "Verkocht onder voorbehoud", "Onder optie", "Onder bod", "Gereserveerd", "Vermietet", "Reserviert", "Verkauft", "Vergeben",
		"Alquilado", "Reservado", "Vendido", "Affittato", "Prenotata", "Opzionato", "Venduto", "Loué", "Réservé", "Vendue", "Sous offre",
		"Arrendado", "Alugada", "Wynajęte", "Zarezerwowane", "Sprzedane", "Pronajato", "Rezervováno", "Prodáno",
		"Uthyrd", "Reserverad", "Såld", "Utleid", "Reservert", "Solgt", "Udlejet", "Reserveret",
	}
)

func unmatched(label interface{ MatchString(string) bool }, words []string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(words), label.MatchString), ", ")
}

func TestLabelsInManyLanguages(t *testing.T) {
	if left := unmatched(paidLabel, paidWords); left != "" {
		t.Errorf("not read as paid: %s", left)
	}
	if left := unmatched(letLabel, letWords); left != "" {
		t.Errorf("not read as let: %s", left)
	}
}

func TestRulesLabels(t *testing.T) {
	eachRow(t, "paidLabels", &paidLabels, func() { paidLabel = newLabel(paidLabels) }, func() string { return unmatched(paidLabel, paidWords) })
	eachRow(t, "letLabels", &letLabels, func() { letLabel = newLabel(letLabels) }, func() string { return unmatched(letLabel, letWords) })
}
