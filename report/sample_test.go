package report

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// amsterdam has a summer time that ends in the middle of the sample.
func amsterdam(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Amsterdam")
	if err != nil {
		t.Skip("this machine has no time zones: ", err)
	}
	return zone
}

var sampleSearches = []monitor.Search{
	{Name: "Centrum, up to € 1,800", URL: "https://www.funda.nl/zoeken/huur?selected_area=centrum", Enabled: true},
	{Name: "West and Oud-West", URL: "https://www.funda.nl/zoeken/huur?selected_area=west", Enabled: true},
	{Name: "Pararius Amsterdam", URL: "https://www.pararius.com/apartments/amsterdam", Enabled: true},
	{Name: "Rooms near the campus", URL: "https://kamernet.nl/en/for-rent/rooms-amsterdam", Enabled: true},
	{Name: "Not enabled yet", URL: "https://www.huurwoningen.nl/in/amsterdam/"},
}

// sample is six weeks of somebody whose machine sleeps at night: made up, and the
// same at every call.
func sample(zone *time.Location) Input {
	s := &sampler{rand: rand.New(rand.NewPCG(7, 11)), zone: zone, now: time.Date(2026, 11, 28, 16, 42, 0, 0, zone)}
	for at := s.now.AddDate(0, 0, -42).Truncate(time.Hour); at.Before(s.now); at = at.Add(time.Hour) {
		if h := at.Hour(); h >= 1 && h < 7 || at.Day() == 7 {
			continue
		}
		for i := range 4 {
			s.hour(i, at)
		}
	}
	slices.SortStableFunc(s.history.Stretches, func(a, b monitor.Stretch) int { return a.Since.Compare(b.Since) })
	return Input{Now: s.now, Searches: sampleSearches, History: s.history, Version: "v1.4.0"}
}

type sampler struct {
	rand    *rand.Rand
	zone    *time.Location
	now     time.Time
	history monitor.History
}

// hour is an hour of one search: quiet, with news, or in trouble.
func (s *sampler) hour(i int, at time.Time) {
	search := sampleSearches[i]
	minute := func(m float64) time.Time { return at.Add(time.Duration(m * float64(time.Minute))) }
	add := func(v monitor.Verdict, reason string, from, to float64, checks, news int) {
		if minute(to).After(s.now) {
			return
		}
		s.history.Stretches = append(s.history.Stretches, monitor.Stretch{
			Search: search.URL, Verdict: v, Reason: reason, Since: minute(from).UTC(), Until: minute(to).UTC(), Checks: checks,
			Took: 3 * time.Second * time.Duration(checks), Slowest: 6 * time.Second, Listings: 18 + 3*i + at.Hour()/4 + at.YearDay()%3, News: news,
		})
	}
	switch trouble := (at.YearDay()*24 + at.Hour() + 7*i) % 97; {
	case i == 2 && (trouble == 3 || trouble == 4):
		add(monitor.Results, "24 links", 0, 11, 22, 0)
		add(monitor.Refused, "answered 429", 11.5, 21, 4, 0)
		if trouble == 3 {
			add(monitor.Results, "24 links", 32, 59.5, 55, 0)
		}
		return
	case i == 0 && trouble == 50:
		add(monitor.Refused, "robot check", 20, 20, 1, 0)
		add(monitor.Results, "24 links", 21.2, 59.5, 77, 0)
		return
	case i == 3 && at.YearDay() > 310 && at.YearDay() < 313:
		add(monitor.SignedOut, "a login page", 0, 50, 6, 0)
		return
	case trouble == 60:
		add(monitor.Failed, "no answer within 30 s", 5, 6, 2, 0)
		add(monitor.Results, "24 links", 7, 59.5, 105, 0)
		return
	case i == 1 && trouble == 70:
		add(monitor.NotResults, "the start page", 0, 10, 3, 0)
		add(monitor.Results, "24 links", 15, 59.5, 90, 0)
		return
	}
	news := s.news(at)
	add(monitor.Results, "24 links", 0.1, 59.5, 118, 0)
	for n := range news {
		s.alert(i, n, minute(1+57*s.rand.Float64()))
	}
}

// news are many in the mornings of working days.
func (s *sampler) news(at time.Time) int {
	chance := 0.03
	switch h, d := at.Hour(), weekday(at); {
	case d < 5 && h >= 9 && h < 12:
		chance = 0.33
	case d < 5 && h >= 12 && h < 18:
		chance = 0.12
	}
	if weekday(at) == 1 {
		chance *= 1.6
	}
	n := 0
	for s.rand.Float64() < chance && n < 3 {
		n++
	}
	return n
}

func (s *sampler) alert(i, n int, found time.Time) {
	if found.After(s.now.Add(-time.Minute)) {
		return
	}
	found = found.Truncate(time.Second).Add(123456789)
	a := monitor.Alert{
		ID: fmt.Sprint(found.UnixNano(), i, n), Kind: monitor.New, Found: found.UTC(), Searches: []string{sampleSearches[i].Name},
		Told: map[string]time.Time{"me@example.com": found.Add(time.Duration(4+s.rand.ExpFloat64()*9) * time.Second).UTC()},
	}
	switch s.rand.IntN(12) {
	case 0:
		a.Kind = monitor.PriceDrop
	case 1:
		a.Away = 6 * time.Hour
	case 2:
		a.Searches = append(a.Searches, sampleSearches[(i+1)%2].Name)
	case 3:
		a.Listing.Published = found.Truncate(24 * time.Hour).UTC()
	case 4:
		a.Told = map[string]time.Time{"me@example.com": found.Add(7 * time.Minute).UTC()}
	}
	if a.Listing.Published.IsZero() && i < 3 {
		a.Listing.Published = found.Add(-time.Duration(10+s.rand.ExpFloat64()*240) * time.Second).Truncate(time.Second).UTC()
	}
	s.history.Alerts = append(s.history.Alerts, a)
}
