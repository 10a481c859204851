package browser

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	"notifio.app/notifio/monitor"
)

// pagesFolder holds real captured pages with their answers. They are somebody
// else's, so they are not part of the project.
func pagesFolder(t testing.TB) string {
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
	r, err := newReader(nil)
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
	t.Parallel()
	folder := pagesFolder(t)
	index, err := os.ReadFile(filepath.Join(folder, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	c := chromium(t)
	known, bare := testReader(t), &reader{}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "page\tverdict\tlistings\tpaid\tprice\tperiod\tarea\trooms\taddress\tphoto\tage\tcount\ttook\treason")
	for line := range strings.Lines(string(index)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) < 6 || f[0] == "file" {
			continue
		}
		name := strings.TrimSuffix(f[0], ".html")
		document, err := os.ReadFile(filepath.Join(folder, f[0]))
		if err != nil {
			t.Fatal(err)
		}
		s := monitor.Search{Name: f[0], URL: f[1]}
		want := canonicals(t, filepath.Join(folder, name+".ids"))
		paid := canonicals(t, filepath.Join(folder, name+".sponsored.ids"))
		t.Run(name, func(t *testing.T) {
			page, took := c.read(t, known, s, document)
			fmt.Fprintln(w, coverage(name, page, took))
			comparePage(t, page, monitor.Verdict(f[2]), want, paid, true)
			unread := tally(page, func(l monitor.Listing) bool { return l.Price.Amount == 0 && l.Price.Text == "" })
			if 20*unread > len(page.Ordinary()) {
				t.Errorf("no price on %d of %d listings", unread, len(page.Ordinary()))
			}
		})
		t.Run(name+" without a definition", func(t *testing.T) {
			page, _ := c.read(t, bare, s, document)
			comparePage(t, page, monitor.Verdict(f[2]), want, paid, false)
		})
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
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

func tally(p monitor.Page, ok func(l monitor.Listing) bool) int {
	n := 0
	for _, l := range p.Ordinary() {
		if ok(l) {
			n++
		}
	}
	return n
}

// coverage is one line of the table: how many listings show what.
func coverage(name string, p monitor.Page, took time.Duration) string {
	cells := []string{name, string(p.Verdict), strconv.Itoa(len(p.Ordinary())), strconv.Itoa(len(p.Listings) - len(p.Ordinary()))}
	for _, ok := range []func(l monitor.Listing) bool{
		func(l monitor.Listing) bool { return l.Price.Amount > 0 },
		func(l monitor.Listing) bool { return l.Price.Period != "" },
		func(l monitor.Listing) bool { return l.AreaM2 > 0 },
		func(l monitor.Listing) bool { return l.Rooms > 0 },
		func(l monitor.Listing) bool { return l.Address != "" },
		func(l monitor.Listing) bool { return l.Photo != "" },
		func(l monitor.Listing) bool { return !l.Published.IsZero() },
	} {
		cells = append(cells, strconv.Itoa(tally(p, ok)))
	}
	cells = append(cells, strconv.Itoa(p.Total), took.Round(time.Millisecond).String(), p.Reason)
	return strings.Join(cells, "\t")
}
