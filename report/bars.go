package report

import (
	"fmt"
	"html/template"
	"strconv"
	"time"

	"github.com/go-analyze/charts"
)

// series is one colour of a bar chart.
type series struct {
	variable string // of the style sheet
	values   []float64
}

// barChart stacks the series in one bar for each label.
func barChart(all []series, labels []string, shown, width, height int, label string) (template.HTML, error) {
	s := newSheet(width, height)
	var list charts.BarSeriesList
	colors := make([]charts.Color, len(all))
	for i, one := range all {
		list = append(list, charts.BarSeries{Values: one.values})
		colors[i] = s.ink(one.variable, "")
	}
	yes, no := charts.Ptr(true), charts.Ptr(false)
	step, top := ticks(highest(all))
	err := s.BarChart(charts.BarChartOption{
		Theme:       s.theme.WithSeriesColors(colors),
		Padding:     charts.Box{Top: 8, Right: 4, IsSet: true},
		SeriesList:  list,
		StackSeries: charts.Ptr(len(all) > 1),
		Legend:      charts.LegendOption{Show: no},
		CategoryAxis: charts.CategoryAxisOption{
			Labels: labels, LabelCount: shown, LabelFontStyle: s.style(), BoundaryGap: yes,
		},
		ValueAxis: []charts.ValueAxisOption{{
			Min: charts.Ptr(0.0), Max: charts.Ptr(float64(top)), RangeValuePaddingScale: charts.Ptr(0.0),
			LabelCount: top/step + 1, LabelFontStyle: s.style(), SplitLineShow: yes,
			ValueFormatter: func(v float64) string { return number(int(v + 0.5)) },
		}},
	})
	if err != nil {
		return "", fmt.Errorf("draw a bar chart: %w", err)
	}
	return s.finish(label)
}

// highest is the length of the longest bar.
func highest(all []series) int {
	longest := 0.0
	for i := range all[0].values {
		sum := 0.0
		for _, one := range all {
			sum += one.values[i]
		}
		longest = max(longest, sum)
	}
	return int(longest + 0.5)
}

// ticks are whole numbers for an axis that reaches up to highest: at most four
// above 0, each step 1, 2 or 5 times a power of ten.
func ticks(highest int) (step, top int) {
	for power := 1; ; power *= 10 {
		for _, n := range []int{1, 2, 5} {
			if step = n * power; step*4 >= highest {
				return step, max(1, (highest+step-1)/step) * step
			}
		}
	}
}

// hourBars show how many new listings appeared at each hour of the day.
func hourBars(w Week, width int) (template.HTML, error) {
	values, labels := make([]float64, 24), make([]string, 24)
	for i, h := range w.Hours() {
		values[i], labels[i] = float64(h.New), strconv.Itoa(i)
	}
	return barChart([]series{{"h5", values}}, labels, 24/hourStep(width/24), width, 170, "New listings by hour of the day")
}

// dayBars show how many checks of each day went in one of these ways.
func dayBars(days []Day, of []Class, width int, label string) (template.HTML, error) {
	labels := make([]string, len(days))
	for i, d := range days {
		labels[i] = d.Date.Format("2 Jan")
	}
	var all []series
	for _, c := range of {
		values := make([]float64, len(days))
		for i, d := range days {
			values[i] = float64(d.Checks[c])
		}
		all = append(all, series{c.variable(), values})
	}
	return barChart(all, labels, min(len(days), width/80), width, 150, label)
}

// delayBars show how many alerts took how long.
func delayBars(d Delay, variable string, width int, label string) (template.HTML, error) {
	values, labels := make([]float64, len(d.Bins)), make([]string, len(d.Bins))
	for i, n := range d.Bins {
		values[i], labels[i] = float64(n), binLabel(i)
	}
	return barChart([]series{{variable, values}}, labels, len(labels), width, 170, label)
}

func binLabel(i int) string {
	if i == len(Bins) {
		return "more"
	}
	return "<" + short(Bins[i])
}

// short is a length of time for an axis.
func short(d time.Duration) string {
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%ds", d/time.Second)
	case d < time.Hour:
		return fmt.Sprintf("%dm", d/time.Minute)
	}
	return fmt.Sprintf("%dh", d/time.Hour)
}

// variable is the style sheet's name for the colour of a class.
func (c Class) variable() string {
	return [classes]string{"fine", "signedout", "refused", "failed", "other"}[c]
}

// String is how the report calls a class.
func (c Class) String() string {
	return [classes]string{"read", "signed out", "refused", "did not load", "another page"}[c]
}
