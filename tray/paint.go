package tray

import (
	"strconv"
	"time"

	"notifio.app/notifio/assets"
)

// painter knows what the system's menu shows at present and finds the fewest
// changes that lead to another model. Every change costs three messages to the
// panel, and an open menu may close its submenu on each.
type painter struct {
	drawn   []drawn // per item, in the order of flatten
	icon    assets.Icon
	tooltip string
	state   string // Item.State of the header when the tooltip was sent
}

// drawn is what one item shows, and so what a click on it means: a label may be
// behind the model.
type drawn struct {
	label, state              string
	visible, enabled, checked bool
	do                        Action
	sent                      time.Time // the last label; zero: none since the menu was built
}

// labelPace is how long a label stays, so that a row that changes all the time costs
// the panel no more than a countdown does. Steps may come a little early.
const labelPace = step - step/20

// change is what has to be sent for one item. Relabel comes before Show, so that
// an item never appears with an old text.
type change struct {
	at                                   int
	relabel, show, hide, enable, disable bool
	check, uncheck                       bool
	label                                string
	due                                  time.Time // when a label that waits may be sent
}

// changes is what has to be sent for one model.
type changes struct {
	items   []change
	icon    assets.Icon // "" for none
	tooltip string      // "" for none
	due     time.Time   // when a label that has to wait may be sent; zero: none waits
}

// flatten lists items depth first, a parent before its children: the order in
// which they are built and counted.
func flatten(items []Item) []Item {
	var flat []Item
	for _, it := range items {
		flat = append(flat, it)
		flat = append(flat, flatten(it.Children)...)
	}
	return flat
}

// start takes over a menu that was just built from m.
func (p *painter) start(m Model) {
	p.drawn = p.drawn[:0]
	for _, it := range flatten(m.Items) {
		p.drawn = append(p.drawn, drawn{label: it.Label, state: it.State, visible: it.Visible, enabled: it.Enabled, checked: it.Checked, do: it.Do})
	}
}

// hurry lets every label move once more at once: the user has clicked, and looks for
// what comes of it.
func (p *painter) hurry() {
	for i := range p.drawn {
		p.drawn[i].sent = time.Time{}
	}
}

// paint returns what leads from what is drawn to m at the time now, and takes it as
// drawn. At a step every label may move; between steps only what changed its state
// does; and none moves again within labelPace. A hidden item is left alone: on
// Windows it would reappear when it is relabelled.
func (p *painter) paint(m Model, now time.Time, atStep bool) changes {
	var out changes
	flat := flatten(m.Items)
	groups := p.groups(flat)
	for i, it := range flat {
		c, needed := p.drawn[i].update(it, groups[p.group(i, it)], now, atStep)
		if needed {
			c.at = i
			out.items = append(out.items, c)
		}
		if !c.due.IsZero() && (out.due.IsZero() || c.due.Before(out.due)) {
			out.due = c.due
		}
	}
	if m.Icon != p.icon {
		p.icon, out.icon = m.Icon, m.Icon
	}
	if m.Tooltip != p.tooltip && (atStep || out.icon != "" || flat[0].State != p.state) {
		p.tooltip, p.state, out.tooltip = m.Tooltip, flat[0].State, m.Tooltip
	}
	return out
}

// group is what moves together: several items, or one alone.
type group struct {
	moved bool      // one of them is about something else than before
	sent  time.Time // the last label of any
}

// groups looks at every item before any of them is drawn.
func (p *painter) groups(flat []Item) map[string]group {
	all := map[string]group{}
	for i, it := range flat {
		if it.Separator || !it.Visible {
			continue
		}
		d, name := p.drawn[i], p.group(i, it)
		g := all[name]
		g.moved = g.moved || it.Label != d.label && it.State != d.state
		if d.sent.After(g.sent) {
			g.sent = d.sent
		}
		all[name] = g
	}
	return all
}

func (*painter) group(i int, it Item) string {
	if it.Group != "" {
		return it.Group
	}
	return strconv.Itoa(i) // no host is called so
}

// update brings one item up to date and says what that takes.
func (d *drawn) update(it Item, g group, now time.Time, atStep bool) (change, bool) {
	var c change
	if it.Separator {
		return c, false
	}
	if !it.Visible {
		c.hide = d.visible
		d.visible = false
		return c, c.hide
	}
	if c.show = !d.visible; c.show && it.Label != d.label && now.Sub(d.sent) < labelPace {
		c.show, c.due = false, d.sent.Add(labelPace) // it comes back with its new label
		return c, false
	}
	d.visible = true
	d.relabel(it, g, now, atStep, &c)
	c.enable, c.disable = it.Enabled && !d.enabled, !it.Enabled && d.enabled
	c.check, c.uncheck = it.Checked && !d.checked, !it.Checked && d.checked
	d.enabled, d.checked = it.Enabled, it.Checked
	return c, c.show || c.relabel || c.enable || c.disable || c.check || c.uncheck
}

// relabel sends the label, or lets it wait, and with it what a click means.
func (d *drawn) relabel(it Item, g group, now time.Time, atStep bool, c *change) {
	switch {
	case it.Label == d.label:
	case c.show, (g.moved || atStep) && now.Sub(g.sent) >= labelPace:
		c.relabel, c.label = true, it.Label
		d.label, d.sent = it.Label, now
	case g.moved:
		c.due = g.sent.Add(labelPace)
		return
	default:
		return // a countdown: the click means the same
	}
	d.state, d.do = it.State, it.Do
}
