package browser

import (
	"cmp"
	"fmt"
	"testing"

	"notifio.app/notifio/monitor"
)

// labelTexts are texts of one line with the amount that is their price; 0 for none.
var labelTexts = []struct {
	text string
	want float64
}{
	// A label before or behind, in any order.
	{"Deposit £1,500, rent £1,100 pcm", 1100}, {"Rent £1,100 pcm. Deposit £1,500.", 1100}, {"Holding deposit: £250 | Rent: £1,080", 1080}, {"£980 rent, £1,200 deposit", 980},
	{"Kaution 2.400 € · Kaltmiete 800 €", 800}, {"800 € Kaltmiete, 2.400 € Kaution", 800}, {"Stellplatz 60 € Miete 745 €", 745}, {"Mietkaution: 1.800 €, Nettomiete: 600 €", 600},
	{"Borg € 1.900 Huur € 950", 950}, {"€ 950 huur € 1.900 borg", 950}, {"Fianza: 1.600 € Alquiler: 800 €", 800}, {"Gastos 50 €, alquiler 640 €/mes", 640},
	{"Cauzione € 2.100; canone € 700", 700}, {"Caution 1 800 € / Loyer 900 €", 900}, {"Honoraires : 450 € Loyer : 610 €", 610}, {"Caução 1.400 € Renda 700 €", 700},
	{"Kaucja 5 000 zł, czynsz najmu 2 500 zł", 2500}, {"2 500 zł + czynsz 650 zł", 2500}, {"Czynsz: 650 zł", 650}, {"Kauce 30 000 Kč, nájem 15 000 Kč", 15000}, {"15 000 Kč + 3 000 Kč poplatky", 15000},
	{"Depositum 36 000 kr, leie 12 000 kr", 12000}, {"Indskud 24.000 kr. Husleje 8.000 kr.", 8000}, {"Hyra 9 500 kr, avgift 300 kr", 9500}, {"Kaució 300 000 Ft, bérleti díj 150 000 Ft", 150000},
	{"Garanție 500 €, chirie 450 €", 450}, {"Depozito 40.000 TL Kira 20.000 TL", 20000}, {"Залог 50 000 ₽, аренда 45 000 ₽", 45000}, {"敷金 10万円 賃料 8.5万円", 85000},
	// What is part of the rent, or what there is not, is no label.
	{"All bills included £725 pcm", 725}, {"No fees! £810 pcm", 810}, {"£925 pcm no deposit", 925}, {"ohne Provision 640 €", 640}, {"geen borg € 780", 780}, {"Miete inkl. Nebenkosten 900 €", 900},
	{"Huur incl. servicekosten € 815", 815}, {"Loyer charges comprises 730 €", 730}, {"€ 1.250 excl. servicekosten € 145", 1250}, {"Miete + NK: 940 €", 940},
	// Discounts and prices that were.
	{"£100 off £1,000 pcm", 1000}, {"Save £75 £925", 925}, {"Was £1,300 now £1,200", 1200}, {"statt 900 € 820 €", 820}, {"van € 1.400 voor € 1.250", 1250}, {"antes 900 € 850 €", 850},
	{"sleva 500 Kč, 9 000 Kč", 9000}, {"rabatt 300 kr, 8 200 kr", 8200}, {"+50 €; 800 €", 800},
	// A price that is called one, beside what has no label.
	{"Viewing £20, price £900", 900}, {"€ 20 sleutel, prijs € 880", 880}, {"20 € Schlüssel, Preis 860 €", 860}, {"10 € llave, precio 700 €", 700}, {"20 zł klucz, cena 1 900 zł", 1900},
	{"Czynsz 650 zł, 2 500 zł", 2500},
	// Only what is beside the price.
	{"Kaution: 1.200 €", 0}, {"Service charges £80", 0}, {"Fianza 900 €", 0}, {"Nebenkosten 210 €", 0}, {"18,40 € pro m²", 0}, {"敷金 8万円", 0}, {"Min. income £30,000", 0},
	// Numbers without a currency.
	{"1450 per month", 1450}, {"1.100 p.m.", 1100}, {"Rent: 875", 875}, {"Miete 1'390.-", 1390}, {"Huurprijs 1.025", 1025}, {"675 pw", 675}, {"1 250,- pr. måned", 1250},
	{"A flat for rent in Baker Street 221", 0}, {"Open until 7 p.m.", 0}, {"2 per month", 0}, {"Tel. 030 123456", 0}, {"Built in 1998", 0}, {"Ref. 4711", 0}, {"1200 m² plot", 0},
	// Ways to write an amount.
	{"Fr 1'980.-", 1980}, {"Fr. 2'150.—", 2150}, {"CHF 1’650.–", 1650}, {"Besichtigung Fr 18.30 Uhr", 0}, {"₹1,25,000", 125000}, {"₹ 45,000 per month", 45000}, {"Rs. 32,500", 32500}, {"1.2 lakh ₹", 120000},
	{"8.5万円", 85000}, {"12万円", 120000}, {"300 270 000 сум", 300270000}, {"4 500 000 so‘m", 4500000}, {"250 000 ₸", 250000}, {"180 000 тг", 180000}, {"45 тыс. руб.", 45000}, {"1.5k €", 1500}, {"£1.25m", 1250000}, {"₹ 1.5 crore", 15000000},
	{"1\u202f380\u00a0€", 1380}, {"1\u2009380 €", 1380}, {"€ 1.380,50", 1380.5}, {"£1,380.50", 1380.5}, {"1380,-€", 1380}, {"€ 1.380,--", 1380}, {"R 12 500", 12500}, {"1012 TL Amsterdam", 0}, {"3994 KN Houten", 0},
	// Ranges, weeks beside months, heads.
	{"€ 900 tot 1.100", 900}, {"from £800 to £950 pcm", 800}, {"700 bis 850 €", 700}, {"£300 pw / £1,300 pcm", 300}, {"£450 per person per month", 450}, {"€ 550 p.p.p.m.", 550},
	{"€ 395.000 k.k.", 395000}, {"Kaufpreis 289.000 €", 289000}, {"189.000 € Ab 780 €/Monat finanzieren", 189000}, {"Preis auf Anfrage", 0}, {"Price on application", 0},
}

