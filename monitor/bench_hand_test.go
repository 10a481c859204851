package monitor_test

import (
	"encoding/json"
	"testing"
	"time"
)

// reading is a row of the table that `make bench` prints. It goes there as an
// attribute of the test; scripts/bench/reading.go says what the fields mean.
type reading struct {
	Row   int       `json:"row"`
	What  string    `json:"what"`
	Unit  string    `json:"unit"`
	Ours  []float64 `json:"ours"`
	Floor *floor    `json:"floor,omitempty"`
	Aim   *aim      `json:"aim,omitempty"`
	Note  string    `json:"note,omitempty"`
}

type floor struct {
	What    string    `json:"what"`
	Samples []float64 `json:"samples"`
}

type aim struct {
	Words string  `json:"words"`
	On    string  `json:"on"`
	Limit float64 `json:"limit"`
}

// Places in the table.
const (
	rowPunctual = 600
	rowNews     = 700
	rowDecision = 800
)

func hand(t testing.TB, r reading) {
	t.Helper()
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Attr("reading", string(text))
}

// among is n as a share of ten, for times of checks from 0.1 to 8 s that differ
// from cycle to cycle and are the same in each run.
func among(n int) time.Duration {
	return 100*time.Millisecond + time.Duration(n*7919%7901)*time.Millisecond
}
