package main

import (
	"image/color"
	"math"
)

// grid is the side of the square that the pictures are drawn in. Sixteen units
// are sixteen pixels at the smallest size, so whole numbers stay sharp there.
const grid = 16.0

// picture is a list of strokes in one ink; later strokes lie over earlier ones.
type picture struct {
	ink     color.NRGBA
	strokes []stroke
}

// stroke inks, or with erase clears, the points inside of a shape.
type stroke struct {
	inside func(x, y float64) bool
	erase  bool
}

func (p picture) inked(x, y float64) bool {
	on := false
	for _, s := range p.strokes {
		if s.inside(x, y) {
			on = !s.erase
		}
	}
	return on
}

// The inks are mid-tones: each has a contrast of about 3 to 1 or more on a black
// panel and on a white one.
var (
	teal   = color.NRGBA{0x0f, 0xa0, 0x84, 255}
	blue   = color.NRGBA{0x3d, 0x84, 0xf0, 255}
	orange = color.NRGBA{0xe8, 0x7a, 0x00, 255}
	red    = color.NRGBA{0xe2, 0x3d, 0x45, 255}
	grey   = color.NRGBA{0x8a, 0x8d, 0x91, 255}
)

var (
	wall = polygon(8, 0.5, 16, 8, 14, 8.9, 14, 16, 2, 16, 2, 8.9, 0, 8)

	app = picture{teal, []stroke{ink(wall), clear(rect(6.5, 10, 9.5, 16))}}
)

var pictures = map[string]picture{
	"watching": {teal, []stroke{ink(wall), clear(rect(6.5, 10, 9.5, 16))}},
	"checking": {blue, []stroke{
		ink(disc(6.5, 6.5, 6.5)), clear(disc(6.5, 6.5, 4.2)),
		ink(polygon(9.6, 11.4, 11.4, 9.6, 16, 14.2, 14.2, 16)),
	}},
	"news": {orange, []stroke{
		ink(disc(8, 1.5, 1.5)), ink(disc(8, 6.5, 5)), ink(rect(3, 6.5, 13, 11)),
		ink(polygon(3, 9, 13, 9, 15.5, 12.5, 0.5, 12.5)),
		ink(disc(8, 13.5, 2.5)), clear(rect(0, 12.5, 16, 13.5)),
	}},
	"trouble": {red, []stroke{
		ink(polygon(8, 0, 16, 15.5, 0, 15.5)),
		clear(rect(7, 5, 9, 10.5)), clear(rect(7, 12, 9, 14)),
	}},
	"paused": {grey, []stroke{
		ink(wall), clear(rect(5, 8, 7, 14)), clear(rect(9, 8, 11, 14)),
	}},
}

func ink(inside func(x, y float64) bool) stroke   { return stroke{inside, false} }
func clear(inside func(x, y float64) bool) stroke { return stroke{inside, true} }

func rect(x0, y0, x1, y1 float64) func(x, y float64) bool {
	return func(x, y float64) bool { return x >= x0 && x < x1 && y >= y0 && y < y1 }
}

func disc(cx, cy, r float64) func(x, y float64) bool {
	return func(x, y float64) bool { return math.Hypot(x-cx, y-cy) < r }
}

// polygon is the inside of the corners x, y, x, y, … by the even-odd rule.
func polygon(corners ...float64) func(x, y float64) bool {
	n := len(corners) / 2
	return func(x, y float64) bool {
		in := false
		for i := range n {
			j := (i + n - 1) % n
			xi, yi, xj, yj := corners[2*i], corners[2*i+1], corners[2*j], corners[2*j+1]
			if (yi > y) != (yj > y) && x < (xj-xi)*(y-yi)/(yj-yi)+xi {
				in = !in
			}
		}
		return in
	}
}
