package browser

import (
	"testing"

	"notifio.app/notifio/monitor"
)

func TestPricesAsPortalsWriteThem(t *testing.T) {
	const week, month, night, year, total = monitor.Week, monitor.Month, monitor.Night, monitor.Year, monitor.Total
	tests := []struct {
		text     string
		amount   float64
		max      float64
		currency string
		period   monitor.Period
	}{
		// United Kingdom and Ireland
		{"£1,800 pcm", 1800, 0, "GBP", month},
		{"£415 pw", 415, 0, "GBP", week},
		{"£1,100 - £1,250 pcm", 1100, 1250, "GBP", month},
		{"£1,733 pcm (£400 pw)", 1733, 0, "GBP", month},
		{"£92.50pppw", 92.5, 0, "GBP", week},
		{"£650 per month", 650, 0, "GBP", month},
		{"£1250pm", 1250, 0, "GBP", month},
		{"From £1,150 p.c.m.", 1150, 0, "GBP", month},
		{"£12,000 p.a.", 12000, 0, "GBP", year},
		{"Guide price £425,000", 425000, 0, "GBP", total},
		{"£1.25m", 1250000, 0, "GBP", ""},
		{"€2,100 per month", 2100, 0, "EUR", month},
		{"€950 monthly", 950, 0, "EUR", month},
		{"Deposit £500", 0, 0, "", ""},
		{"POA", 0, 0, "", ""},
		{"Bills £75, rent £700 pcm", 700, 0, "GBP", month},
		// Netherlands and Belgium
		{"€ 1.475 p.m.", 1475, 0, "EUR", month},
		{"€ 1.950 - € 2.000 per maand", 1950, 2000, "EUR", month},
		{"€ 1.550 /mnd", 1550, 0, "EUR", month},
		{"€\u00a02.000\u00a0per maand", 2000, 0, "EUR", month},
		{"€1,503", 1503, 0, "EUR", ""},
		{"€ 750,- p.m. incl.", 750, 0, "EUR", month},
		{"€ 412,15", 412.15, 0, "EUR", ""},
		{"€ 450.000 k.k.", 450000, 0, "EUR", total},
		{"€ 389.500 v.o.n.", 389500, 0, "EUR", total},
		{"Vraagprijs € 525.000", 525000, 0, "EUR", total},
		{"Huurprijs: € 895 per maand", 895, 0, "EUR", month},
		{"Prijs op aanvraag", 0, 0, "", ""},
		{"€ 845 + € 55 servicekosten", 845, 0, "EUR", ""},
		{"Borg: € 1.200", 0, 0, "", ""},
		{"€1.050/maand (+ €100 kosten)", 1050, 0, "EUR", month},
		// Germany, Austria, Switzerland
		{"850,00\u00a0€", 850, 0, "EUR", ""},
		{"ab 1.200 € Kaltmiete", 1200, 0, "EUR", month},
		{"395 €\x1fKaltmiete", 395, 0, "EUR", month},
		{"1.079,17 € Warmmiete", 1079.17, 0, "EUR", month},
		{"411.000 - 449.000 €", 411000, 449000, "EUR", ""},
		{"1.000–1.200 €", 1000, 1200, "EUR", ""},
		{"12,50 €/m²", 0, 0, "", ""},
		{"395 € 5 € / m²", 395, 0, "EUR", ""},
		{"Kaufpreis 330.000 €", 330000, 0, "EUR", total},
		{"€ 1.190,50 pro Monat", 1190.5, 0, "EUR", month},
		{"€ 990,--", 990, 0, "EUR", ""},
		{"450 €/mtl.", 450, 0, "EUR", month},
		{"Kaution: 2.400 €", 0, 0, "", ""},
		{"620 € zzgl. Nebenkosten 120 €", 620, 0, "EUR", ""},
		{"CHF 1'250.–", 1250, 0, "CHF", ""},
		{"1'250 CHF", 1250, 0, "CHF", ""},
		{"CHF 1’980.- / Monat", 1980, 0, "CHF", month},
		{"Fr. 2'150.—", 2150, 0, "CHF", ""},
		{"Auf Anfrage", 0, 0, "", ""},
		// Spain, Portugal, Italy, France
		{"2.000€/mes", 2000, 0, "EUR", month},
		{"2.000\x1f€/mes", 2000, 0, "EUR", month},
		{"1.250 € al mes", 1250, 0, "EUR", month},
		{"Desde 450 €/mes", 450, 0, "EUR", month},
		{"249.000 €", 249000, 0, "EUR", ""},
		{"€ 1.100/mese", 1100, 0, "EUR", month},
		{"€ 219.000", 219000, 0, "EUR", ""},
		{"850 € / mês", 850, 0, "EUR", month},
		{"1\u202f250\u00a0€ par mois", 1250, 0, "EUR", month},
		{"1 250,50 € CC", 1250.5, 0, "EUR", ""},
		{"795 €/mois charges comprises", 795, 0, "EUR", month},
		{"Loyer 980 €", 980, 0, "EUR", month},
		// Poland, Czechia, the North
		{"1 250 zł", 1250, 0, "PLN", ""},
		{"3 500 zł/miesiąc", 3500, 0, "PLN", month},
		{"2 100 zł\x1f/mc", 2100, 0, "PLN", month},
		{"18 500 Kč/měsíc", 18500, 0, "CZK", month},
		{"8 950 kr/mån", 8950, 0, "", month},
		{"9.500 kr. pr. måned", 9500, 0, "", month},
		{"12 000,-", 12000, 0, "", ""}, // the mark is written for money only
		{"180 000 Ft/hó", 180000, 0, "HUF", month},
		// Elsewhere
		{"$2,300/mo", 2300, 0, "USD", month},
		{"$2,300+ /mo", 2300, 0, "USD", month},
		{"$1,995 - $2,450", 1995, 2450, "USD", ""},
		{"US$ 120 per night", 120, 0, "USD", night},
		{"₹ 1,20,000", 120000, 0, "INR", ""},
		{"¥85,000", 85000, 0, "JPY", ""},
		{"R$ 2.500/mês", 2500, 0, "BRL", month},
		{"1.5k €", 1500, 0, "EUR", ""},
		{"EUR 650 / month", 650, 0, "EUR", month},
		{"from 1,100 to 1,250 EUR", 1100, 1250, "EUR", ""},
		// What is no price
		{"850.50 €", 850.5, 0, "EUR", ""},
		{"1,250 €", 1250, 0, "EUR", ""},
		{"1.234.567 €", 1234567, 0, "EUR", ""},
		{"Park Lane 1\x1f410 €", 410, 0, "EUR", ""},
		{"€ 1.000 - 2 kamers", 1000, 0, "EUR", ""},
		{"3 rooms, 84 m²", 0, 0, "", ""},
		{"Available 01.09.2026", 0, 0, "", ""},
		{"", 0, 0, "", ""},
	}
	for _, tt := range tests {
		p, ok := parsePrice(tt.text, place{})
		if ok != (tt.amount > 0) || p.Amount != tt.amount || p.AmountMax != tt.max || p.Currency != tt.currency || p.Period != tt.period {
			t.Errorf("%q: %+v", tt.text, p)
		}
	}
}

