package deliver

import (
	"fmt"
	"slices"
	"strings"

	"notifio.app/notifio/monitor"
)

// singleBanners is how many listings of one cycle have a banner each; the others are
// counted in one.
const singleBanners = 3

// budget counts the banners of a cycle, and keeps those that quiet hours hold back.
type budget struct {
	shown   int
	quiet   bool             // quiet hours have held something back
	held    []monitor.Banner // troubles; listings are held in the ledger
	refused map[string]bool  // alerts that had a banner because their email was refused
}

// refusal says whether a refused alert has no banner for that yet, and notes it.
func (b *budget) refusal(id string) bool {
	if b.refused == nil {
		b.refused = map[string]bool{}
	}
	first := !b.refused[id]
	b.refused[id] = true
	return first
}

// silent are the alerts that had no banner yet.
func (t *Teller) silent() []monitor.Alert {
	return slices.DeleteFunc(slices.Clone(t.box.Alerts), func(a monitor.Alert) bool { return a.Bannered })
}

// announce shows banners for what is new, or leaves them for the end of the quiet hours;
// then one sums up. A banner is written down before it is shown, so that no listing has
// two; where banners are all that is told it is written down after, so that none has
// none.
func (t *Teller) announce() {
	t.shown()
	silent := t.silent()
	if t.quiet() {
		t.banners.quiet = t.banners.quiet || len(silent) > 0
		return
	}
	if len(silent)+len(t.banners.held) == 0 || len(t.owed) > 0 {
		return
	}
	var c monitor.Change
	for _, a := range silent {
		c.Bannered = append(c.Bannered, a.ID)
		if slices.Contains(a.Pending, monitor.BannerRecipient) {
			c.Deliveries = append(c.Deliveries, monitor.Delivery{Alert: a.ID, Destination: monitor.BannerRecipient, Told: t.now()})
		}
	}
	if len(c.Deliveries) == 0 {
		t.save(c)
		c = monitor.Change{}
	}
	t.show(silent)
	if len(c.Deliveries) > 0 {
		t.save(c)
	}
	t.read()
	t.opts.Told()
}

// shown closes what had its banner before banners were all that is told.
func (t *Teller) shown() {
	var c monitor.Change
	for _, a := range t.box.Alerts {
		if a.Bannered && slices.Contains(a.Pending, monitor.BannerRecipient) {
			c.Deliveries = append(c.Deliveries, monitor.Delivery{Alert: a.ID, Destination: monitor.BannerRecipient, Told: t.now()})
		}
	}
	if len(c.Deliveries) > 0 && len(t.owed) == 0 {
		t.save(c)
		t.read()
	}
}

// show shows banners for alerts and for what quiet hours have held back.
func (t *Teller) show(alerts []monitor.Alert) {
	held := t.banners.held
	t.banners.held = nil
	if !t.settings.Banners {
		return
	}
	var told []monitor.Alert
	for _, h := range byHome(alerts) {
		told = append(told, h.says)
	}
	switch {
	case len(held) > 0 || t.banners.quiet:
		t.opts.Notifier.Notify(sumUp(told, held))
	case t.banners.shown+len(told) <= singleBanners:
		for _, a := range told {
			t.opts.Notifier.Notify(bannerFor(a))
		}
	default:
		t.opts.Notifier.Notify(countingBanner(told))
	}
	t.banners.shown += len(told)
	t.banners.quiet = false
}

// notice shows a banner about something else than a listing.
func (t *Teller) notice(b monitor.Banner) {
	switch {
	case !t.settings.Banners:
	case t.quiet():
		t.banners.held = append(t.banners.held, b)
	default:
		t.opts.Notifier.Notify(b)
	}
}

func (t *Teller) quiet() bool { return t.settings.Quiet.At(t.now()) }

// bannerFor tells one listing: what it costs and where it is, then what it is and who
// found it.
func bannerFor(a monitor.Alert) monitor.Banner {
	return monitor.Banner{Title: a.Headline(), Body: details(a), URL: a.Listing.URL}
}

func details(a monitor.Alert) string {
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
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), sep)
}

// countingBanner tells several listings at once; they are in the menu.
func countingBanner(alerts []monitor.Alert) monitor.Banner {
	var lines []string
	for _, a := range alerts[:min(len(alerts), singleBanners)] {
		lines = append(lines, a.Headline())
	}
	if more := len(alerts) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return monitor.Banner{Title: news(len(alerts)), Body: strings.Join(lines, "\n")}
}

func news(n int) string {
	if n == 1 {
		return "1 new listing"
	}
	return fmt.Sprintf("%d new listings", n)
}

// sumUp is the one banner at the end of the quiet hours.
func sumUp(alerts []monitor.Alert, held []monitor.Banner) monitor.Banner {
	if len(alerts) == 0 && len(held) == 1 {
		return held[0]
	}
	if len(alerts) == 1 && len(held) == 0 {
		return bannerFor(alerts[0])
	}
	b := monitor.Banner{Title: "While it was quiet"}
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