func misread() string {
	for _, tt := range labelTexts {
		if p, _ := parsePrice(tt.text, place{}); p.Amount != tt.want {
			return fmt.Sprintf("%q: %+v, want %g", tt.text, p, tt.want)
		}
	}
	return ""
}

func TestPriceByItsLabel(t *testing.T) {
	t.Parallel()
	for _, tt := range labelTexts {
		if p, _ := parsePrice(tt.text, place{}); p.Amount != tt.want {
			t.Errorf("%q: %+v, want %g", tt.text, p, tt.want)
		}
		if p := priceIn(t, leaf("p", tt.text)); p.Amount != tt.want {
			t.Errorf("%q in a card: %+v, want %g", tt.text, p, tt.want)
		}
	}
}

func TestColumnsHeadSaysWhatANumberIs(t *testing.T) {
	t.Parallel()
	row := el("tr", leaf("td", "Elm Lane 4"), leaf("td", "2.5"), leaf("td", "55"), leaf("td", "2900"), leaf("td", "1450"))
	head := el("tr", leaf("th", "Adresse"), leaf("th", "Zimmer"), leaf("th", "Fläche (m²)"), leaf("th", "Kaution"), leaf("th", "Miete CHF / Mt."))
	g := groundOf(t, el("table", el("thead", head), el("tbody", row)))
	at := 0
	for i := range g.Nodes {
		if g.Nodes[i].Tag == "tr" {
			at = i
		}
	}
	said := g.read(at)
	if p := said.price(place{}); p.Amount != 1450 || p.Currency != "CHF" || p.Period != "month" {
		t.Errorf("price %+v", p)
	}
	if area, rooms := said.size(&areaLabels, areaFigures), said.size(&roomLabels, roomFigures); area != 55 || rooms != 2.5 {
		t.Errorf("area %g, rooms %g", area, rooms)
	}
}

func TestBalconyIsNoFlat(t *testing.T) {
	t.Parallel()
	for _, layout := range layouts[:8] {
		g, c := inCard(t, layout.card([]pair{{"Balkon", "6 m²"}, {"Grundstück", "900 m²"}, {"Wohnfläche", "61 m²"}, {"Keller", "8 m²"}}))
		if area := g.read(c.root).size(&areaLabels, areaFigures); area != 61 {
			t.Errorf("%s: %g", layout.name, area)
		}
	}
	for text, want := range map[string]float64{
		"Terrace 12 m², living area 70 m²": 70, "mit 6 m² Balkon, 48 m²": 48, "84 m² · Garten 200 m²": 84, "perceel 300 m², 110 m²": 110, "Balkon (5 m²), 50 m²": 50,
		"750 sq ft": 69.7, "Balcony 6 m²": 0, "12 €/m²": 0,
	} {
		g, c := inCard(t, leaf("p", text))
		if area := g.read(c.root).size(&areaLabels, areaFigures); area != want {
			t.Errorf("%q: %g, want %g", text, area, want)
		}
	}
}

func TestOldPricesNeverWin(t *testing.T) {
	t.Parallel()
	for _, part := range []element{
		el("p", leaf("s", "£1,200"), leaf("b", "£1,050")), el("div", leaf("del", "£1,200"), leaf("span", "£1,050")), el("div", leaf("span.old-price", "£1,200"), leaf("span", "£1,050")),
	} {
		if p := priceIn(t, part); p.Amount != 1050 {
			t.Errorf("%+v", p)
		}
	}
}

