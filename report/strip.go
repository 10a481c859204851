package report

import (
	"fmt"
	"html/template"
	"time"
)

// blockStrip draws the blocks of one host on a line of time.
func blockStrip(blocks []Block, from, to time.Time, width int, label string) (template.HTML, error) {
	const height, least = 18, 3 // pixels; a block is never too short to be seen
	s := newSheet(width, height)
	s.rect(0, 0, width, height, s.ink("h0", ""))
	x := scale(from, to, width)
	for _, b := range blocks {
		begin := min(x(b.From), width-least)
		s.rect(begin, 0, max(x(b.To)-begin, least), height, s.ink("refused", blockTitle(b)))
	}
	return s.finish(label)
}

func blockTitle(b Block) string {
	return fmt.Sprintf("%s: %s", moment(b.From), blockLength(b))
}

// blockLength says how long a block lasted, and what is not known of it.
func blockLength(b Block) string {
	switch {
	case b.Open:
		return "for " + lasting(b.Length()) + " so far"
	case b.Unseen:
		return "at least " + lasting(b.Length())
	}
	return lasting(b.Length())
}

// timeAxis writes dates below lines of time.
func timeAxis(from, to time.Time, width int) (template.HTML, error) {
	s := newSheet(width, 18)
	x := scale(from, to, width)
	days := dayIndex(from, to) + 1
	every := max(1, (days*80+width-1)/width) // a date takes 80 pixels
	for n := 0; n < days; n += every {
		day := time.Date(from.Year(), from.Month(), from.Day()+n, 0, 0, 0, 0, from.Location())
		if at := x(day); at <= width-40 {
			s.text(day.Format("2 Jan"), max(at, 0), 13, 0)
		}
	}
	return s.finish("Dates")
}

// scale puts a time on a line of so many pixels, from the midnight before to the
// midnight after the period.
func scale(from, to time.Time, width int) func(time.Time) int {
	begin := time.Date(from.Year(), from.Month(), from.Day(), 0, 0, 0, 0, from.Location())
	end := time.Date(to.Year(), to.Month(), to.Day()+1, 0, 0, 0, 0, to.Location())
	return func(t time.Time) int {
		return int(float64(width) * float64(t.Sub(begin)) / float64(end.Sub(begin)))
	}
}
