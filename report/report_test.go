package report

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

var update = flag.Bool("update", false, "write the golden files anew")

// draw writes a page, and keeps it where `go test -artifacts` can show it.
func draw(t *testing.T, in Input) string {
	t.Helper()
	var page bytes.Buffer
	if err := Write(&page, in); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(t.ArtifactDir(), "report.html"), page.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

func TestFiguresOfSixWeeks(t *testing.T) {
	got, err := json.MarshalIndent(compact(Count(sample(amsterdam(t)))), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	golden := filepath.Join("testdata", "figures.json")
	if *update {
		if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != strings.TrimSpace(strings.ReplaceAll(string(want), "\r", "")) {
		t.Errorf("the figures have changed: if that is right, run go test ./report -update and read the difference")
	}
}

// compact keeps the figures in a form that can be read: weeks and days as their
// sums. What they are made of is tested by itself.
func compact(f Figures) any {
	type short struct {
		Search
		Week, Hours, Days any
	}
	shorten := func(s Search) short { return short{s, s.Week.Weekdays(), s.Week.Hours(), totals(s.Days)} }
	out := struct {
		Figures
		All      short
		Searches []short
	}{Figures: f, All: shorten(f.All)}
	for _, s := range f.Searches {
		out.Searches = append(out.Searches, shorten(s))
	}
	return out
}

func TestPageTellsWhatTheFiguresSay(t *testing.T) {
	page := draw(t, sample(amsterdam(t)))
	for _, want := range []string{
		"Best time to look: 9:00 to 12:00, when", "The best day is Tuesday", "17 October to 28 November 2026",
		"Centrum, up to € 1,800", "funda.nl", "answered 429 · 4 refused checks", "Not checked yet.", "Notifio v1.4.0",
		"<title>Tuesday, 10:00 to 11:00: ", "<title>Wednesday, 3:00 to 4:00: not watched</title>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	if len(page) > 2<<20 {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// TestPageNeedsNothingElse and follows the theme: no address, no script, and no
// colour outside the style sheet.
func TestPageNeedsNothingElse(t *testing.T) {
	page := draw(t, sample(amsterdam(t)))
	_, body, _ := strings.Cut(page, "</style>")
	for _, bad := range []string{"http://", "https://", "<script", "rgb(", "rgba(", "font-family", "<no value>", "ZgotmplZ"} {
		if strings.Contains(body, bad) {
			t.Errorf("the page holds %q", bad)
		}
	}
	style := page[:len(page)-len(body)]
	for _, m := range regexp.MustCompile(`var\(--(\w+)\)`).FindAllStringSubmatch(page, -1) {
		if n := strings.Count(style, "--"+m[1]+":"); n != 2 && n != 1 {
			t.Fatalf("the colour %s is defined %d times, want once for each theme", m[1], n)
		}
	}
}

func TestPageWithoutData(t *testing.T) {
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	for name, in := range map[string]Input{
		"nothing at all": {Now: now},
		"no checks":      {Now: now, Searches: sampleSearches},
	} {
		page := draw(t, in)
		if !strings.Contains(page, "Nothing to show yet") || strings.Contains(page, "<svg") {
			t.Errorf("%s: the page does not say kindly that there is nothing", name)
		}
	}
}

func TestPageOfTheFirstMinute(t *testing.T) {
	now := time.Date(2026, 11, 30, 0, 0, 30, 0, time.UTC)
	for _, v := range []monitor.Verdict{monitor.Results, monitor.Empty, monitor.Refused, monitor.Failed, "of a later version"} {
		page := draw(t, Input{Now: now, Searches: sampleSearches[:1], History: monitor.History{Stretches: []monitor.Stretch{
			{Search: sampleSearches[0].URL, Verdict: v, Since: now, Until: now, Checks: 1},
		}}})
		if !strings.Contains(page, "1 check: ") || strings.Contains(page, "NaN") {
			t.Errorf("%s: one check is not told", v)
		}
	}
	told := monitor.Alert{Kind: monitor.New, Found: now, Told: map[string]time.Time{"x": now}}
	if page := draw(t, Input{Now: now, History: monitor.History{Alerts: []monitor.Alert{told}}}); !strings.Contains(page, "Found to told") {
		t.Error("an alert without a check is not told")
	}
}

func TestHostileNamesAreEscaped(t *testing.T) {
	const evil = `"><script>alert(1)</script><img src=x onerror=alert(2)>'&{{.}}` + "\x00\u202e]]>"
	now := time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	address := "https://evil.example/" + evil
	in := Input{Now: now, Version: evil, Searches: []monitor.Search{{Name: evil, URL: address}, {Name: evil + "2", URL: evil}}}
	for i, url := range []string{address, evil, "https://a<b>.example/" + evil, "demo:" + evil} {
		at := now.Add(time.Duration(i-9) * time.Minute)
		in.History.Stretches = append(in.History.Stretches,
			monitor.Stretch{Search: url, Verdict: monitor.Results, Since: at, Until: at, Checks: 1, Listings: 3},
			monitor.Stretch{Search: url, Verdict: monitor.Refused, Reason: evil, Since: at.Add(time.Second), Until: at.Add(time.Second), Checks: 1})
	}
	in.History.Alerts = []monitor.Alert{{Kind: monitor.New, Found: now, Searches: []string{evil}, Told: map[string]time.Time{evil: now}}}
	page := draw(t, in)
	for _, bad := range []string{"<script", "<img src=x", "onerror=alert(2)>"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q is in the page unescaped", bad)
		}
	}
	if want := html.EscapeString("<script>"); !strings.Contains(page, want) {
		t.Error("the name is not in the page at all")
	}
}

type fullDisk struct{}

var errFull = errors.New("no space left")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteReportsAFullDisk(t *testing.T) {
	if err := Write(fullDisk{}, Input{Now: time.Unix(0, 0)}); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}