func TestDoubtfulAmountIsUnsure(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"€ 1.200": false, "€ 1.200 p.m.": false, "Huur € 1.200": false, "€ 1.200, € 800": true, "Czynsz: 650 zł": true} {
		if p := priceIn(t, leaf("p", text)); p.Unsure != want {
			t.Errorf("%q: %+v", text, p)
		}
	}
}

// moneyTexts are texts with the currency and the period of their price: at least one
// for each row of these tables.
var moneyTexts = []struct {
	text, currency string
	period         monitor.Period
}{
	{"€ 900 per month", "EUR", monitor.Month}, {"£210 pw", "GBP", monitor.Week}, {"150 USD per night", "USD", monitor.Night}, {"$ 18,000 per year", "USD", monitor.Year},
	{"€ 395.000 k.k.", "EUR", monitor.Total}, {"AU$ 500 weekly", "AUD", monitor.Week}, {"C$ 1,450 monthly", "CAD", monitor.Month}, {"NZ$ 640 p.w.", "NZD", monitor.Week},
	{"HK$ 14,500", "HKD", ""}, {"S$ 2,900", "SGD", ""}, {"R$ 2.500/mês", "BRL", monitor.Month}, {"MX$ 9,500 al mes", "MXN", monitor.Month}, {"NT$ 18,000", "TWD", ""},
	{"CHF 1'650.-", "CHF", ""}, {"2 300 zł/mies.", "PLN", monitor.Month}, {"15 000 Kč/měsíc", "CZK", monitor.Month}, {"SEK 9 500", "SEK", ""}, {"NOK 12 000", "NOK", ""},
	{"8.000 DKK", "DKK", ""}, {"250.000 ISK", "ISK", ""}, {"180 000 Ft/hó", "HUF", monitor.Month}, {"2 400 lei / lună", "RON", monitor.Month}, {"950 лв.", "BGN", ""},
	{"45 000 ₽ в месяц", "RUB", monitor.Month}, {"12 000 грн", "UAH", ""}, {"20.000 TL / ay", "TRY", monitor.Month}, {"4 500 000 so'm", "UZS", ""}, {"180 000 ₸", "KZT", ""}, {"1 500 ₾", "GEL", ""},
	{"Rs. 32,500", "INR", ""}, {"85,000円", "JPY", ""}, {"4500元/月", "CNY", monitor.Month}, {"₩ 900,000", "KRW", ""}, {"₪ 5,200", "ILS", ""}, {"AED 90,000 yearly", "AED", monitor.Year},
	{"R 12 500", "ZAR", ""}, {"45 000 din.", "RSD", ""}, {"฿ 18,000", "THB", ""}, {"₱ 25,000", "PHP", ""}, {"RM 1,800", "MYR", ""}, {"Rp 4.500.000", "IDR", ""}, {"12.000.000 ₫", "VND", ""},
	{"Kaufpreis 289.000 €", "EUR", monitor.Total}, {"9.500 kr pr. måned", "", monitor.Month}, {"120 € par nuit", "EUR", monitor.Night}, {"Huur per week € 210", "EUR", monitor.Week},
}

func misreadPrices() string {
	for _, tt := range moneyTexts {
		if p, _ := parsePrice(tt.text, place{}); p.Currency != tt.currency || p.Period != tt.period || p.Amount == 0 {
			return fmt.Sprintf("%q: %+v, want %q %q", tt.text, p, tt.currency, tt.period)
		}
	}
	if p, _ := parsePrice("8 950 kr", place{tld: "se"}); p.Currency != "SEK" {
		return fmt.Sprintf("kr in Sweden: %+v", p)
	}
	return ""
}

func TestPriceHasItsCurrencyAndPeriod(t *testing.T) {
	t.Parallel()
	if failed := misreadPrices(); failed != "" {
		t.Error(failed)
	}
	if p, ok := parsePrice("Frontage 750 ft", place{}); ok {
		t.Errorf("feet are forint: %+v", p)
	}
	if hasMoney("Frontage 750 ft") || hasMoney("Built in 1998") || !hasMoney("1'450.-") || !hasMoney("kr") || !hasMoney("1200 per month") {
		t.Error("hasMoney does not know money from other numbers")
	}
}

// Each row of the tables of labels, currencies and periods is needed by a text.
func TestRulesPrices(t *testing.T) {
	check := func() string { return cmp.Or(misread(), unknownLabels(), misreadPrices()) }
	eachRow(t, "labels of money", &moneyRows, func() { moneyLabels = newLabels(moneyRows) }, check)
	eachRow(t, "multiples", &multiples, compileCurrencies, check)
	eachRow(t, "currencies", &currencyRows, compileCurrencies, check)
	eachRow(t, "periods", &periods, compilePeriods, check)
}
