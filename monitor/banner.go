package monitor

import (
	"fmt"
	"strings"
	"time"
)

// singleBanners is how many listings of one cycle have a banner each; the others
// are counted in one.
const singleBanners = 3

// bannerBudget counts the banners of a cycle, and keeps those that quiet hours
// hold back.
type bannerBudget struct {
	shown int
	held  []Banner // troubles; listings are held in the outbox
}

func (b *bannerBudget) reset() { b.shown = 0 }

// announce shows banners for fresh alerts, once each, or leaves them for the end
// of the quiet hours. It is called when they are safely on disk.
func (m *Monitor) announce() {
	if len(m.outbox.fresh) == 0 || m.quiet() {
		return
	}
	alerts := m.takeFresh()
	if !m.settings.Banners || len(alerts) == 0 {
		return
	}
	if m.banners.shown+len(alerts) <= singleBanners {
		for _, a := range alerts {
			m.opts.Notifier.Notify(bannerFor(a))
		}
	} else {
		m.opts.Notifier.Notify(countingBanner(alerts))
	}
	m.banners.shown += len(alerts)
}

// takeFresh marks the fresh alerts as shown, on disk as well.
func (m *Monitor) takeFresh() []Alert {
	var alerts []Alert
	for _, id := range m.outbox.fresh {
		if a, ok := m.outbox.open[id]; ok {
			a.Bannered = true
			m.outbox.open[id] = a
			alerts = append(alerts, a)
		}
	}
	m.outbox.fresh = nil
	m.save(Change{Alerts: alerts})
	return alerts
}

// notice shows a banner about something else than a listing.
func (m *Monitor) notice(b Banner) {
	switch {
	case !m.settings.Banners:
	case m.quiet():
		m.banners.held = append(m.banners.held, b)
	default:
		m.opts.Notifier.Notify(b)
	}
}

func (m *Monitor) quiet() bool { return m.settings.Quiet.At(m.now()) }

// endQuiet shows what quiet hours have held back, in one banner, and says
// whether there was anything.
func (m *Monitor) endQuiet(now time.Time) bool {
	if len(m.banners.held) == 0 && len(m.outbox.fresh) == 0 || m.settings.Quiet.At(now) {
		return false
	}
	held := m.banners.held
	m.banners.held = nil
	alerts := m.takeFresh()
	if !m.settings.Banners {
		return true
	}
	m.opts.Notifier.Notify(sumUp(alerts, held))
	return true
}

// bannerFor tells one listing: what it costs and where it is, then what it is
// and who found it.
func bannerFor(a Alert) Banner {
	return Banner{Title: headline(a), Body: details(a), URL: a.Listing.URL}
}

// headline is a listing in a few words.
func headline(a Alert) string {
	price := a.Listing.Price.Text
	if a.Was.Amount > 0 {
		price = a.Was.Text + " → " + price
	}
	place := a.Listing.Address
	if place == "" {
		place = a.Listing.Title
	}
	if place == "" {
		place = a.Listing.URL
	}
	switch a.Kind {
	case PriceDrop:
		place = "Cheaper: " + place
	case Back:
		place = "Back on the market: " + place
	}
	return joined(" · ", price, place)
}

func details(a Alert) string {
	var area, rooms, title string
	if a.Listing.AreaM2 > 0 {
		area = fmt.Sprintf("%g m²", a.Listing.AreaM2)
	}
	switch {
	case a.Listing.Rooms == 1:
		rooms = "1 room"
	case a.Listing.Rooms > 1:
		rooms = fmt.Sprintf("%g rooms", a.Listing.Rooms)
	}
	if a.Listing.Address != "" {
		title = a.Listing.Title
	}
	return joined("\n", title, joined(", ", area, rooms, a.Doubt), strings.Join(a.Searches, ", "))
}

// joined joins what is not empty.
func joined(sep string, parts ...string) string {
	var there []string
	for _, p := range parts {
		if p != "" {
			there = append(there, p)
		}
	}
	return strings.Join(there, sep)
}

// countingBanner tells several listings at once; they are in the menu.
func countingBanner(alerts []Alert) Banner {
	var lines []string
	for _, a := range alerts[:min(len(alerts), singleBanners)] {
		lines = append(lines, headline(a))
	}
	if more := len(alerts) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return Banner{Title: news(len(alerts)), Body: strings.Join(lines, "\n")}
}

func news(n int) string {
	if n == 1 {
		return "1 new listing"
	}
	return fmt.Sprintf("%d new listings", n)
}

// sumUp is the one banner at the end of the quiet hours.
func sumUp(alerts []Alert, held []Banner) Banner {
	if len(alerts) == 0 && len(held) == 1 {
		return held[0]
	}
	if len(alerts) == 1 && len(held) == 0 {
		return bannerFor(alerts[0])
	}
	b := Banner{Title: "While it was quiet"}
	var lines []string
	if len(alerts) > 0 {
		counted := countingBanner(alerts)
		b.Title = counted.Title + " while it was quiet"
		lines = append(lines, counted.Body)
	}
	for _, h := range held {
		lines = append(lines, h.Title)
	}
	b.Body = strings.Join(lines, "\n")
	return b
}
