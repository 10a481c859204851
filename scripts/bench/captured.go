package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"slices"
	"strconv"
	"strings"
)

// captured measures extraction on pages as portals really served them, by package
// browser's own benchmark, which knows its parts. Each sample is the median of
// several readings.
func captured(ctx context.Context, l *lab) ([]reading, error) {
	if pages := os.Getenv("NOTIFIO_PAGES"); !there(pages) {
		fmt.Printf("== there are no captured pages in %q: they belong to others, and are measured where somebody has them\n", pages)
		return nil, nil
	}
	count := "7"
	if l.quick {
		count = "2"
	}
	cmd := exec.CommandContext(ctx, "go", "test", "./browser", "-run", "^$", "-bench", "^BenchmarkLargestPage$", "-benchtime", "8x", "-count", count)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	all := capturedIn(string(out))
	if len(all) == 0 {
		return nil, errors.New("the benchmark of package browser has printed nothing of what is known here")
	}
	return all, nil
}

func there(folder string) bool {
	info, err := os.Stat(folder)
	return err == nil && info.IsDir()
}

// capturedIn reads what `go test -bench` prints: the name, the number of runs, and
// then pairs of a value and its unit.
func capturedIn(out string) []reading {
	type page struct{ whole, bare []float64 }
	pages := map[string]*page{}
	var order []string
	for line := range strings.Lines(out) {
		f := strings.Fields(line)
		if len(f) < 4 || !strings.HasPrefix(f[0], "BenchmarkLargestPage/") {
			continue
		}
		name := path.Base(path.Dir(f[0])) + ", " + strings.TrimRight(strings.TrimRight(path.Base(f[0]), "0123456789"), "-")
		if pages[name] == nil {
			pages[name], order = &page{}, append(order, name)
		}
		for pair := range slices.Chunk(f[2:], 2) {
			v, err := strconv.ParseFloat(pair[0], 64)
			switch {
			case err != nil || len(pair) < 2:
			case pair[1] == "extraction-ms":
				pages[name].whole = append(pages[name].whole, v)
			case pair[1] == "bare-ms":
				pages[name].bare = append(pages[name].bare, v)
			}
		}
	}
	var all []reading
	for _, name := range order {
		r := reading{
			Row: rowExtraction, What: "captured page " + name + ", scripts off: extraction alone", Unit: "ms",
			Ours: pages[name].whole, Floor: &floor{"bare goto + evaluate", pages[name].bare},
		}
		if usual(name) {
			r.Aim = &aim{"≤ 100 ms", onMedian, 100}
		}
		all = append(all, r)
	}
	return all
}

// usual says whether a page has the size that the aim is set for, 0.9 MB. Its name
// ends with how many kB it has.
func usual(name string) bool {
	_, size, _ := strings.Cut(name, ", ")
	kB, err := strconv.Atoi(strings.TrimSuffix(size, "kB"))
	return err != nil || kB >= 850 && kB < 950
}
