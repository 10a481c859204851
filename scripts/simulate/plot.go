package main

import (
	"time"

	"github.com/go-analyze/charts"
)

// The plots lie on a ground of their own, so that they can be read on a light and on
// a dark page.
var (
	ground = charts.ColorWhite
	ink    = charts.Color{R: 0x3b, G: 0x42, B: 0x4c, A: 255}
	grid   = charts.Color{R: 0xdf, G: 0xe3, B: 0xe8, A: 255}
	shade  = charts.Color{R: 0xe3, G: 0xe3, B: 0xe9, A: 255}
	red    = charts.Color{R: 0xc8, G: 0x3c, B: 0x32, A: 255}
	amber  = charts.Color{R: 0xc7, G: 0x7f, B: 0x0a, A: 255}
	blue   = charts.Color{R: 0x1f, G: 0x6f, B: 0xb2, A: 255}
)

const (
	width  = 880 // pixels: what a README shows of it
	margin = 14  // pixels around the panels
)

// Sizes of text in points, of which three are four pixels.
const (
	labelSize = 9
	titleSize = 10
)

// line is a row of values with its colour; a name is shown in a legend.
type line struct {
	name   string
	color  charts.Color
	values []float64
}

// panel is one plot on a sheet. The values of its lines are step apart.
type panel struct {
	title  string
	lines  []line
	shaded []float64 // behind the lines
	filled bool      // below the lines
	top    int       // of the axis of values, which has four steps
	step   time.Duration
	label  time.Duration // between two labels of the axis of time
}

func newSheet(height int) *charts.Painter {
	p := charts.NewPainter(charts.PainterOptions{OutputFormat: charts.ChartOutputSVG, Width: width, Height: height})
	p.FilledRect(0, 0, width, height, ground, ground, 0)
	return p
}

// draw puts the panel on the sheet, from y on. What is shaded is a plot of its own
// below the other, on the same axes.
func (d panel) draw(on *charts.Painter, y, height int) error {
	box := on.Child(charts.PainterBoxOption(charts.NewBox(margin, y, width-margin, y+height)))
	if d.shaded != nil {
		if err := box.LineChart(d.options([]line{{color: shade, values: d.shaded}}, ground, true)); err != nil {
			return err
		}
	}
	return box.LineChart(d.options(d.lines, ink, d.filled))
}

func (d panel) options(lines []line, text charts.Color, filled bool) charts.LineChartOption {
	small := charts.FontStyle{FontSize: labelSize, FontColor: text}
	var series charts.LineSeriesList
	var names []string
	var colors []charts.Color
	for _, l := range lines {
		series = append(series, charts.LineSeries{Name: l.name, Values: l.values})
		names, colors = append(names, l.name), append(colors, l.color)
	}
	yes, no, zero := charts.Ptr(true), charts.Ptr(false), charts.Ptr(0.0)
	return charts.LineChartOption{
		Theme: charts.MakeTheme(charts.ThemeOption{
			AxisStrokeColor: grid, AxisSplitLineColor: grid, BackgroundColor: charts.ColorTransparent,
			TextColor: ink, TextColorTitle: ink, TextColorLegend: ink, SeriesColors: colors,
		}),
		Title: charts.TitleOption{Text: d.title, FontStyle: charts.FontStyle{FontSize: titleSize, FontColor: text}},
		Legend: charts.LegendOption{ // where a refusal leaves room
			SeriesNames: names, Show: charts.Ptr(lines[0].name != ""), Vertical: yes, FontStyle: small,
			Offset: charts.OffsetStr{Left: "36%", Top: "36%"},
		},
		SeriesList: series, Symbol: charts.Symbol{Shape: charts.SymbolNone}, LineStrokeWidth: 1.5, FillArea: charts.Ptr(filled),
		XAxis: charts.XAxisOption{
			Labels: clocks(len(lines[0].values), d.step), LabelCount: int(time.Duration(len(lines[0].values)-1)*d.step/d.label) + 1,
			LabelFontStyle: small, BoundaryGap: no, LabelOffset: charts.OffsetInt{Left: -13},
		},
		YAxis: []charts.YAxisOption{{
			Min: zero, Max: charts.Ptr(float64(d.top)), RangeValuePaddingScale: zero, LabelCount: 5,
			LabelFontStyle: small, SplitLineShow: yes, ValueFormatter: func(v float64) string { return number(v) },
		}},
	}
}

// clocks label n moments. The last has none: the library would put it elsewhere.
func clocks(n int, step time.Duration) []string {
	out := make([]string, n)
	for i := range n - 1 {
		out[i] = clock(time.Duration(i) * step)
	}
	return out
}

// drawStart shows the first minutes of three of the starting crowds, one below the
// other on the same scale.
func drawStart(all []tally) ([]byte, error) {
	const seconds, height = 300, 190
	on := newSheet(3*height + 2*margin)
	for i, t := range []tally{all[0], all[1], all[3]} {
		values := floats(t.seconds[:seconds+1], 1)
		d := panel{
			title: t.crowd.name + ": requests a second in the first five minutes",
			lines: []line{{"", []charts.Color{red, amber, blue}[i], values}}, filled: true,
			top: t.crowd.copies, step: time.Second, label: 30 * time.Second,
		}
		if err := d.draw(on, margin+i*height, height); err != nil {
			return nil, err
		}
	}
	return on.Bytes()
}

// drawReturn shows three of the returning crowds before, during and after the
// refusal, in means over ten seconds.
func drawReturn(all []tally) ([]byte, error) {
	const seconds, bin, height = 2400, 10, 380
	on := newSheet(height + 2*margin)
	d := panel{
		title: "requests a second; the host refuses while it is grey", shaded: make([]float64, seconds/bin+1),
		step: bin * time.Second, label: 5 * time.Minute,
	}
	for i, t := range all[1:] {
		d.lines = append(d.lines, line{t.crowd.name, []charts.Color{red, amber, blue}[i], floats(t.seconds[:seconds+bin], bin)})
		d.top = t.crowd.copies / 5 // they ask for five pages in about thirty seconds
	}
	for i := range d.shaded {
		if refusal.refuses(time.Duration(i) * d.step) {
			d.shaded[i] = float64(d.top)
		}
	}
	if err := d.draw(on, margin, height); err != nil {
		return nil, err
	}
	return on.Bytes()
}

// floats are means over so many seconds each.
func floats(seconds []int, bin int) []float64 {
	var out []float64
	for i := 0; i+bin <= len(seconds); i += bin {
		out = append(out, mean(seconds[i:i+bin]))
	}
	return out
}
