package mail

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/monitor"
)

var update = flag.Bool("update", false, "write the golden files anew")

// evening is when the golden letters are composed.
var evening = time.Date(2026, 3, 2, 18, 30, 0, 0, time.UTC)

var ana = sender{name: "Notifio", address: "ana@example.com"}

// goldens are letters that differ in what a reader sees.
func goldens() map[string]monitor.Letter {
	fell := studio()
	fell.Was, fell.Gone = monitor.Price{Amount: 1650, Currency: "EUR", Period: monitor.Month}, true
	fell.Searches = []string{"Centrum", "Zuid, two rooms"}
	drop := monitor.Alert{
		Kind: monitor.PriceDrop, Searches: []string{"Zuid, two rooms"}, Found: time.Date(2026, 3, 1, 23, 5, 0, 0, time.UTC),
		Was: monitor.Price{Amount: 2100, Currency: "EUR", Period: monitor.Month},
		Listing: monitor.Listing{
			URL: "https://www.pararius.com/apartment/2", Title: "Two rooms with a balcony on the canal",
			Price:  monitor.Price{Amount: 1950, Currency: "EUR", Period: monitor.Month},
			AreaM2: 58, Rooms: 2, Address: "Amstelkade 101, Amsterdam", Photo: "https://images.example.com/2.jpg",
		},
	}
	back := monitor.Alert{
		Kind: monitor.Back, Searches: []string{"Centrum"}, Found: evening,
		Listing: monitor.Listing{
			URL: "https://www.kamernet.nl/3", Title: "Room in a shared house", AreaM2: 14.5, Rooms: 1,
			Price: monitor.Price{Text: "price on request"}, Photo: "https://images.example.com/3.jpg",
		},
	}
	doubt := monitor.Alert{
		Kind: monitor.New, Searches: []string{"Haarlem"}, Found: evening, Doubt: "at the end of the page, perhaps not new",
		Away: 8*time.Hour + 12*time.Minute,
		Listing: monitor.Listing{
			URL: "https://a-site-without-a-definition.example/homes/44?ref=list&page=1", Address: "Grote Markt 2, Haarlem",
			Price: monitor.Price{Amount: 1200, AmountMax: 1400, Currency: "EUR", Period: monitor.Month}, AreaM2: 51, Rooms: 2.5,
			Published: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC),
		},
	}
	to, id := "reader@example.com", "golden@notifio.invalid"
	return map[string]monitor.Letter{
		"one":   {ID: id, To: to, Alerts: []monitor.Alert{studio()}},
		"fell":  {ID: id, To: to, Alerts: []monitor.Alert{fell}},
		"drop":  {ID: id, To: monitor.FolderRecipient, Alerts: []monitor.Alert{drop}},
		"many":  {ID: id, To: to, Alerts: []monitor.Alert{studio(), drop, back, doubt, fell}},
		"two":   {ID: id, To: to, Alerts: []monitor.Alert{doubt, back}},
		"plain": {ID: id, To: to, Alerts: []monitor.Alert{drop}, Plain: true},
		"notice": {ID: id, To: to, Notices: []monitor.Banner{{
			Title: "funda.nl has refused Notifio since 14:02", URL: "https://www.funda.nl/zoeken/huur",
			Body: "It is tried again at 14:32, and you need do nothing.",
		}}},
		"along": {ID: id, To: to, Alerts: []monitor.Alert{studio()}, Notices: []monitor.Banner{{Title: "funda.nl answers again", Body: "Its searches are checked as before."}}},
	}
}

func TestLetters(t *testing.T) {
	for name, l := range goldens() {
		t.Run(name, func(t *testing.T) {
			raw, err := compose(l, ana, evening)
			if err != nil {
				t.Fatal(err)
			}
			m := inbox.Message{Raw: raw}
			head, _, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
			golden(t, name+".header", append(head, "\r\n"...))
			golden(t, name+".txt", []byte(m.Subject()+"\n\n"+m.Text()))
			if !l.Plain {
				golden(t, name+".html", []byte(m.HTML()))
			} else if m.HTML() != "" {
				t.Error("a plain letter has an HTML part")
			}
		})
	}
}

// golden compares got with testdata/name, line ends aside.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	got = bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n"))
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if want = bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n")); !bytes.Equal(got, want) {
		t.Errorf("%s differs; read it and run go test -update\n%s", name, got)
	}
}

func TestTheSameLetterGivesTheSameBytes(t *testing.T) {
	for name, l := range goldens() {
		first, err := compose(l, ana, evening)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if again, _ := compose(l, ana, evening); !bytes.Equal(first, again) {
				t.Fatalf("%s: two different messages", name)
			}
		}
	}
}
