package report

import (
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"time"

	"notifio.app/notifio/assets"
)

// The widths for which charts are drawn, in pixels: on a screen, half of that, and
// on a telephone. The page shows the one that fits.
const (
	wide   = 980
	half   = 468
	narrow = 320
)

// page is what the template is given.
type page struct {
	Icon          template.URL
	Version       string
	Made, Period  string
	Empty         bool
	Tiles         []tile
	Best          string
	Week, Hours   chart
	Unplaced      string
	Told          toldPart
	Checks        checksPart
	Hosts         []hostPart
	Dates         chart
	Blocks        []blockRow
	BlocksText    string
	BlocksOmitted string
	Searches      []searchPart
}

type tile struct{ Label, Value, Note string }

// key explains one colour.
type key struct{ Variable, Label string }

// chart is one drawing for two widths.
type chart struct{ Wide, Narrow template.HTML }

// drawn draws a chart for two widths.
func drawn(draw func(width int) (template.HTML, error), wide int) (chart, error) {
	var c chart
	var err error
	if c.Wide, err = draw(wide); err == nil {
		c.Narrow, err = draw(narrow)
	}
	return c, err
}

type toldPart struct {
	Charts []titled
	Rows   []toldRow
	Text   string
}

type titled struct {
	Title, Text string
	Chart       chart
}

// toldRow is one search in the table of delays.
type toldRow struct{ Name, Told, Published, Found, Slow string }

type hostPart struct {
	Name, Text string
	Strip      chart
}

type blockRow struct{ Host, When, Length, Said string }

type searchPart struct {
	Name, Host, Facts, Best string
	Idle                    string // instead of charts, when there is nothing to draw
	New, Seen               chart
	SeenText                string
	Checks                  checksPart
}

// maxBlocks is how many blocks are listed one by one.
const maxBlocks = 12

func compose(f Figures) (page, error) {
	p := page{
		Icon:  template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(assets.AppIcon())),
		Made:  f.Made.Format("2 January 2006, 15:04"),
		Empty: f.All.Checks == 0 && f.All.New+f.All.Drops+f.All.Back == 0,
	}
	if p.Empty {
		return p, nil
	}
	if f.All.Checks > 0 {
		p.Period = period(f.From, f.To)
	}
	p.Tiles = tiles(f)
	p.Best = bestTime(f.All.Best)
	p.Unplaced = unplaced(f.All.Unplaced)
	for _, step := range []func(*page, Figures) error{week, told, checks, blockPart, searches} {
		if err := step(&p, f); err != nil {
			return page{}, err
		}
	}
	return p, nil
}

func tiles(f Figures) []tile {
	blocked, n := time.Duration(0), 0
	for _, h := range f.Hosts {
		for _, b := range h.Blocks {
			blocked, n = blocked+b.Length(), n+1
		}
	}
	perDay := ""
	if d := len(f.All.Days); d > 1 {
		perDay = fmt.Sprintf("%.1f a day", float64(f.All.New)/float64(d))
	}
	out := []tile{
		{"New listings", number(f.All.New), perDay},
		{"Checks", number(f.All.Checks), percent(f.All.Fine, f.All.Checks) + " read"},
	}
	if d := f.All.Told.Published; d.N > 0 {
		out = append(out, tile{"Publication to told", lasting(d.Median), "half of them sooner"})
	}
	if d := f.All.Told.Found; d.N > 0 {
		out = append(out, tile{"Found to told", lasting(d.Median), "half of them sooner"})
	}
	if n == 0 {
		return append(out, tile{"Refused for", "0 min", "no site refused"})
	}
	return append(out, tile{"Refused for", lasting(blocked), count(n, "block", "blocks")})
}

func unplaced(n int) string {
	if n == 0 {
		return ""
	}
	return "Not counted here: " + count(n, "listing", "listings") + " found after a pause or perhaps not new, so that nobody knows when they appeared."
}

func week(p *page, f Figures) (err error) {
	cells := newCells(f.All.Week)
	p.Week, err = drawn(func(width int) (template.HTML, error) {
		return heatMap(cells, "h", width, "New listings by hour and day of the week")
	}, wide)
	if err == nil {
		p.Hours, err = drawn(func(width int) (template.HTML, error) { return hourBars(f.All.Week, width) }, wide)
	}
	return err
}

