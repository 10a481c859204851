package main

import (
	"strings"
	"testing"
)

func TestQuantilesLieBetweenSamples(t *testing.T) {
	for _, c := range []struct {
		samples []float64
		want    spread
	}{
		{nil, spread{}},
		{[]float64{7}, spread{1, 7, 7, 7, 7}},
		{[]float64{3, 1, 2}, spread{3, 2, 1.2, 2.8, 3}},
		{[]float64{11, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, spread{11, 6, 2, 10, 11}},
	} {
		got := spreadOf(c.samples)
		for _, d := range []float64{got.Median - c.want.Median, got.P10 - c.want.P10, got.P90 - c.want.P90, got.Worst - c.want.Worst} {
			if d > 1e-9 || d < -1e-9 || got.N != c.want.N {
				t.Errorf("%v: %+v, want %+v", c.samples, got, c.want)
			}
		}
	}
}

func TestAimIsJudgedByItsYardstick(t *testing.T) {
	samples := []float64{1, 2, 30}
	for _, c := range []struct {
		name   string
		on     yardstick
		limit  float64
		missed int
		met    bool
	}{
		{"median within", onMedian, 2, 0, true},
		{"median above", onMedian, 1.9, 0, false},
		{"worst above", onWorst, 29, 0, false},
		{"ratio within", onRatio, 2, 0, true},
		{"ratio above", onRatio, 1.9, 0, false},
		{"a listing missed", onMedian, 2, 1, false},
	} {
		f := reading{Ours: samples, Floor: &floor{"a floor", []float64{1}}, Aim: &aim{"", c.on, c.limit}, Missed: c.missed}.figure()
		if *f.Met != c.met {
			t.Errorf("%s: met %v", c.name, *f.Met)
		}
	}
}

func TestReadingsAreFoundAmongTheRest(t *testing.T) {
	out := "goos: linux\n=== ATTR  BenchmarkCheck reading {\"row\":3,\"ours\":[1,2]}\n=== ATTR  TestOther colour red\nBenchmarkCheck-2 1 12 ns/op\nPASS\n"
	all, err := readingsIn([]byte(out))
	if err != nil || len(all) != 1 || all[0].Row != 3 || len(all[0].Ours) != 2 {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := readingsIn([]byte("=== ATTR  BenchmarkCheck reading {\n")); err == nil {
		t.Error("half a reading is taken for one")
	}
	if left := string(withoutReadings([]byte(out))); strings.Contains(left, "ATTR") || !strings.Contains(left, "PASS") {
		t.Errorf("left: %q", left)
	}
}

func TestCapturedPagesAreReadFromTheBenchmark(t *testing.T) {
	const line = "BenchmarkLargestPage/homes-rent/882kB-2  8  0 ns/op  61.5 bare-ms  40 extraction-ms  2 go-ms\n"
	all := capturedIn("goos: linux\n" + line + line)
	if len(all) != 1 || len(all[0].Ours) != 2 || all[0].Ours[0] != 40 || all[0].Floor.Samples[1] != 61.5 {
		t.Fatalf("%+v", all)
	}
	if !strings.Contains(all[0].What, "homes-rent, 882kB,") || all[0].Aim == nil {
		t.Errorf("called %q, aim %v", all[0].What, all[0].Aim)
	}
	if bigger := capturedIn(strings.ReplaceAll(line, "882kB", "1142kB")); bigger[0].Aim != nil {
		t.Errorf("a page of 1.1 MB has the aim of one of 0.9 MB")
	}
}

func TestTableSaysPlainlyWhatIsMissed(t *testing.T) {
	all := figures([]reading{
		{Row: 2, What: "slow", Unit: "ms", Ours: []float64{150, 151, 152}, Floor: &floor{"bare", []float64{100}}, Aim: &aim{"≤ 1.4 ×", onRatio, 1.4}},
		{Row: 1, What: "quick", Unit: "ms", Ours: []float64{0.12345}, Aim: &aim{"≤ 1 ms", onMedian, 1}, Note: "once"},
		{Row: 3, What: "empty"},
		{Row: 4, What: "early", Unit: "s", Missed: 9, Aim: &aim{"complete", onMedian, 1}},
		{Row: 3, What: "size", Unit: "MB", Ours: []float64{31.26}},
	})
	const want = `| what      | floor        | ours: median (p10–p90)               | n | ratio | aim      | met?   |
|-----------|--------------|--------------------------------------|---|-------|----------|--------|
| quick (1) |              | 0.123 ms                             | 1 |       | ≤ 1 ms   | yes    |
| slow      | bare: 100 ms | 151 ms (150–152)                     | 3 | 1.51  | ≤ 1.4 ×  | **NO** |
| size      |              | 31.3 MB                              | 1 |       | shown    |        |
| early     |              | none came in full, 9 listings missed | 0 |       | complete | **NO** |

1. once
`
	if got := table(all); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
