package report

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

var monday = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)

func TestAlertsCountForEverySearchThatFoundThem(t *testing.T) {
	in := Input{Now: monday, Searches: []monitor.Search{{Name: "a", URL: "u"}, {Name: "b", URL: "v"}}}
	alert := func(kind monitor.Kind, searches ...string) monitor.Alert {
		return monitor.Alert{Kind: kind, Found: monday, Searches: searches}
	}
	gap, doubt := alert(monitor.New, "a"), alert(monitor.New, "a")
	gap.Away, doubt.Doubt = time.Hour, "perhaps not new"
	in.History.Alerts = []monitor.Alert{alert(monitor.New, "a", "b", "a"), alert(monitor.PriceDrop, "b"), alert(monitor.Back, "b"), alert(monitor.New, "renamed"), gap, doubt}
	f := Count(in)
	type counts struct{ New, Drops, Back, Unplaced, Placed int }
	of := func(s Search) counts {
		return counts{s.New, s.Drops, s.Back, s.Unplaced, s.Week[0][0].New}
	}
	for name, c := range map[string]struct{ got, want counts }{
		"all": {of(f.All), counts{4, 1, 1, 2, 2}},
		"a":   {of(f.Searches[0]), counts{3, 0, 0, 2, 1}},
		"b":   {of(f.Searches[1]), counts{1, 1, 1, 0, 1}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", name, c.got, c.want)
		}
	}
}

func TestHoursAreThoseOfTheUser(t *testing.T) {
	zone := time.FixedZone("", 5*3600+1800)
	at := time.Date(2026, 11, 29, 20, 0, 0, 0, time.UTC) // Monday, 1:30, over there
	f := Count(Input{Now: at.In(zone), History: monitor.History{
		Stretches: []monitor.Stretch{
			{Search: "u", Verdict: monitor.Results, Since: at, Until: at, Checks: 2, Listings: 10},
			{Search: "u", Verdict: monitor.Results, Since: at.Add(time.Minute), Until: at.Add(time.Minute), Checks: 1, Listings: 40},
			{Search: "u", Verdict: monitor.Failed, Since: at.Add(time.Hour), Until: at.Add(time.Hour), Checks: 1, Listings: 0},
		},
		Alerts: []monitor.Alert{{Kind: monitor.New, Found: at}},
	}})
	want := Week{}
	want[0][1] = Hour{Watched: 1, New: 1, Checks: 3, Seen: 60}
	if f.All.Week != want {
		t.Errorf("the week is %+v", f.All.Week)
	}
	if average, ok := want[0][1].Average(); average != 20 || !ok {
		t.Errorf("average %v, %v", average, ok)
	}
}

func TestDaysWithoutAnyCheckAreThere(t *testing.T) {
	stretch := func(day int, v monitor.Verdict) monitor.Stretch {
		at := monday.AddDate(0, 0, day)
		return monitor.Stretch{Search: "u", Verdict: v, Since: at, Until: at, Checks: day + 1}
	}
	f := Count(Input{Now: monday.AddDate(0, 0, 9), History: monitor.History{Stretches: []monitor.Stretch{
		stretch(0, monitor.Results), stretch(0, monitor.Empty), stretch(3, monitor.SignedOut), stretch(3, monitor.NotResults),
		stretch(-900, monitor.Results), stretch(4000, monitor.Results), // a clock that was wrong
	}}})
	if len(f.All.Days) != 4 {
		t.Fatalf("%d days, want 4", len(f.All.Days))
	}
	if got := f.All.Days[0].Checks; got != [classes]int{2, 0, 0, 0, 0} {
		t.Errorf("first day %v", got)
	}
	if got := f.All.Days[3].Checks; got != [classes]int{0, 4, 0, 0, 4} {
		t.Errorf("last day %v", got)
	}
}

