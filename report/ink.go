package report

import (
	"fmt"
	"html"
	"html/template"
	"regexp"
	"strconv"

	"github.com/go-analyze/charts"
)

// The library writes its colours into the picture, and a page that follows the
// user's theme cannot have any: light and dark are the business of its style
// sheet. So a chart is drawn with numbered inks, colours that nobody sees, and
// when it is finished each is replaced by the variable that the style sheet knows,
// and by the words that appear under the pointer.

// sheet is one chart being drawn.
type sheet struct {
	*charts.Painter
	theme charts.ColorPalette
	inks  []ink
}

type ink struct {
	variable string // of the style sheet, without its dashes
	title    string // shown under the pointer; "" for none
}

// firstInk keeps the numbers clear of the colours that the library writes as
// names.
const firstInk = 0x010101

func newSheet(width, height int) *sheet {
	s := &sheet{}
	axis, text := s.ink("axis", ""), s.ink("soft", "")
	s.theme = charts.MakeTheme(charts.ThemeOption{
		AxisStrokeColor: axis, AxisSplitLineColor: s.ink("grid", ""), BackgroundColor: charts.ColorTransparent,
		TextColor: text, TextColorTitle: text, TextColorMark: text, TextColorLabel: text, TextColorLegend: text,
		TextColorXAxis: text, TextColorYAxis: text, SeriesColors: []charts.Color{axis},
	})
	s.Painter = charts.NewPainter(charts.PainterOptions{
		OutputFormat: charts.ChartOutputSVG, Width: width, Height: height, Theme: s.theme,
	})
	return s
}

// ink returns the colour to draw with for a variable of the style sheet.
func (s *sheet) ink(variable, title string) charts.Color {
	for i, k := range s.inks {
		if k == (ink{variable, title}) {
			return inkColor(i)
		}
	}
	s.inks = append(s.inks, ink{variable, title})
	return inkColor(len(s.inks) - 1)
}

func inkColor(i int) charts.Color {
	n := firstInk + i
	return charts.Color{R: uint8(n >> 16), G: uint8(n >> 8), B: uint8(n), A: 255}
}

func (s *sheet) rect(x, y, width, height int, c charts.Color) {
	s.FilledRect(x, y, x+width, y+height, c, charts.ColorTransparent, 0)
}

// textSize is that of every label, in the library's points: 12 pixels.
const textSize = 9

func (s *sheet) style() charts.FontStyle {
	return charts.FontStyle{FontSize: textSize, FontColor: s.ink("soft", "")}
}

// text writes a label with its left end, middle or right end at x, for an anchor
// of 0, 1 or 2. y is the base line.
func (s *sheet) text(label string, x, y, anchor int) {
	width := s.MeasureText(label, 0, s.style()).Width()
	s.Text(label, x-width*anchor/2, y, 0, s.style())
}

var (
	inkPattern  = regexp.MustCompile(`rgb\((\d+),(\d+),(\d+)\)`)
	fontPattern = regexp.MustCompile(`;font-family:[^"]*`)
	pathPattern = regexp.MustCompile(`<path d="[^"]*" style="[^"]*fill:rgb\((\d+),(\d+),(\d+)\)[^"]*"/>`)
	headPattern = regexp.MustCompile(`^<svg [^>]*viewBox="([^"]*)">`)
)

// finish is the chart for the page. label is what somebody hears who does not see
// it.
func (s *sheet) finish(label string) (template.HTML, error) {
	drawn, err := s.Bytes()
	if err != nil {
		return "", fmt.Errorf("draw a chart: %w", err)
	}
	drawn = pathPattern.ReplaceAllFunc(drawn, func(path []byte) []byte {
		k := s.byColor(pathPattern.FindSubmatch(path))
		if k.title == "" {
			return path
		}
		end := "><title>" + html.EscapeString(k.title) + "</title></path>"
		return append(path[:len(path)-len("/>"):len(path)-len("/>")], end...)
	})
	drawn = inkPattern.ReplaceAllFunc(drawn, func(color []byte) []byte {
		return []byte("var(--" + s.byColor(inkPattern.FindSubmatch(color)).variable + ")")
	})
	drawn = fontPattern.ReplaceAll(drawn, nil) // the page's own
	head := `<svg role="img" aria-label="` + html.EscapeString(label) + `" viewBox="$1">`
	return template.HTML(headPattern.ReplaceAll(drawn, []byte(head))), nil
}

// byColor is the ink of a colour, given as a match of three numbers.
func (s *sheet) byColor(match [][]byte) ink {
	n := 0
	for _, part := range match[1:] {
		v, _ := strconv.Atoi(string(part)) // the pattern lets digits through only
		n = n<<8 | v
	}
	if i := n - firstInk; i >= 0 && i < len(s.inks) {
		return s.inks[i]
	}
	return ink{variable: "soft"} // a colour that the library has made up
}
