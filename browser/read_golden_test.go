package browser

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixture is a small page of our own with the facts that come with it: a comment
// at its head names the URL that it stands for, and where it matters the final
// URL, the status and the user's link pattern.
type fixture struct {
	url, final, link string
	status           int
	document         []byte
}

func readFixture(t testing.TB, file string) fixture {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	head, document, found := bytes.Cut(text, []byte("-->\n"))
	if !found {
		t.Fatalf("%s does not begin with its facts in a comment", file)
	}
	f := fixture{status: 200, document: document}
	for line := range strings.Lines(string(head)) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch key {
		case "url":
			f.url = value
		case "final":
			f.final = value
		case "link":
			f.link = value
		case "status":
			if f.status, err = strconv.Atoi(value); err != nil {
				t.Fatalf("%s: status %q", file, value)
			}
		}
	}
	if f.final == "" {
		f.final = f.url
	}
	return f
}

// goldenPage is what a golden file holds of a page.
type goldenPage struct {
	Verdict     monitor.Verdict   `json:"verdict"`
	Reason      string            `json:"reason"`
	LinkPattern string            `json:"link_pattern,omitempty"`
	View        string            `json:"view,omitempty"`
	Total       int               `json:"total,omitempty"`
	NewestFirst bool              `json:"newest_first,omitempty"`
	Listings    []monitor.Listing `json:"listings,omitempty"`
}

func TestFixtures(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join("testdata", "read", "*.html"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	c, r := chromium(t), testReader(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".html"), func(t *testing.T) {
			f := readFixture(t, file)
			s := monitor.Search{Name: "fixture", URL: f.url, Link: f.link}
			options := r.options(s, f.url)
			options["settle_ms"] = 0
			raw, _, err := c.look(f.final, f.document, options)
			if err != nil {
				t.Fatal(err)
			}
			p := r.read(loaded{
				Search: s, URL: f.url, FinalURL: f.final, Status: f.status, Raw: raw,
				At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
			})
			compareGolden(t, strings.TrimSuffix(file, ".html")+".json", goldenJSON(t, p))
		})
	}
}

// goldenJSON is what a golden file says of a page.
func goldenJSON(t *testing.T, p monitor.Page) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	page := goldenPage{p.Verdict, p.Reason, p.LinkPattern, p.View, p.Total, p.NewestFirst, p.Listings}
	if err := enc.Encode(page); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (write it with -update)", err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs (-update writes it anew):\n%s", file, got)
	}
}
