package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"time"
)

// result is what bench.json holds.
type result struct {
	Machine machine       `json:"machine"`
	Date    time.Time     `json:"date"`
	Took    time.Duration `json:"took_ns"`
	Quick   bool          `json:"quick"`
	Figures []figure      `json:"figures"`
}

// figure is one row of the table.
type figure struct {
	Row       int     `json:"row"`
	What      string  `json:"what"`
	Unit      string  `json:"unit"`
	Ours      spread  `json:"ours"`
	Floor     *spread `json:"floor,omitempty"`
	FloorWhat string  `json:"floor_what,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"` // of the medians; 0 without a floor
	Aim       *aim    `json:"aim,omitempty"`
	Met       *bool   `json:"met,omitempty"` // nil without an aim
	Missed    int     `json:"missed_listings,omitempty"`
	Note      string  `json:"note,omitempty"`
}

// figures sums readings up, in the order of the table.
func figures(all []reading) []figure {
	var out []figure
	for _, r := range all {
		if len(r.Ours) > 0 || r.Missed > 0 {
			out = append(out, r.figure())
		}
	}
	slices.SortStableFunc(out, func(a, b figure) int { return a.Row - b.Row })
	return out
}

func (r reading) figure() figure {
	f := figure{Row: r.Row, What: r.What, Unit: r.Unit, Ours: spreadOf(r.Ours), Aim: r.Aim, Missed: r.Missed, Note: r.Note}
	if r.Floor != nil && len(r.Floor.Samples) > 0 {
		s := spreadOf(r.Floor.Samples)
		f.Floor, f.FloorWhat = &s, r.Floor.What
		if s.Median != 0 {
			f.Ratio = f.Ours.Median / s.Median
		}
	}
	if r.Aim != nil {
		met := f.judged() <= r.Aim.Limit && r.Missed == 0
		f.Met = &met
	}
	return f
}

// judged is the value that the aim is about.
func (f figure) judged() float64 {
	switch f.Aim.On {
	case onWorst:
		return f.Ours.Worst
	case onRatio:
		return f.Ratio
	}
	return f.Ours.Median
}

func (r result) heading() string {
	form := "full"
	if r.Quick {
		form = "short form: too few runs to rely on"
	}
	return fmt.Sprintf("%s. %s, in %s (%s).\n", r.Machine, r.Date.Format("2 January 2006"), r.Took.Round(time.Second), form)
}

func (r result) write(file string) error {
	text, err := json.MarshalIndent(r, "", "\t")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(text, '\n'), 0o644)
}

// readResult reads what write wrote.
func readResult(file string) (result, error) {
	var r result
	text, err := os.ReadFile(file)
	if err != nil {
		return r, fmt.Errorf("%w (run make bench first)", err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		return r, fmt.Errorf("%s: %w (run make bench anew)", file, err)
	}
	return r, nil
}
