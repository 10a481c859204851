package mail

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

// symbols stand before the amount; another currency is named by its code.
var symbols = map[string]string{"EUR": "€", "GBP": "£", "USD": "$", "JPY": "¥", "INR": "₹", "TRY": "₺", "ILS": "₪", "KRW": "₩"}

// periods are the words after an amount. A total needs none.
var periods = map[monitor.Period]string{
	monitor.Night: "per night", monitor.Week: "per week", monitor.Month: "per month", monitor.Year: "per year",
}

// money writes a price without its period: "€1,500", "CHF 1,250.50", "€900–1,100",
// or as the page showed it where no number or no currency was read.
func money(p monitor.Price) string {
	shown := shorten(clean(p.Text), 40)
	if p.Amount <= 0 || p.Amount > 1e12 || math.IsNaN(p.Amount) || p.Currency == "" && shown != "" {
		return shown
	}
	currency := clean(p.Currency)
	if symbol, ok := symbols[currency]; ok {
		currency = symbol
	} else if currency != "" {
		currency = shorten(currency, 8) + "\u00a0"
	}
	if p.AmountMax > p.Amount && p.AmountMax < 1e12 {
		return currency + grouped(p.Amount) + "–" + grouped(p.AmountMax)
	}
	return currency + grouped(p.Amount)
}

// period is the word for the period where money does not show the page's text.
func period(p monitor.Price) string {
	if p.Amount <= 0 || p.Currency == "" && p.Text != "" {
		return ""
	}
	return periods[p.Period]
}

// grouped writes an amount with commas at the thousands, and cents if there are any.
func grouped(amount float64) string {
	decimals := 0
	if amount != math.Trunc(amount) {
		decimals = 2
	}
	whole, cents, _ := strings.Cut(strconv.FormatFloat(amount, 'f', decimals, 64), ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if cents != "" {
		return whole + "." + cents
	}
	return whole
}

// dropped says whether the alert has an earlier price to be compared with.
func dropped(a monitor.Alert) bool { return a.Was.Amount > 0 }

// priceLine is the price in one line of plain text: "€1,500 → €1,400 per month".
func priceLine(a monitor.Alert) string {
	line := money(a.Listing.Price)
	if was := money(a.Was); dropped(a) && line != "" {
		line = was + " → " + line
	}
	if word := period(a.Listing.Price); word != "" && line != "" {
		line += " " + word
	}
	return line
}

// facts are the size and the rooms: "62 m² · 3 rooms".
func facts(l monitor.Listing) string {
	var parts []string
	if l.AreaM2 > 0 && l.AreaM2 < 1e6 {
		parts = append(parts, short(l.AreaM2)+" m²")
	}
	switch {
	case l.Rooms == 1:
		parts = append(parts, "1 room")
	case l.Rooms > 0 && l.Rooms < 1e3:
		parts = append(parts, short(l.Rooms)+" rooms")
	}
	return strings.Join(parts, " · ")
}

// short writes a number with one decimal at most: "2.5", "62".
func short(n float64) string {
	return strconv.FormatFloat(math.Round(n*10)/10, 'f', -1, 64)
}

// count writes a number of things: "1 price drop", "3 new listings".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// span writes how long something took, in its two largest units: "8 h 12 min".
func span(d time.Duration) string {
	minutes := int(d.Round(time.Minute) / time.Minute)
	days, hours, minutes := minutes/(24*60), minutes/60%24, minutes%60
	switch {
	case days > 0 && hours > 0:
		return fmt.Sprintf("%s %d h", count(days, "day", "days"), hours)
	case days > 0:
		return count(days, "day", "days")
	case hours > 0 && minutes > 0:
		return fmt.Sprintf("%d h %d min", hours, minutes)
	case hours > 0:
		return fmt.Sprintf("%d h", hours)
	}
	return fmt.Sprintf("%d min", max(minutes, 1))
}

// clock writes an instant as the reader's clock shows it, with the day when that
// is not the day of now.
func clock(t, now time.Time) string {
	t = t.In(now.Location())
	if t.YearDay() == now.YearDay() && t.Year() == now.Year() {
		return t.Format("15:04")
	}
	return t.Format("Mon 2 Jan, 15:04")
}

// listed joins names: "A", "A and B", "A, B and C".
func listed(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
