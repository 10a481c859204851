// Command draw makes every icon file from the five pictures in pictures.go: PNG
// for Linux, ICO for Windows, a template for macOS, and the program's own picture.
// It is run by `go generate ./assets`.
package main

import (
	"bytes"
	"encoding/binary"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
)

func main() {
	to := flag.String("to", "icons", "folder that the files are written to")
	own := flag.String("app", "", "instead, `folder` for the program's own picture in all sizes, for packages")
	flag.Parse()
	draw := func() error { return drawAll(*to) }
	if *own != "" {
		draw = func() error { return drawApp(*own) }
	}
	if err := draw(); err != nil {
		fmt.Fprintln(os.Stderr, "draw:", err)
		os.Exit(1)
	}
}

// linuxSize is a size that panels scale down to 16, 22 or 24 themselves, which
// smooths the hard edges.
const linuxSize = 64

func drawAll(folder string) error {
	files := map[string][]byte{"notifio.png": encode(render(app, 128, app.ink, smooth))}
	for name, p := range pictures {
		files[name+".png"] = encode(render(p, linuxSize, p.ink, hard))
		files[name+"-template.png"] = encode(render(p, 32, color.NRGBA{A: 255}, smooth))
		files[name+".ico"] = ico(p, 16, 20, 24, 32, 48)
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// drawApp makes the program's own picture in the sizes that launchers ask for: of
// the hicolor theme, of a macOS icon set, and of a Windows program.
func drawApp(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	files := map[string][]byte{"notifio.ico": ico(app, 16, 20, 24, 32, 40, 48, 64, 256)}
	for _, size := range []int{16, 22, 24, 32, 48, 64, 128, 256, 512, 1024} {
		files[fmt.Sprintf("notifio-%d.png", size)] = encode(render(app, size, app.ink, smooth))
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// edge turns the covered share of a pixel, from 0 to 1, into its alpha.
type edge func(covered float64) uint8

func smooth(covered float64) uint8 { return uint8(covered*255 + 0.5) }

func hard(covered float64) uint8 {
	if covered >= 0.5 {
		return 255
	}
	return 0
}

// samples per pixel and direction.
const samples = 8

// render draws p at size x size pixels in one ink.
func render(p picture, size int, ink color.NRGBA, e edge) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			if a := e(p.covered(x, y, size)); a > 0 {
				img.SetNRGBA(x, y, color.NRGBA{ink.R, ink.G, ink.B, a})
			}
		}
	}
	return img
}

// covered is the share of the pixel x, y that p inks.
func (p picture) covered(x, y, size int) float64 {
	scale, hits := grid/float64(size), 0
	for j := range samples {
		for i := range samples {
			px := (float64(x) + (float64(i)+0.5)/samples) * scale
			py := (float64(y) + (float64(j)+0.5)/samples) * scale
			if p.inked(px, py) {
				hits++
			}
		}
	}
	return float64(hits) / (samples * samples)
}

func encode(img image.Image) []byte {
	var b bytes.Buffer
	// A bytes.Buffer does not fail, and png knows every NRGBA.
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// ico packs PNG images of the given sizes into one Windows icon file.
func ico(p picture, sizes ...int) []byte {
	head := binary.LittleEndian.AppendUint16(nil, 0)
	head = binary.LittleEndian.AppendUint16(head, 1) // an icon, not a cursor
	head = binary.LittleEndian.AppendUint16(head, uint16(len(sizes)))
	var body []byte
	offset := 6 + 16*len(sizes)
	for _, size := range sizes {
		data := encode(render(p, size, p.ink, smooth))
		head = append(head, byte(size), byte(size), 0, 0) // 256 is written as 0
		head = binary.LittleEndian.AppendUint16(head, 1)  // colour planes
		head = binary.LittleEndian.AppendUint16(head, 32) // bits per pixel
		head = binary.LittleEndian.AppendUint32(head, uint32(len(data)))
		head = binary.LittleEndian.AppendUint32(head, uint32(offset+len(body)))
		body = append(body, data...)
	}
	return append(head, body...)
}
