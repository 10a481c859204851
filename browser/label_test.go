package browser

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// labelWords are labels as portals write them: words for the rent, and words for
// what stands beside it, in each language.
var labelWords = []struct {
	language     string
	rent, beside []string
	money        string // with a verb for the amount
}{
	{"English", []string{"Rent", "Monthly rent", "Rental price"}, []string{"Deposit", "Security deposit", "Holding deposit", "Admin fee", "Fees", "Bills", "Parking", "Council tax", "Service charges", "Utilities"}, "£%s"},
	{"Dutch", []string{"Huur", "Huurprijs", "Kale huur"}, []string{"Borg", "Waarborgsom", "Servicekosten", "Parkeerplaats", "Bemiddelingskosten", "Inkomen", "Voorschot", "Overname"}, "€ %s"},
	{"German", []string{"Kaltmiete", "Warmmiete", "Miete", "Mietzins", "Mietpreis"}, []string{"Kaution", "Mietkaution", "Nebenkosten", "NK", "Heizkosten", "Stellplatz", "Stellplatzmiete", "Provision", "Ablöse", "Hausgeld", "Genossenschaftsanteil", "Tiefgarage"}, "%s €"},
	{"Spanish", []string{"Alquiler", "Renta"}, []string{"Fianza", "Gastos", "Comunidad", "Honorarios", "Depósito", "Garaje"}, "%s €"},
	{"Italian", []string{"Affitto", "Canone", "Canone mensile"}, []string{"Spese", "Spese condominiali", "Cauzione", "Deposito cauzionale", "Provvigione", "Posto auto", "Riscaldamento"}, "€ %s"},
	{"French", []string{"Loyer"}, []string{"Charges", "Dépôt de garantie", "Caution", "Honoraires", "Provision sur charges", "Frais", "Stationnement"}, "%s €"},
	{"Portuguese", []string{"Renda", "Aluguel", "Arrendamento"}, []string{"Caução", "Condomínio", "IPTU", "Taxa", "Despesas", "Garagem"}, "%s €"},
	{"Polish", []string{"Cena najmu", "Czynsz najmu", "Odstępne"}, []string{"Kaucja", "Czynsz administracyjny", "Opłaty", "Media", "Prowizja", "Miejsce postojowe"}, "%s zł"},
	{"Czech", []string{"Nájem", "Nájemné"}, []string{"Kauce", "Poplatky", "Služby", "Energie", "Provize", "Zálohy", "Parkování"}, "%s Kč"},
	{"Swedish", []string{"Hyra", "Månadshyra"}, []string{"Deposition", "Avgift", "Driftskostnad", "P-plats", "Handpenning"}, "%s kr"},
	{"Norwegian", []string{"Leie", "Husleie", "Månedsleie"}, []string{"Depositum", "Strøm", "Felleskostnader", "Garasje", "Formidlingsgebyr"}, "%s kr"},
	{"Danish", []string{"Leje", "Husleje"}, []string{"Indskud", "Aconto", "Aconto varme", "Forudbetalt husleje", "Forbrug", "Depositum"}, "%s kr."},
	{"Hungarian", []string{"Bérleti díj", "Havi bérleti díj"}, []string{"Kaució", "Rezsi", "Közös költség", "Jutalék"}, "%s Ft"},
	{"Romanian", []string{"Chirie", "Chiria"}, []string{"Garanție", "Comision", "Întreținere", "Utilități", "Avans"}, "%s lei"},
	{"Turkish", []string{"Kira", "Kira bedeli"}, []string{"Depozito", "Aidat", "Kapora", "Komisyon"}, "%s TL"},
	{"Russian", []string{"Аренда", "Арендная плата"}, []string{"Залог", "Депозит", "Комиссия", "Коммунальные услуги", "Предоплата"}, "%s руб."},
	{"Uzbek", []string{"Ijara", "Ijara haqi"}, []string{"Zalog", "Depozit", "Garov", "Komissiya"}, "%s so'm"},
	{"Japanese", []string{"賃料", "家賃"}, []string{"管理費", "共益費", "敷金", "礼金", "保証金"}, "%s円"},
}

// element writes the nodes of a card as the script would hand them over.
type element struct {
	tag, text string
	kids      []element
}

func el(tag string, kids ...element) element { return element{tag: tag, kids: kids} }
func leaf(tag, text string) element          { return el(tag, element{text: text}) }

// groundOf is a page with these elements in its body.
func groundOf(t testing.TB, kids ...element) *ground {
	t.Helper()
	var nodes []map[string]any
	var add func(e element, parent int)
	add = func(e element, parent int) {
		if e.tag == "" {
			nodes = append(nodes, map[string]any{"p": parent, "s": e.text})
			return
		}
		tag, hint, _ := strings.Cut(e.tag, ".")
		tag, label, _ := strings.Cut(tag, "=")
		tag, role, _ := strings.Cut(tag, "@")
		nodes = append(nodes, map[string]any{"p": parent, "t": tag, "c": hint, "a": label, "o": role})
		at := len(nodes) - 1
		for _, kid := range e.kids {
			add(kid, at)
		}
	}
	add(el("body", kids...), -1)
	raw, err := json.Marshal(map[string]any{"nodes": nodes})
	if err != nil {
		t.Fatal(err)
	}
	s, err := decodeSnapshot(raw)
	if err != nil {
		t.Fatal(err)
	}
	return &ground{snapshot: s}
}

// pair is a label with its value.
type pair struct{ label, value string }

