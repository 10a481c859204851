package browser

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// pagesFolder holds real captured pages with their answers. They are somebody
// else's, so they are not part of the project.
func pagesFolder(t *testing.T) string {
	t.Helper()
	for _, folder := range []string{os.Getenv("NOTIFIO_PAGES"), filepath.Join("..", "..", "shared", "pages")} {
		if _, err := os.Stat(filepath.Join(folder, "INDEX.tsv")); folder != "" && err == nil {
			return folder
		}
	}
	t.Skip("no captured pages: set NOTIFIO_PAGES to a folder with INDEX.tsv to read them")
	return ""
}

// testReader knows the embedded portals.
func testReader(t testing.TB) *reader {
	t.Helper()
	portals, err := assets.Portals()
	if err != nil {
		t.Fatal(err)
	}
	r, err := newReader(portals)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func canonicals(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if os.IsNotExist(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.FieldsSeq(string(text)) {
		u, err := url.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, canonical(u))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func TestCapturedPages(t *testing.T) {
	folder := pagesFolder(t)
	index, err := os.ReadFile(filepath.Join(folder, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	c := chromium(t)
	r := testReader(t)
	bare, err := newReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	table := "page | verdict | listings | promoted | price | period | area | rooms | address | photo | published | took\n"
	for line := range strings.Lines(string(index)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 6 || f[0] == "file" {
			continue
		}
		t.Run(strings.TrimSuffix(f[0], ".html"), func(t *testing.T) {
			document, err := os.ReadFile(filepath.Join(folder, f[0]))
			if err != nil {
				t.Fatal(err)
			}
			s := monitor.Search{Name: f[0], URL: f[1]}
			stem := filepath.Join(folder, strings.TrimSuffix(f[0], ".html"))
			want := canonicals(t, stem+".ids")
			paid := canonicals(t, stem+".sponsored.ids")

			page, took := c.read(t, r, s, document)
			table += coverage(f[0], page, took)
			comparePage(t, page, monitor.Verdict(f[2]), want, paid, true)

			generic, _ := c.read(t, bare, s, document)
			t.Run("without a definition", func(t *testing.T) {
				comparePage(t, generic, monitor.Verdict(f[2]), want, paid, false)
			})
		})
	}
	t.Log("\n" + table)
}

// comparePage holds a page against its answers. Without a definition, paid cards
// count neither way.
func comparePage(t *testing.T, page monitor.Page, verdict monitor.Verdict, want, paid []string, exact bool) {
	t.Helper()
	if page.Verdict != verdict {
		t.Errorf("verdict %q (%s), want %q", page.Verdict, page.Reason, verdict)
	}
	var got []string
	for _, l := range page.Ordinary() {
		if !exact && slices.Contains(paid, l.Canonical) && !slices.Contains(want, l.Canonical) {
			continue
		}
		got = append(got, l.Canonical)
	}
	slices.Sort(got)
	for _, c := range want {
		if !slices.Contains(got, c) {
			t.Errorf("missing %s", c)
		}
	}
	for _, c := range got {
		if !slices.Contains(want, c) {
			t.Errorf("not a listing: %s", c)
		}
	}
}

// coverage is one line of the table: how many listings show what.
func coverage(name string, p monitor.Page, took time.Duration) string {
	count := func(ok func(l monitor.Listing) bool) int {
		n := 0
		for _, l := range p.Ordinary() {
			if ok(l) {
				n++
			}
		}
		return n
	}
	return fmt.Sprintf("%s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d ms | total %d | %s\n", name, p.Verdict, len(p.Ordinary()), len(p.Listings)-len(p.Ordinary()),
		count(func(l monitor.Listing) bool { return l.Price.Amount > 0 }),
		count(func(l monitor.Listing) bool { return l.Price.Period != "" }),
		count(func(l monitor.Listing) bool { return l.AreaM2 > 0 }),
		count(func(l monitor.Listing) bool { return l.Rooms > 0 }),
		count(func(l monitor.Listing) bool { return l.Address != "" }),
		count(func(l monitor.Listing) bool { return l.Photo != "" }),
		count(func(l monitor.Listing) bool { return !l.Published.IsZero() }),
		took.Milliseconds(), p.Total, p.Reason)
}
