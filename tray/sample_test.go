package tray

import (
	"time"

	"notifio.app/notifio/monitor"
)

// sample is a view with something of everything, at the time now.
func sample(now time.Time) monitor.View {
	retry := now.Add(3*time.Minute + 40*time.Second)
	return monitor.View{
		At: now, Phase: monitor.Watching, NextCheck: now.Add(18 * time.Second),
		Rows: []monitor.Row{
			{Name: "Centrum", URL: "https://www.example.com/centrum", Host: "example.com", State: monitor.RowFine,
				Text: "23 listings", Listings: 23, Checked: now.Add(-12 * time.Second), Took: 3240 * time.Millisecond},
			{Name: "Funda West", URL: "https://www.example.net/west", Host: "example.net", State: monitor.RowRefused,
				Text: "refused (429)", Checked: now.Add(-20 * time.Second), Took: time.Second, RetryAt: retry},
			{Name: "Funda Oost", URL: "https://www.example.net/oost", Host: "example.net", State: monitor.RowHeld,
				Text: "waiting for example.net: refused (429)", Checked: now.Add(-50 * time.Second), RetryAt: retry},
			{Name: "Rooms_&_flats", URL: "https://rooms.example.org/", Host: "rooms.example.org", State: monitor.RowDoubt,
				Text: "re-based after a smaller page", Note: "Re-based after a smaller page", NoteAt: now.Add(-9 * time.Second), Checked: now.Add(-9 * time.Second), Took: 4 * time.Second,
				AdoptedAt: now.Add(-9 * time.Second), Adopted: adoptedSample()},
			{Name: "Balcony", URL: "https://www.example.com/balcony", Host: "example.com", State: monitor.RowPaused,
				Text: "paused", Listings: 9, Checked: now.Add(-2 * time.Hour)},
			{Name: "Old one", URL: "https://www.example.com/old", Host: "example.com", State: monitor.RowDisabled},
		},
		Deliveries: monitor.Deliveries{Unseen: 2, Recent: []monitor.Alert{
			{ID: "a21", Kind: monitor.New, Found: now.Add(-40 * time.Second), Searches: []string{"Centrum"}, Listing: monitor.Listing{
				Key: "example.com:21", URL: "https://www.example.com/home/21", Title: "Two rooms on the canal",
				Address: "Keizersgracht 21, Amsterdam", Price: monitor.Price{Text: "€ 1.450 per month", Amount: 1450, Currency: "EUR"}}},
			{ID: "d7", Kind: monitor.PriceDrop, Found: now.Add(-25 * time.Minute), Was: monitor.Price{Text: "€ 1.500"}, Listing: monitor.Listing{
				Key: "example.com:7", URL: "https://www.example.com/home/7", Title: "Loft",
				Price: monitor.Price{Text: "€ 1.395"}}},
			{ID: "b3", Kind: monitor.Back, Found: now.Add(-26 * time.Hour), Listing: monitor.Listing{
				Key: "example.com:3", URL: "https://www.example.com/home/3", Address: "Prinsengracht 3"}},
		}},
	}
}

func adoptedSample() []monitor.Listing {
	titles := []string{"One", "Two", "Three", "Four", "Five", "Six", "Seven"}
	out := make([]monitor.Listing, len(titles))
	for i, t := range titles {
		out[i] = monitor.Listing{Key: "k" + t, URL: "https://rooms.example.org/" + t, Title: t + " rooms"}
	}
	return out
}