func TestBestTimeIsWhereMostIsToBeExpected(t *testing.T) {
	var few, lucky, night, thursday Week
	few[2][9] = Hour{Watched: 1, New: enough - 1}
	for d := range 7 {
		for h := range 24 {
			lucky[d][h].Watched, thursday[d][h].Watched, night[d][h].Watched = 4, 4, 4
		}
		lucky[d][14].New, night[d][23].New, night[d][0].New = 3, 2, 2
		thursday[d][8].New = 1
	}
	lucky[5][3] = Hour{Watched: 0, New: 1} // found once, hardly ever watched
	thursday[3][8].New = 9
	for name, c := range map[string]struct {
		week Week
		want Best
	}{
		"too few":       {few, Best{Of: 9, Day: -1}},
		"one lucky one": {lucky, Best{Known: true, Of: 22, From: 12, To: 15, Count: 21, Day: -1}},
		"over midnight": {night, Best{Known: true, Of: 28, From: 22, To: 1, Count: 28, Day: -1}},
		"a day":         {thursday, Best{Known: true, Of: 15, From: 6, To: 9, Count: 15, Day: 3, DayCount: 9}},
	} {
		if got := c.week.best(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestDelaysAreMeasuredWhereTheyCanBe(t *testing.T) {
	noon := monday.Add(12*time.Hour + 123456789)
	alert := func(published time.Time, told ...time.Duration) monitor.Alert {
		a := monitor.Alert{Kind: monitor.New, Found: noon, Listing: monitor.Listing{Published: published}, Told: map[string]time.Time{}}
		for i, d := range told {
			a.Told[string(rune('a'+i))] = noon.Add(d)
		}
		return a
	}
	drop, away := alert(noon.Add(-time.Hour), 20*time.Second), alert(noon.Add(-time.Hour), time.Second)
	drop.Kind, away.Away = monitor.PriceDrop, time.Hour
	var d delays
	for _, a := range []monitor.Alert{
		alert(noon.Truncate(time.Second).Add(-2*time.Minute), 9*time.Second, 4*time.Second), // the first of two recipients
		alert(noon.Add(-26*time.Hour), 10*time.Second),                                      // `26 hours ago`
		alert(noon.Add(-3*time.Second), 10*time.Second),                                     // `today`
		alert(noon.Add(-48*time.Hour-8*time.Second), 10*time.Second),                        // `2 days ago`
		alert(monday, 10*time.Second),                                                       // a date
		alert(noon.Add(time.Hour).Truncate(time.Second), 10*time.Second),                    // a zone that was misread
		alert(time.Time{}, 10*time.Second),
		alert(noon.Add(-time.Minute)), // nobody told
		drop, away,
	} {
		d.add(a)
	}
	got := d.count()
	if got.Published.N != 2 || got.Published.Median != 2*time.Minute+4*time.Second+123456789 || got.Undated != 5 || got.Waiting != 1 {
		t.Errorf("from publication: %+v", got)
	}
	if got.Found.N != 8 || got.Found.Median != 10*time.Second || got.Found.Slow != 20*time.Second {
		t.Errorf("from finding: %+v", got.Found)
	}
}

func TestDelayStepsDoNotOverlap(t *testing.T) {
	got := sum([]time.Duration{0, 30*time.Second - 1, 30 * time.Second, time.Minute, 6*time.Hour - 1, 6 * time.Hour, 99 * time.Hour})
	if want := [8]int{2, 1, 1, 0, 0, 0, 1, 2}; got.Bins != want {
		t.Errorf("steps %v, want %v", got.Bins, want)
	}
	if got.Median != time.Minute || got.Slow != 99*time.Hour {
		t.Errorf("%+v", got)
	}
}

func TestBlocksEndWhenTheSiteServesUsAgain(t *testing.T) {
	const p, q, other = "https://www.x.example/p", "https://x.example/q", "https://other.example/"
	stretch := func(search string, v monitor.Verdict, from, to float64, checks int) monitor.Stretch {
		at := func(m float64) time.Time { return monday.Add(time.Duration(m * float64(time.Minute))) }
		return monitor.Stretch{Search: search, Verdict: v, Reason: string(v), Since: at(from), Until: at(to), Checks: checks}
	}
	block := func(from, to float64, refusals int, open, unseen bool) Block {
		return Block{monday.Add(time.Duration(from * float64(time.Minute))), monday.Add(time.Duration(to * float64(time.Minute))), refusals, "refused", open, unseen}
	}
	for name, c := range map[string]struct {
		stretches []monitor.Stretch
		want      []Block
	}{
		"never": {[]monitor.Stretch{stretch(p, monitor.Results, 0, 50, 9), stretch(p, monitor.Failed, 51, 51, 1)}, nil},
		"the sibling's clean hour goes on over it": {[]monitor.Stretch{
			stretch(p, monitor.Results, 0, 50, 90), stretch(q, monitor.Refused, 20, 22, 2), stretch(q, monitor.Results, 24.5, 50, 50),
		}, []Block{block(20, 24.5, 2, false, false)}},
		"a failed page is no answer, a login page is": {[]monitor.Stretch{
			stretch(p, monitor.Refused, 0, 0, 1), stretch(p, monitor.Failed, 1, 1, 1), stretch(q, monitor.SignedOut, 3, 3, 1),
		}, []Block{block(0, 3, 1, false, false)}},
		"two searches, two blocks, the last is not over": {[]monitor.Stretch{
			stretch(p, monitor.Refused, 0, 5, 3), stretch(q, monitor.Refused, 1, 1, 1), stretch(p, monitor.Empty, 9, 9, 1),
			stretch(other, monitor.Results, 10, 10, 1), stretch(q, monitor.Refused, 60, 61, 2),
		}, []Block{block(0, 9, 4, false, false), block(60, 61, 2, true, false)}},
		"the machine slept": {[]monitor.Stretch{
			stretch(p, monitor.Refused, 0, 7, 2), stretch(p, monitor.Results, 900, 900, 1),
		}, []Block{block(0, 7, 2, false, true)}},
	} {
		slices.SortStableFunc(c.stretches, func(a, b monitor.Stretch) int { return a.Since.Compare(b.Since) })
		var got []Block
		for _, h := range hosts(c.stretches, time.UTC) {
			if h.Name != "x.example" {
				t.Errorf("%s: host %s", name, h.Name)
			}
			got = append(got, h.Blocks...)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, c.want)
		}
	}
}
