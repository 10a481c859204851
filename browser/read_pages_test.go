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

func canonicals(t testing.TB, file string) []string {
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

// indexed is one row of an INDEX.tsv: a page, and what it should be read as.
type indexed struct {
	name, file string
	search     monitor.Search
	verdict    monitor.Verdict
	listings   string
}

// answersIn reads the index of a folder of pages.
func answersIn(t testing.TB, folder string) []indexed {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(folder, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var all []indexed
	for line := range strings.Lines(string(index)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) < 4 || f[0] == "file" {
			continue
		}
		name := strings.TrimSuffix(f[0], ".html")
		if ids := canonicals(t, filepath.Join(folder, name+".ids")); f[1] == "" && len(ids) > 0 { // nobody has noted it: any page of its site will do
			host, _, _ := strings.Cut(ids[0], "/")
			f[1] = "https://" + host + "/results"
		}
		all = append(all, indexed{
			name, filepath.Join(folder, f[0]), monitor.Search{Name: f[0], URL: f[1]}, monitor.Verdict(f[2]), f[3],
		})
	}
	return all
}

// newTable begins the table that make pages prints.
func newTable() (*tabwriter.Writer, *strings.Builder) {
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "page\tverdict\tlistings\tof\tpaid\tlet\tprice\tperiod\tarea\trooms\taddress\tphoto\tage\tcount\ttook\treason")
	return w, &text
}

func TestCapturedPages(t *testing.T) {
	t.Parallel()
	folder := pagesFolder(t)
	c := chromium(t)
	known, bare := testReader(t), &reader{}
	w, table := newTable()
	for _, a := range answersIn(t, folder) {
		document, err := os.ReadFile(a.file)
		if err != nil {
			t.Fatal(err)
		}
		want := canonicals(t, filepath.Join(folder, a.name+".ids"))
		paid := canonicals(t, filepath.Join(folder, a.name+".sponsored.ids"))
		neutral := canonicals(t, filepath.Join(folder, a.name+".neutral.ids"))
		t.Run(a.name, func(t *testing.T) {
			page, took := c.read(t, known, a.search, document)
			fmt.Fprintln(w, coverage(a, page, took))
			for _, wrong := range differences(page, a.verdict, want, neutral) {
				t.Error(wrong)
			}
			// What a page shows without a price is at most one home in ten.
			unread := tally(page, func(l monitor.Listing) bool {
				return l.Price.Amount == 0 && l.Price.Text == "" && !slices.Contains(neutral, l.Canonical)
			})
			if 10*unread > len(page.Ordinary()) {
				t.Errorf("no price on %d of %d listings", unread, len(page.Ordinary()))
			}
		})
		t.Run(a.name+" without a definition", func(t *testing.T) {
			page, _ := c.read(t, bare, a.search, document)
			for _, wrong := range differences(page, a.verdict, want, append(paid, neutral...)) { // nobody has said which are paid
				t.Error(wrong)
			}
		})
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
}

// The small pages are held against their answers by the acceptance test of the
// program; here is how they are read.
func TestSmallPages(t *testing.T) {
	if !testing.Verbose() {
		t.Skip("make pages shows this")
	}
	folder := filepath.Join("..", "..", "shared", "inputs", "pages")
	if _, err := os.Stat(folder); err != nil {
		t.Skip("no small pages with answers")
	}
	c, known := chromium(t), testReader(t)
	w, table := newTable()
	for _, a := range answersIn(t, folder) {
		document, err := os.ReadFile(a.file)
		if err != nil {
			t.Fatal(err)
		}
		page, took := c.read(t, known, a.search, document)
		fmt.Fprintln(w, coverage(a, page, took))
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + table.String())
}

// differences are those between a page and its answers; what may or may not be read
// is neutral.
func differences(page monitor.Page, verdict monitor.Verdict, want, neutral []string) (out []string) {
	if page.Verdict != verdict {
		out = append(out, fmt.Sprintf("verdict %q (%s), want %q", page.Verdict, page.Reason, verdict))
	}
	var got []string
	for _, l := range page.Ordinary() {
		if slices.Contains(neutral, l.Canonical) && !slices.Contains(want, l.Canonical) {
			continue
		}
		got = append(got, l.Canonical)
	}
	for _, c := range want {
		if !slices.Contains(got, c) {
			out = append(out, "missing "+c)
		}
	}
	for _, c := range got {
		if !slices.Contains(want, c) {
			out = append(out, "not a listing: "+c)
		}
	}
	return out
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
func coverage(a indexed, p monitor.Page, took time.Duration) string {
	cells := []string{a.name, string(p.Verdict), strconv.Itoa(len(p.Ordinary())), a.listings, strconv.Itoa(len(p.Listings) - len(p.Ordinary()))}
	let := 0 // of all: on some pages they stand under a heading of their own
	for _, l := range p.Listings {
		if l.Let {
			let++
		}
	}
	cells = append(cells, strconv.Itoa(let))
	if p.Verdict != a.verdict {
		cells[1] += " ≠ " + string(a.verdict)
	}
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
