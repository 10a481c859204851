package demo

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math/rand/v2"
)

// The picture is drawn at twice its size and halved, which smooths the edges.
// It is a PNG because mail programs do not show SVG.
const (
	photoWidth  = 480
	photoHeight = 320
)

// palettes of wall, floor, blanket and curtain.
var palettes = [][4]color.RGBA{
	{{233, 224, 208, 255}, {176, 132, 92, 255}, {38, 110, 104, 255}, {214, 160, 92, 255}},
	{{214, 226, 226, 255}, {150, 120, 96, 255}, {190, 92, 70, 255}, {244, 240, 230, 255}},
	{{236, 214, 200, 255}, {128, 98, 78, 255}, {62, 84, 128, 255}, {250, 244, 236, 255}},
	{{222, 230, 210, 255}, {188, 156, 116, 255}, {120, 74, 110, 255}, {236, 200, 120, 255}},
	{{226, 222, 234, 255}, {164, 136, 110, 255}, {204, 142, 52, 255}, {120, 140, 166, 255}},
}

// canvas is twice the picture; its methods take the picture's own coordinates.
type canvas struct{ *image.RGBA }

func (c canvas) box(x, y, w, h int, col color.RGBA) {
	for j := max(0, 2*y); j < min(2*photoHeight, 2*(y+h)); j++ {
		for i := max(0, 2*x); i < min(2*photoWidth, 2*(x+w)); i++ {
			c.SetRGBA(i, j, col)
		}
	}
}

func (c canvas) disc(x, y, r int, col color.RGBA) {
	for j := -2 * r; j <= 2*r; j++ {
		for i := -2 * r; i <= 2*r; i++ {
			if i*i+j*j <= 4*r*r && (image.Point{2*x + i, 2*y + j}).In(c.Rect) {
				c.SetRGBA(2*x+i, 2*y+j, col)
			}
		}
	}
}

// picture draws the room with this id as a PNG: always the same one.
func picture(id int64) []byte {
	r := rand.New(rand.NewPCG(uint64(id), 2))
	c := canvas{image.NewRGBA(image.Rect(0, 0, 2*photoWidth, 2*photoHeight))}
	p := palettes[r.IntN(len(palettes))]
	wall, floor, blanket, curtain := p[0], p[1], p[2], p[3]

	c.box(0, 0, photoWidth, photoHeight, wall)
	c.box(0, 232, photoWidth, 88, floor)
	for x := r.IntN(40); x < photoWidth; x += 52 + r.IntN(30) {
		c.box(x, 236, 1, 84, shade(floor, 85))
	}
	c.box(0, 228, photoWidth, 5, shade(wall, 80))
	window(c, 60+r.IntN(60), curtain)
	bed(c, 200+r.IntN(60), blanket)
	plant(c, 24+r.IntN(20), shade(floor, 70))
	c.box(300+r.IntN(80), 50+r.IntN(20), 60, 44, shade(blanket, 60))

	var out bytes.Buffer
	_ = png.Encode(&out, halved(c.RGBA)) // a buffer takes everything
	return out.Bytes()
}

func window(c canvas, x int, curtain color.RGBA) {
	frame := color.RGBA{250, 249, 245, 255}
	c.box(x, 40, 116, 130, frame)
	c.box(x+6, 46, 104, 118, color.RGBA{176, 212, 236, 255})
	c.disc(x+82, 70, 13, color.RGBA{255, 232, 160, 255})
	c.box(x+6, 130, 104, 34, color.RGBA{150, 184, 140, 255})
	c.box(x+55, 40, 6, 130, frame)
	c.box(x-6, 168, 128, 7, shade(frame, 88))
	c.box(x-14, 34, 24, 150, curtain)
	c.box(x+106, 34, 24, 150, curtain)
	c.box(x-22, 30, 160, 5, shade(curtain, 60))
}

func bed(c canvas, x int, blanket color.RGBA) {
	wood := color.RGBA{110, 78, 54, 255}
	c.box(x+190, 168, 12, 106, wood)
	c.box(x, 238, 200, 22, wood)
	c.box(x+4, 260, 8, 14, wood)
	c.box(x, 214, 190, 28, color.RGBA{246, 244, 238, 255})
	c.box(x, 208, 132, 36, blanket)
	c.box(x, 208, 132, 6, shade(blanket, 118))
	c.box(x+142, 198, 44, 18, color.RGBA{255, 255, 255, 255})
}

func plant(c canvas, x int, pot color.RGBA) {
	green := color.RGBA{70, 128, 84, 255}
	c.disc(x+18, 196, 22, green)
	c.disc(x+6, 214, 16, shade(green, 86))
	c.disc(x+32, 212, 17, shade(green, 112))
	c.box(x+4, 226, 30, 38, pot)
	c.box(x, 224, 38, 8, shade(pot, 115))
}

// shade makes a colour darker (below 100 per cent) or lighter (above).
func shade(col color.RGBA, percent int) color.RGBA {
	part := func(v uint8) uint8 { return uint8(min(255, int(v)*percent/100)) }
	return color.RGBA{part(col.R), part(col.G), part(col.B), 255}
}

func halved(big *image.RGBA) *image.RGBA {
	small := image.NewRGBA(image.Rect(0, 0, photoWidth, photoHeight))
	for y := range photoHeight {
		for x := range photoWidth {
			var sum [3]int
			for i := range 4 {
				p := big.RGBAAt(2*x+i%2, 2*y+i/2)
				sum[0], sum[1], sum[2] = sum[0]+int(p.R), sum[1]+int(p.G), sum[2]+int(p.B)
			}
			small.SetRGBA(x, y, color.RGBA{uint8(sum[0] / 4), uint8(sum[1] / 4), uint8(sum[2] / 4), 255})
		}
	}
	return small
}
