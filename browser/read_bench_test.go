package browser

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// usualPage is the size, in bytes, of the real page that extraction is measured
// on: the larger ones among results pages are near it.
const usualPage = 900_000

// BenchmarkLargestPage shows what extraction costs on real pages with scripts off,
// as `notifio extract --as` reads them: the largest one, and the results page
// nearest to 0.9 MB. All figures are medians, in milliseconds: bare-ms is loading
// the page and one empty evaluation, which nobody can do without; page-ms is the
// script, pipe-ms the way of its answer to the program, go-ms the reading of it,
// and extraction-ms these three together.
func BenchmarkLargestPage(b *testing.B) {
	folder := pagesFolder(b)
	addresses := map[string]string{}
	index, err := os.ReadFile(filepath.Join(folder, "INDEX.tsv"))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(index)) {
		if f := strings.Split(line, "\t"); len(f) > 2 && f[0] != "file" {
			addresses[f[0]] = f[1]
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.html"))
	if err != nil || len(files) == 0 {
		b.Fatalf("no pages in %s: %v", folder, err)
	}
	size := func(file string) int {
		info, err := os.Stat(file)
		if err != nil {
			b.Fatal(err)
		}
		return int(info.Size())
	}
	far := func(file string) int { return max(size(file)-usualPage, usualPage-size(file)) }
	largest := slices.MaxFunc(files, func(x, y string) int { return cmp.Compare(size(x), size(y)) })
	usual := slices.MinFunc(files, func(x, y string) int { return cmp.Compare(far(x), far(y)) })
	for _, file := range []string{largest, usual} {
		name := filepath.Base(file)
		address := cmp.Or(addresses[name], "https://rooms.example/search")
		b.Run(fmt.Sprintf("%s/%dkB", strings.TrimSuffix(name, ".html"), size(file)/1000), func(b *testing.B) { extraction(b, file, address) })
	}
}

// timed is the extraction script with the time in milliseconds that it took.
const timed = `async (options) => {
	const began = performance.now();
	const text = await (%s)(options);
	return [text, performance.now() - began];
}`

// extraction measures one page that came from an address.
func extraction(b *testing.B, file, address string) {
	document, err := os.ReadFile(file)
	if err != nil {
		b.Fatal(err)
	}
	c, r := chromium(b), testReader(b)
	search := monitor.Search{Name: "bench", URL: address}
	options, script := r.options(search, address), fmt.Sprintf(timed, assets.ExtractScript)
	options["settle_ms"] = 0
	c.document = document
	taken := map[string][]float64{}
	for b.Loop() {
		began := time.Now()
		if _, err := c.page.Goto(address, playwright.PageGotoOptions{WaitUntil: playwright.WaitUntilStateDomcontentloaded}); err != nil {
			b.Fatal(err)
		}
		if _, err := c.page.Evaluate("() => 0"); err != nil {
			b.Fatal(err)
		}
		loadedAt := time.Now()
		value, err := c.page.Evaluate(script, options)
		if err != nil {
			b.Fatal(err)
		}
		answered := time.Now()
		pair, _ := value.([]any)
		if len(pair) != 2 {
			b.Fatalf("the script returned %T", value)
		}
		text, _ := pair[0].(string)
		page := r.read(loaded{Search: search, URL: address, FinalURL: address, Status: 200, Raw: json.RawMessage(text), At: answered})
		if page.Reason == "" {
			b.Fatalf("nothing was decided: %+v", page)
		}
		read := time.Now()
		inPage := milliseconds(pair[1])
		taken["bare-ms"] = append(taken["bare-ms"], ms(loadedAt.Sub(began)))
		taken["page-ms"] = append(taken["page-ms"], inPage)
		taken["pipe-ms"] = append(taken["pipe-ms"], ms(answered.Sub(loadedAt))-inPage)
		taken["go-ms"] = append(taken["go-ms"], ms(read.Sub(answered)))
		taken["extraction-ms"] = append(taken["extraction-ms"], ms(read.Sub(loadedAt)))
		taken["answer-kB"] = append(taken["answer-kB"], float64(len(text))/1000)
	}
	for unit, values := range taken {
		slices.Sort(values)
		b.ReportMetric(values[len(values)/2], unit)
	}
	b.ReportMetric(0, "ns/op") // the parts say more than their sum
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// milliseconds is a number as the driver hands it over, which knows whole ones.
func milliseconds(value any) float64 {
	switch v := value.(type) {
	case int:
		return float64(v)
	case float64:
		return v
	}
	return 0
}
