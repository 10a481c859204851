package assets

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"testing"
)

func decode(t *testing.T, data []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("icon is not a PNG: %v", err)
	}
	return img
}

func TestPanelIconsHaveHardEdges(t *testing.T) {
	for _, i := range Icons() {
		img := decode(t, i.PNG())
		if got := img.Bounds().Size(); got != image.Pt(64, 64) {
			t.Errorf("%s: size %v, want 64x64", i, got)
		}
		for y := range 64 {
			for x := range 64 {
				if _, _, _, a := img.At(x, y).RGBA(); a != 0 && a != 0xffff {
					t.Fatalf("%s: pixel %d,%d is translucent", i, x, y)
				}
			}
		}
	}
}

// Somebody who does not tell colours apart must still tell the states apart.
func TestIconsDifferInShape(t *testing.T) {
	all := Icons()
	for n, a := range all {
		for _, b := range all[n+1:] {
			if d := differing(decode(t, a.Template()), decode(t, b.Template())); d < 32*32/20 {
				t.Errorf("%s and %s differ in %d of %d pixels only", a, b, d, 32*32)
			}
		}
	}
}

// differing counts the pixels that one picture has and the other has not.
func differing(a, b image.Image) int {
	n := 0
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			if inked(a.At(x, y)) != inked(b.At(x, y)) {
				n++
			}
		}
	}
	return n
}

func inked(c color.Color) bool {
	_, _, _, a := c.RGBA()
	return a > 0x8000
}

func TestWindowsIconsHoldEverySize(t *testing.T) {
	for _, i := range Icons() {
		b := i.ICO()
		if len(b) < 6 || binary.LittleEndian.Uint16(b[2:]) != 1 {
			t.Fatalf("%s: not an icon file", i)
		}
		want := []int{16, 20, 24, 32, 48}
		if n := int(binary.LittleEndian.Uint16(b[4:])); n != len(want) {
			t.Fatalf("%s: %d sizes, want %d", i, n, len(want))
		}
		for k, size := range want {
			e := b[6+16*k:]
			length, offset := binary.LittleEndian.Uint32(e[8:]), binary.LittleEndian.Uint32(e[12:])
			img := decode(t, b[offset:offset+length])
			if got := img.Bounds().Size(); got != image.Pt(size, size) || int(e[0]) != size {
				t.Errorf("%s: entry %d is %v, want %d", i, k, got, size)
			}
		}
	}
}

func TestAppIconIsThere(t *testing.T) {
	if got := decode(t, AppIcon()).Bounds().Size(); got != image.Pt(128, 128) {
		t.Errorf("app icon is %v, want 128x128", got)
	}
}
