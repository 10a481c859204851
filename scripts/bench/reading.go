package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// reading is what a measurement hands over: the samples of one row of the table.
type reading struct {
	Row    int       `json:"row"`   // place in the table
	What   string    `json:"what"`  // what was measured
	Unit   string    `json:"unit"`  // of the samples: "ms", "s", "MB", "%" or ""
	Ours   []float64 `json:"ours"`  // in the order in which they were taken
	Floor  *floor    `json:"floor"` // nil: there is nothing to compare with
	Aim    *aim      `json:"aim"`   // nil: it is only shown
	Missed int       `json:"missed"`
	Note   string    `json:"note"`
}

// floor is the least that it could be, measured in the same run.
type floor struct {
	What    string    `json:"what"`
	Samples []float64 `json:"samples"`
}

// aim is what is wanted of a row.
type aim struct {
	Words string    `json:"words"`
	On    yardstick `json:"on"`
	Limit float64   `json:"limit"` // at most
}

// yardstick is the figure of a row that its aim is about.
type yardstick string

// The yardsticks. A row that missed listings never meets its aim.
const (
	onMedian yardstick = "median"
	onWorst  yardstick = "worst"
	onRatio  yardstick = "ratio" // of the medians
)

// attrKey names the attribute of a test that is a reading; attrMark is how the
// line with it begins.
const (
	attrKey  = "reading"
	attrMark = "=== ATTR  "
)

// readingsIn finds the readings in the output of a test binary.
func readingsIn(out []byte) ([]reading, error) {
	var all []reading
	for line := range bytes.Lines(out) {
		rest, is := bytes.CutPrefix(line, []byte(attrMark))
		if !is {
			continue
		}
		_, rest, _ = bytes.Cut(rest, []byte(" ")) // the name of the test
		key, value, _ := bytes.Cut(rest, []byte(" "))
		if string(key) != attrKey {
			continue
		}
		var r reading
		if err := json.Unmarshal(value, &r); err != nil {
			return all, fmt.Errorf("a reading: %w", err)
		}
		all = append(all, r)
	}
	return all, nil
}

// spread is what is said of some samples.
type spread struct {
	N      int     `json:"n"`
	Median float64 `json:"median"`
	P10    float64 `json:"p10"`
	P90    float64 `json:"p90"`
	Worst  float64 `json:"worst"`
}

// spreadOf sums up samples; without any it is all zero.
func spreadOf(samples []float64) spread {
	if len(samples) == 0 {
		return spread{}
	}
	s := slices.Sorted(slices.Values(samples))
	return spread{
		N: len(s), Median: quantile(s, 0.5), P10: quantile(s, 0.1), P90: quantile(s, 0.9), Worst: s[len(s)-1],
	}
}

// quantile is the value below which a share q of sorted samples lies, in between
// two of them where it falls there.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	below := int(at)
	if below+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[below] + (at-float64(below))*(sorted[below+1]-sorted[below])
}
