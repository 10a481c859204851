package demo

import (
	"fmt"
	"time"
)

// resultsPage is what results.html shows.
type resultsPage struct {
	City    string
	Total   int
	Cards   []card
	Loading bool // only some of the cards are there
}

// roomPage is what room.html shows.
type roomPage struct {
	card
	Let  bool
	Text string
}

// card is a room in words.
type card struct {
	ID      int64
	Title   string // `Studio on Lindenlaan`
	Price   string // `€ 1.350 p.m.`
	Area    string // `54 m²`
	Rooms   string // `2 rooms`
	Address string // `Lindenlaan 12, Amsterdam`
	Listed  string // `3 days ago`
	Since   string // RFC 3339
}

func cards(rooms []room, now time.Time) []card {
	out := make([]card, len(rooms))
	for i, r := range rooms {
		out[i] = newCard(r, now)
	}
	return out
}

func newCard(r room, now time.Time) card {
	c := card{
		ID:      r.id,
		Title:   r.kind + " on " + r.street,
		Price:   "€ " + thousands(r.price) + " p.m.",
		Area:    fmt.Sprintf("%d m²", r.area),
		Rooms:   counted(r.rooms, "room"),
		Address: fmt.Sprintf("%s %d", r.street, r.number),
		Listed:  ago(now.Sub(r.published())),
		Since:   r.published().UTC().Format(time.RFC3339),
	}
	if r.city != "" { // after a restart nobody may have asked for its city yet
		c.Address += ", " + display(r.city)
	}
	return c
}

// thousands writes a positive number as Dutch portals do: 1350 is `1.350`.
func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s.%03d", thousands(n/1000), n%1000)
}

func counted(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// ago is an age in its largest whole unit; below a minute, and for a clock that
// was set back, `just now`.
func ago(age time.Duration) string {
	switch {
	case age < time.Minute:
		return "just now"
	case age < time.Hour:
		return counted(int(age/time.Minute), "minute") + " ago"
	case age < 24*time.Hour:
		return counted(int(age/time.Hour), "hour") + " ago"
	default:
		return counted(int(age/(24*time.Hour)), "day") + " ago"
	}
}
