package browser

import (
	"testing"

	"notifio.app/notifio/monitor"
)

func TestPricesAsPortalsWriteThem(t *testing.T) {
	tests := []struct {
		text     string
		amount   float64
		max      float64
		currency string
		period   monitor.Period
	}{
		{"£1,800 pcm", 1800, 0, "GBP", monitor.Month},
		{"£415 pw", 415, 0, "GBP", monitor.Week},
		{"€ 1.475 p.m.", 1475, 0, "EUR", monitor.Month},
		{"2.000€/mes", 2000, 0, "EUR", monitor.Month},
		{"€1,503", 1503, 0, "EUR", ""},
		{"CHF 1'250.–", 1250, 0, "CHF", ""},
		{"1 250 zł", 1250, 0, "PLN", ""},
		{"850.50 €", 850.5, 0, "EUR", ""},
		{"€ 1.950 - € 2.000 per maand", 1950, 2000, "EUR", monitor.Month},
		{"Prijs op aanvraag", 0, 0, "", ""},
		{"1,250 €", 1250, 0, "EUR", ""},
		{"1'250 CHF", 1250, 0, "CHF", ""},
		{"1.234.567 €", 1234567, 0, "EUR", ""},
		{"€\u00a02.000\u00a0per maand", 2000, 0, "EUR", monitor.Month},
		{"1\u202f250,00\u00a0€", 1250, 0, "EUR", ""},
		{"£1,100 - £1,250 pcm", 1100, 1250, "GBP", monitor.Month},
		{"€ 1.550 /mnd", 1550, 0, "EUR", monitor.Month},
		{"€ 450.000 k.k.", 450000, 0, "EUR", monitor.Total},
		{"ab 1.200 € Kaltmiete", 1200, 0, "EUR", monitor.Month},
		{"1.000–1.200 €", 1000, 1200, "EUR", ""},
		{"$2,300/mo", 2300, 0, "USD", monitor.Month},
		{"12,50 €/m²", 0, 0, "", ""},
		{"Deposit £500", 0, 0, "", ""},
	}
	for _, tt := range tests {
		p, ok := parsePrice(tt.text, place{})
		if ok != (tt.amount > 0) || p.Amount != tt.amount || p.AmountMax != tt.max || p.Currency != tt.currency || p.Period != tt.period {
			t.Errorf("%q: %+v", tt.text, p)
		}
	}
}
