package main

import (
	"time"

	"notifio.app/notifio/monitor"
)

// view is the state of this name: watching, checking, news, trouble or paused.
func view(state string, now time.Time) monitor.View {
	v := monitor.View{At: now, Phase: monitor.Watching, NextCheck: now.Add(20 * time.Second), Rows: rows(now), Deliveries: monitor.Deliveries{Recent: alerts(now)}}
	calm := v.Rows[:2:2]
	switch state {
	case "news":
		v.Unseen = 2
	case "trouble":
	case "checking":
		v.Phase, v.Done, v.Total, v.Rows = monitor.Checking, 2, 5, calm
	case "paused":
		v.Phase, v.Rows = monitor.Paused, calm
	default:
		v.Rows = calm
	}
	return v
}

func rows(now time.Time) []monitor.Row {
	row := func(name, host string, state monitor.RowState, text string) monitor.Row {
		return monitor.Row{
			Name: name, URL: "https://" + host + "/search", Host: host, State: state, Text: text,
			Checked: now.Add(-11 * time.Second), Took: 2100 * time.Millisecond,
		}
	}
	small := row("North side", "rooms.example", monitor.RowFine, "12 listings")
	small.Note, small.NoteAt = "Re-based after a smaller page", now.Add(-3*time.Minute)
	refused := row("Student rooms", "homes.example", monitor.RowRefused, "refused (429)")
	held := row("Whole flats", "homes.example", monitor.RowHeld, "waiting for homes.example: refused (429)")
	refused.RetryAt, held.RetryAt = now.Add(230*time.Second), now.Add(230*time.Second)
	return []monitor.Row{
		row("City centre, two rooms", "rooms.example", monitor.RowFine, "23 listings"),
		row("Near the station", "rooms.example", monitor.RowFine, "41 listings"),
		small, refused, held,
	}
}

func alerts(now time.Time) []monitor.Alert {
	home := func(id, title, address, price string, amount, area, rooms float64) monitor.Listing {
		return monitor.Listing{
			Key: "rooms.example:" + id, ID: id, URL: "https://rooms.example/" + id, Title: title, Address: address,
			Price:  monitor.Price{Amount: amount, Currency: "EUR", Period: monitor.Month, Text: price},
			AreaM2: area, Rooms: rooms,
		}
	}
	alert := func(kind monitor.Kind, age time.Duration, l monitor.Listing) monitor.Alert {
		return monitor.Alert{ID: l.ID, Kind: kind, Listing: l, Searches: []string{"City centre, two rooms"}, Found: now.Add(-age)}
	}
	drop := alert(monitor.PriceDrop, 26*time.Minute, home("17", "Bright attic under the roof", "Mill Lane 4", "€ 1,180 per month", 1180, 41, 2))
	drop.Was = monitor.Price{Amount: 1250, Currency: "EUR", Period: monitor.Month, Text: "€ 1,250 per month"}
	return []monitor.Alert{
		alert(monitor.New, 20*time.Second, home("21", "Two rooms with a balcony", "Canal Street 21", "€ 1,450 per month", 1450, 58, 2)),
		drop,
		alert(monitor.New, 3*time.Hour, home("12", "Furnished room in a shared flat", "Harbour Square 9", "€ 690 per month", 690, 18, 1)),
		alert(monitor.Back, 30*time.Hour, home("9", "Garden flat", "Orchard Road 33", "€ 1,320 per month", 1320, 62, 3)),
	}
}