// layouts are the ways in which pages set out labels and values.
var layouts = []struct {
	name string
	card func(pairs []pair) element
}{
	{"dl", func(ps []pair) element {
		e := el("dl")
		for _, p := range ps {
			e.kids = append(e.kids, leaf("dt", p.label), leaf("dd", p.value))
		}
		return e
	}},
	{"dl with groups", func(ps []pair) element {
		e := el("dl")
		for _, p := range ps {
			e.kids = append(e.kids, el("div", leaf("dt", p.label), leaf("dd", p.value)))
		}
		return e
	}},
	{"table of two columns", func(ps []pair) element {
		e := el("tbody")
		for _, p := range ps {
			e.kids = append(e.kids, el("tr", leaf("th", p.label), leaf("td", p.value)))
		}
		return el("table", e)
	}},
	{"flex rows, label first", func(ps []pair) element {
		e := el("div")
		for _, p := range ps {
			e.kids = append(e.kids, el("div", leaf("div", p.label), leaf("div", p.value)))
		}
		return e
	}},
	{"flex rows, value first", func(ps []pair) element {
		e := el("div")
		for _, p := range ps {
			e.kids = append(e.kids, el("div", leaf("div", p.value), leaf("div", p.label)))
		}
		return e
	}},
	{"rows of spans", func(ps []pair) element {
		e := el("div")
		for _, p := range ps {
			e.kids = append(e.kids, el("li", leaf("span", p.label), leaf("span", p.value)))
		}
		return e
	}},
	{"flat blocks, label first", func(ps []pair) element {
		e := el("div")
		for _, p := range ps {
			e.kids = append(e.kids, leaf("div", p.label), leaf("div", p.value))
		}
		return e
	}},
	{"flat blocks, value first", func(ps []pair) element {
		e := el("div")
		for _, p := range ps {
			e.kids = append(e.kids, leaf("div", p.value), leaf("div", p.label))
		}
		return e
	}},
	{"one line with commas", func(ps []pair) element {
		var parts []string
		for _, p := range ps {
			parts = append(parts, p.label+": "+p.value)
		}
		return leaf("p", strings.Join(parts, ", "))
	}},
	{"one line, values first", func(ps []pair) element {
		var parts []string
		for _, p := range ps {
			parts = append(parts, p.value+" "+p.label)
		}
		return leaf("p", strings.Join(parts, " · "))
	}},
	{"a line each", func(ps []pair) element {
		e := el("div")
		for _, p := range ps {
			e.kids = append(e.kids, leaf("p", p.label+" "+p.value))
		}
		return e
	}},
}

// inCard sets a part between a headline and what else a card shows.
func inCard(t testing.TB, part element) (*ground, card) {
	g := groundOf(t, el("article", leaf("h3", "Bright flat by the mill"), part, leaf("p", "Elm Lane, Brookstadt")), leaf("footer", "Terms"))
	return g, card{root: 1}
}

func priceIn(t testing.TB, part element) monitor.Price {
	g, c := inCard(t, part)
	return g.read(c.root).price(place{})
}

// Whatever the order, the language and the form, the rent is the price.
func TestRentIsFoundAmongAllElse(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for _, words := range labelWords {
		for _, layout := range layouts {
			for range 20 {
				rent := 400 + random.IntN(2000)
				amount := func(n int) string { return fmt.Sprintf(words.money, strconv.Itoa(n)) }
				pairs := []pair{{words.rent[random.IntN(len(words.rent))], amount(rent)}}
				for _, at := range random.Perm(len(words.beside))[:1+random.IntN(3)] {
					pairs = append(pairs, pair{words.beside[at], amount(rent + 1 + random.IntN(3000))})
				}
				random.Shuffle(len(pairs), func(i, j int) { pairs[i], pairs[j] = pairs[j], pairs[i] })
				if p := priceIn(t, layout.card(pairs)); p.Amount != float64(rent) || p.Unsure {
					t.Errorf("%s, %s: %v: %+v", words.language, layout.name, pairs, p)
				}
			}
		}
	}
}

// Each word of the lists is known, so that none is there for show.
func TestEachLabelIsKnown(t *testing.T) {
	t.Parallel()
	if failed := unknownLabels(); failed != "" {
		t.Error(failed)
	}
}

func unknownLabels() string {
	for _, words := range labelWords {
		for _, rent := range words.rent {
			if c := moneyLabels.class(rent); c != named {
				return fmt.Sprintf("%s %q is %d", words.language, rent, c)
			}
		}
		for _, label := range words.beside {
			if c := moneyLabels.class(label); c != beside {
				return fmt.Sprintf("%s %q is %d", words.language, label, c)
			}
		}
	}
	return ""
}

// The shared texts are somebody else's and no part of the project.
func TestSharedPrices(t *testing.T) {
	t.Parallel()
	file := filepath.Join("..", "..", "shared", "inputs", "prices.tsv")
	if named := os.Getenv("NOTIFIO_PRICES"); named != "" {
		file = named
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Skip("no shared prices: set NOTIFIO_PRICES to a file of text and amount")
	}
	for line := range strings.Lines(string(text)) {
		written, amount, _ := strings.Cut(strings.TrimSpace(line), "\t")
		want, err := strconv.ParseFloat(amount, 64)
		if err != nil {
			continue // the head
		}
		if p, _ := parsePrice(written, place{}); p.Amount != want {
			t.Errorf("%q: %+v, want %g", written, p, want)
		}
		if p := priceIn(t, leaf("p", written)); p.Amount != want {
			t.Errorf("%q in a card: %+v, want %g", written, p, want)
		}
	}
}
