package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func startTable(w io.Writer, all []tally) {
	rows := [][]string{{"crowd", "mean/s", "peak/s", "peak/mean", "after 1 min", "after 5 min", "even from"}}
	for _, t := range all {
		from := "never"
		if at, ok := t.evenFrom(); ok {
			from = clock(at)
		}
		rows = append(rows, []string{
			t.crowd.name, number(t.mean()), number(float64(t.peak(0))), times(t.peak(0), t.mean()),
			times(t.peak(time.Minute), t.mean()), times(t.peak(5*time.Minute), t.mean()), from,
		})
	}
	table(w, rows)
	fmt.Fprintf(w, "Even: from then on no second has more than %.1f times the mean.\n", even)
}

func returnTable(w io.Writer, all []tally) {
	rows := [][]string{{"crowd", "refused", "per copy", "peak/s, first minute", "probes/s, peak", "peak/usual", "half back", "all back"}}
	for _, t := range all {
		rows = append(rows, []string{
			t.crowd.name, number(float64(t.refused)), fmt.Sprintf("%.1f", float64(t.refused)/float64(t.crowd.copies)),
			number(float64(t.firstMinute())), number(float64(t.probes())), times(t.peak(t.crowd.host.to), t.usual()),
			t.back(0.5), t.back(1),
		})
	}
	table(w, rows)
	fmt.Fprintln(w, "Refused: requests while the host refuses. The others are of the time from its end on; usual is the mean before it.")
}

// back says when a share of the copies was back.
func (t tally) back(share float64) string {
	at, ok := t.later(share)
	if !ok {
		return "not within the hour"
	}
	return clock(at)
}

// table writes rows in columns; the first row is their head.
func table(w io.Writer, rows [][]string) {
	columns := tabwriter.NewWriter(w, 0, 0, 3, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
	}
	columns.Flush()
}

// times is a peak as a multiple of a mean.
func times(peak int, mean float64) string { return fmt.Sprintf("%.2f", float64(peak)/mean) }

// number is a whole number with its thousands apart.
func number(f float64) string {
	s := strconv.Itoa(int(f + 0.5))
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// clock is a length of time as minutes and seconds.
func clock(d time.Duration) string {
	d = d.Round(time.Second)
	return fmt.Sprintf("%d:%02d", d/time.Minute, d%time.Minute/time.Second)
}