func TestCurrencyFollowsThePlace(t *testing.T) {
	tests := []struct {
		text  string
		where place
		want  string
	}{
		{"$500", place{tld: "com"}, "USD"},
		{"$500", place{tld: "ca"}, "CAD"},
		{"$500", place{tld: "com", lang: "en-AU"}, "AUD"},
		{"8 950 kr", place{tld: "se"}, "SEK"},
		{"8 950 kr", place{tld: "no"}, "NOK"},
		{"8.950 kr.", place{tld: "com", lang: "da"}, "DKK"},
		{"8 950 kr", place{tld: "com"}, ""},
	}
	for _, tt := range tests {
		if p, _ := parsePrice(tt.text, tt.where); p.Currency != tt.want {
			t.Errorf("%q in %+v: %q", tt.text, tt.where, p.Currency)
		}
	}
}

func TestPriceKeepsItsWords(t *testing.T) {
	for text, want := range map[string]string{
		"Rent: £415 pw, bills included": "£415 pw, bills included",
		"€ 1.475 p.m.":                  "€ 1.475 p.m.",
		"2.000\x1f€/mes":                "2.000 €/mes",
		"€ 1.950 - € 2.000 per maand":   "€ 1.950 - € 2.000 per maand",
	} {
		if p, _ := parsePrice(text, place{}); p.Text != want {
			t.Errorf("%q: %q", text, p.Text)
		}
	}
}

func FuzzPrice(f *testing.F) {
	for _, seed := range []string{"£1,800 pcm", "€ 1.950 - € 2.000 per maand", "1\u202f250\u00a0€", "CHF 1'250.–", "€€€ 1,,2..3 - - €", "9999999999999999999999 €", "€ \xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if p, ok := parsePrice(text, place{}); ok {
			if p.Amount <= 0 || p.AmountMax < 0 || p.AmountMax > 0 && p.AmountMax < p.Amount {
				t.Errorf("%q: %+v", text, p)
			}
		}
	})
}
