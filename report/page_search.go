package report

import (
	"fmt"
	"html/template"
	"strings"
)

// searches are the parts that tell of one search each.
func searches(p *page, f Figures) error {
	for _, s := range f.Searches {
		part, err := search(s)
		if err != nil {
			return err
		}
		p.Searches = append(p.Searches, part)
	}
	return nil
}

func search(s Search) (part searchPart, err error) {
	part = searchPart{Name: s.Name, Host: s.Host, Facts: facts(s), Best: bestTime(s.Best)}
	switch {
	case s.Checks == 0:
		part.Idle, part.Best = "Not checked yet.", ""
		return part, nil
	case s.Fine == 0:
		part.Idle, part.Best = "No check has read the page yet.", ""
	default:
		if part.New, err = weekChart(newCells(s.Week), "h", "New listings of this search by hour and day"); err != nil {
			return part, err
		}
		if part.Seen, err = weekChart(seenCells(s.Week), "s", "Listings on the page by hour and day"); err != nil {
			return part, err
		}
		part.SeenText = seenText(s.Week)
	}
	part.Checks, err = checksOf(s)
	return part, err
}

func weekChart(cells [7][24]cell, palette, label string) (chart, error) {
	return drawn(func(width int) (template.HTML, error) { return heatMap(cells, palette, width, label) }, half)
}

func facts(s Search) string {
	var gone, listings, drops, back string
	if !s.Configured {
		gone = "no longer watched"
	}
	if s.Fine > 0 {
		listings = count(s.Listings, "listing", "listings") + " now"
	}
	if s.Drops > 0 {
		drops = count(s.Drops, "price drop", "price drops")
	}
	if s.Back > 0 {
		back = number(s.Back) + " back on the market"
	}
	return listed(gone, listings, number(s.New)+" new", drops, back)
}

// seenText says how much the number of listings varies over the week.
func seenText(w Week) string {
	lowest, highest, any := 0.0, 0.0, false
	for _, day := range w {
		for _, h := range day {
			a, ok := h.Average()
			if !ok {
				continue
			}
			if !any {
				lowest, highest, any = a, a, true
			}
			lowest, highest = min(lowest, a), max(highest, a)
		}
	}
	low, high := fmt.Sprintf("%.0f", lowest), fmt.Sprintf("%.0f", highest)
	if low == high {
		return "About " + low + " at every hour."
	}
	return "Between " + low + " and " + high + ", by the hour."
}

func sentence(parts []string) string { return strings.Join(parts, " ") }
