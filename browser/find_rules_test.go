package browser

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// TestRulesFinder takes each rule of the finder out in turn and shows which of our
// own pages is read otherwise than its golden file says.
func TestRulesFinder(t *testing.T) {
	if !*rulesFlag {
		t.Skip("make rules runs this alone")
	}
	files, err := filepath.Glob(filepath.Join("testdata", "read", "*.html"))
	if err != nil {
		t.Fatal(err)
	}
	c, r := chromium(t), testReader(t)
	type page struct {
		name string
		fixture
		raw  json.RawMessage
		want []byte
	}
	var pages []page
	for _, file := range files {
		p := page{name: strings.TrimSuffix(filepath.Base(file), ".html"), fixture: readFixture(t, file)}
		options := r.options(monitor.Search{Link: p.link}, p.url)
		options["settle_ms"] = 0
		if p.raw, _, err = c.look(p.final, p.document, options); err != nil {
			t.Fatal(err)
		}
		if p.want, err = os.ReadFile(strings.TrimSuffix(file, ".html") + ".json"); err != nil {
			t.Fatal(err)
		}
		pages = append(pages, p)
	}
	failing := func() (names []string) {
		for _, p := range pages {
			got := r.read(loaded{
				Search: monitor.Search{Name: "fixture", URL: p.url, Link: p.link}, URL: p.url, FinalURL: p.final, Status: p.status, Raw: p.raw,
				At: time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC),
			})
			if !bytes.Equal(goldenJSON(t, got), p.want) {
				names = append(names, p.name)
			}
		}
		return names
	}
	if names := failing(); len(names) > 0 {
		t.Fatalf("fail with every rule in: %v", names)
	}
	defer func() { without = "" }()
	for _, without = range rules {
		if names := failing(); len(names) == 0 {
			t.Errorf("nothing fails without the rule: %s", without)
		} else {
			t.Logf("%s: %v", without, names)
		}
	}
}
