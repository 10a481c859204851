package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

// head names the columns.
var head = []string{"what", "floor", "ours: median (p10–p90)", "n", "ratio", "aim", "met?"}

// table draws the figures as Markdown that reads well in a terminal too, and their
// notes below it.
func table(all []figure) string {
	rows, notes := [][]string{head}, ""
	n := 0
	for _, f := range all {
		row := f.cells()
		if f.Note != "" {
			n++
			row[0] += fmt.Sprintf(" (%d)", n)
			notes += fmt.Sprintf("%d. %s\n", n, f.Note)
		}
		rows = append(rows, row)
	}
	if notes != "" {
		notes = "\n" + notes
	}
	return draw(rows) + notes
}

func (f figure) cells() []string {
	cells := []string{f.What, "", f.ours(), strconv.Itoa(f.Ours.N), "", "", ""}
	if f.Floor != nil {
		cells[1] = f.FloorWhat + ": " + value(f.Floor.Median, f.Unit)
		cells[4] = fmt.Sprintf("%.2f", f.Ratio)
	}
	if f.Aim == nil {
		cells[5] = "shown"
		return cells
	}
	cells[5] = f.Aim.Words
	cells[6] = "yes"
	if !*f.Met {
		cells[6] = "**NO**"
	}
	return cells
}

func (f figure) ours() string {
	text := value(f.Ours.Median, f.Unit)
	if f.Ours.N == 0 {
		text = "none came in full"
	}
	if f.Ours.N > 1 {
		text += fmt.Sprintf(" (%s–%s)", number(f.Ours.P10), number(f.Ours.P90))
	}
	if f.Aim != nil && f.Aim.On == onWorst && f.Ours.N > 0 {
		text += ", worst " + number(f.Ours.Worst)
	}
	if f.Missed > 0 {
		text += fmt.Sprintf(", %d listings missed", f.Missed)
	}
	return text
}

func value(v float64, unit string) string { return strings.TrimSpace(number(v) + " " + unit) }

// number has three digits that count, which is more than most readings deserve.
func number(v float64) string {
	if v == 0 || math.Abs(v) >= 100 {
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
	digits := max(0, 2-int(math.Floor(math.Log10(math.Abs(v)))))
	return strconv.FormatFloat(v, 'f', min(digits, 4), 64)
}

// draw lines the columns up.
func draw(rows [][]string) string {
	width := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			width[i] = max(width[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for n, row := range rows {
		for i, cell := range row {
			b.WriteString("| " + cell + strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell)) + " ")
		}
		b.WriteString("|\n")
		if n == 0 {
			for _, w := range width {
				b.WriteString("|" + strings.Repeat("-", w+2))
			}
			b.WriteString("|\n")
		}
	}
	return b.String()
}
