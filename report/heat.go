package report

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
)

// levels is how many shades a heat map has beside the one for nothing.
const levels = 6

// cell is one hour of a heat map: its shade, from 0 to levels, and its words. A
// level below 0 is an hour that nobody watched.
type cell struct {
	level int
	title string
}

// unwatched is the level of an hour that nobody watched.
const unwatched = -1

// newCells show when new listings appear. What counts is how many are to be
// expected, which the shade is of, so that hours that were watched more often do
// not look better.
func newCells(w Week) (cells [7][24]cell) {
	highest := 0.0
	for _, day := range w {
		for _, h := range day {
			highest = max(highest, h.Rate())
		}
	}
	for d := range w {
		for i, h := range w[d] {
			c := cell{level: unwatched, title: hourTitle(d, i, "not watched")}
			if h.Watched > 0 || h.New > 0 {
				c.level = shade(h.Rate(), highest)
				c.title = hourTitle(d, i, fmt.Sprintf("%s, watched in %s",
					count(h.New, "new listing", "new listings"), count(h.Watched, "week", "weeks")))
			}
			cells[d][i] = c
		}
	}
	return cells
}

// seenCells show how many listings the page had.
func seenCells(w Week) (cells [7][24]cell) {
	lowest, highest := math.Inf(1), 0.0
	for _, day := range w {
		for _, h := range day {
			if a, ok := h.Average(); ok {
				lowest, highest = min(lowest, a), max(highest, a)
			}
		}
	}
	for d := range w {
		for i, h := range w[d] {
			c := cell{level: unwatched, title: hourTitle(d, i, "not watched")}
			if a, ok := h.Average(); ok {
				// The lowest is no nothing: it has the first shade.
				c.level = 1 + int(float64(levels-1)*(a-lowest)/max(highest-lowest, 1)+0.5)
				c.title = hourTitle(d, i, strconv.FormatFloat(a, 'f', 1, 64)+" listings on the page, on average")
			}
			cells[d][i] = c
		}
	}
	return cells
}

// shade is the level of a value: 0 for nothing, and 1 for the least that is
// something.
func shade(value, highest float64) int {
	if value <= 0 {
		return 0
	}
	return min(max(int(math.Ceil(levels*value/highest)), 1), levels)
}

// heatMap draws hours from left to right and days from top to bottom.
func heatMap(cells [7][24]cell, palette string, width int, label string) (template.HTML, error) {
	const left, top, gap = 34, 2, 2
	step := (width - left) / 24
	row := min(max(step, 18), 26)
	s := newSheet(left+24*step, top+7*row+20)
	for d := range cells {
		s.text(weekdays[d][:3], left-8, top+d*row+row/2+4, 2)
		for h, c := range cells[d] {
			name := palette + strconv.Itoa(c.level)
			if c.level == unwatched {
				name = "unwatched"
			}
			s.rect(left+h*step, top+d*row, step-gap, row-gap, s.ink(name, c.title))
		}
	}
	for h := 0; h < 24; h += hourStep(step) {
		s.text(strconv.Itoa(h), left+h*step+(step-gap)/2, top+7*row+14, 1)
	}
	return s.finish(label)
}

// hourStep is how many hours apart the labels of an axis are.
func hourStep(pixels int) int {
	if pixels < 22 {
		return 3
	}
	return 1
}