// told is about how soon the user knew.
func told(p *page, f Figures) error {
	t := f.All.Told
	for _, part := range []struct {
		title, variable string
		delay           Delay
	}{{"From publication to told", "h5", t.Published}, {"From found to told", "s5", t.Found}} {
		if part.delay.N == 0 {
			continue
		}
		c, err := drawn(func(width int) (template.HTML, error) {
			return delayBars(part.delay, part.variable, width, part.title)
		}, half)
		if err != nil {
			return err
		}
		p.Told.Charts = append(p.Told.Charts, titled{part.title, delayText(part.delay), c})
	}
	p.Told.Text = toldText(t)
	for _, s := range f.Searches {
		if s.Told.Found.N > 0 {
			p.Told.Rows = append(p.Told.Rows, toldRow{s.Name, number(s.Told.Found.N),
				median(s.Told.Published), median(s.Told.Found), lasting(s.Told.Found.Slowest)})
		}
	}
	return nil
}

func median(d Delay) string {
	if d.N == 0 {
		return "–"
	}
	return lasting(d.Median)
}

func delayText(d Delay) string {
	return fmt.Sprintf("%s: half within %s, nine of ten within %s, the slowest %s.",
		count(d.N, "listing", "listings"), lasting(d.Median), lasting(d.Slow), lasting(d.Slowest))
}

func toldText(t Told) string {
	var said []string
	if t.Published.N+t.Found.N == 0 {
		said = append(said, "Nothing has been told yet.")
	}
	if t.Undated > 0 {
		said = append(said, fmt.Sprintf("Of %s the portal shows no time of publication, or only the day.", count(t.Undated, "listing", "listings")))
	}
	if t.Waiting > 0 {
		said = append(said, fmt.Sprintf("%s still waiting to be told.", count(t.Waiting, "is", "are")))
	}
	return sentence(said)
}

func checks(p *page, f Figures) (err error) {
	p.Checks, err = checksOf(f.All)
	return err
}

// checksPart tells how checks went. Those that read the page are so many that the
// others, which matter, would not be seen on top of them: they have a chart of
// their own.
type checksPart struct {
	Text      string
	Fine, Not chart
	Legend    []key
	AllFine   string // instead of Not
}

func checksOf(s Search) (part checksPart, err error) {
	part.Text = checksText(s)
	part.Fine, err = drawn(func(width int) (template.HTML, error) {
		return dayBars(s.Days, []Class{Fine}, width, "Checks by day that read the page")
	}, half)
	if err != nil {
		return part, err
	}
	var bad []Class
	for c, n := range totals(s.Days) {
		if n > 0 && Class(c) != Fine {
			bad = append(bad, Class(c))
			part.Legend = append(part.Legend, key{Class(c).variable(), Class(c).String()})
		}
	}
	if len(bad) == 0 {
		part.AllFine = "Every check has read the page."
		return part, nil
	}
	part.Not, err = drawn(func(width int) (template.HTML, error) {
		return dayBars(s.Days, bad, width, "Checks by day that did not read the page")
	}, half)
	return part, err
}

func totals(days []Day) (sums [classes]int) {
	for _, d := range days {
		for c, n := range d.Checks {
			sums[c] += n
		}
	}
	return sums
}

func checksText(s Search) string {
	said := count(s.Checks, "check", "checks") + ": " + percent(s.Fine, s.Checks) + " read"
	for c, n := range totals(s.Days) {
		if n > 0 && Class(c) != Fine {
			said += ", " + number(n) + " " + Class(c).String()
		}
	}
	return said + "."
}

func blockPart(p *page, f Figures) error {
	type placed struct {
		host string
		Block
	}
	var all []placed
	for _, h := range f.Hosts {
		longest := slices.MaxFunc(h.Blocks, func(a, b Block) int { return int(a.Length() - b.Length()) })
		strip, err := drawn(func(width int) (template.HTML, error) {
			return blockStrip(h.Blocks, f.From, f.To, width, "Blocks of "+h.Name)
		}, wide)
		if err != nil {
			return err
		}
		p.Hosts = append(p.Hosts, hostPart{h.Name, count(len(h.Blocks), "block", "blocks") + ", the longest " + blockLength(longest), strip})
		for _, b := range h.Blocks {
			all = append(all, placed{h.Name, b})
		}
	}
	if len(all) == 0 {
		p.BlocksText = "No site has refused Notifio in this time."
		return nil
	}
	slices.SortStableFunc(all, func(a, b placed) int { return b.From.Compare(a.From) })
	if more := len(all) - maxBlocks; more > 0 {
		p.BlocksOmitted = "And " + number(more) + " earlier."
		all = all[:maxBlocks]
	}
	for _, b := range all {
		p.Blocks = append(p.Blocks, blockRow{b.host, moment(b.From), blockLength(b.Block),
			listed(b.Reason, count(b.Refusals, "refused check", "refused checks"))})
	}
	var err error
	p.Dates, err = drawn(func(width int) (template.HTML, error) { return timeAxis(f.From, f.To, width) }, wide)
	return err
}
