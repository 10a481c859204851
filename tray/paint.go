package tray

import "notifio.app/notifio/assets"

// painter knows what the system's menu shows at present and finds the fewest
// changes that lead to another model. Every change costs three messages to the
// panel, and an open menu may close its submenu on each.
type painter struct {
	drawn   []drawn // per item, in the order of flatten
	icon    assets.Icon
	tooltip string
	state   string // Item.State of the header when the tooltip was sent
}

type drawn struct {
	label, state              string
	visible, enabled, checked bool
}

// change is what has to be sent for one item. Relabel comes before Show, so that
// an item never appears with an old text.
type change struct {
	at                                   int
	relabel, show, hide, enable, disable bool
	check, uncheck                       bool
	label                                string
}

// changes is what has to be sent for one model.
type changes struct {
	items   []change
	icon    assets.Icon // "" for none
	tooltip string      // "" for none
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
		p.drawn = append(p.drawn, drawn{it.Label, it.State, it.Visible, it.Enabled, it.Checked})
	}
}

// paint returns what leads from what is drawn to m, and takes it as drawn. At a
// step every label may move; between steps only what changed its state does. A
// hidden item is left alone: on Windows it would reappear when it is relabelled.
func (p *painter) paint(m Model, atStep bool) changes {
	var out changes
	flat := flatten(m.Items)
	for i, it := range flat {
		if c, needed := p.drawn[i].update(it, atStep); needed {
			c.at = i
			out.items = append(out.items, c)
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

// update brings one item up to date and says what that takes.
func (d *drawn) update(it Item, atStep bool) (change, bool) {
	var c change
	if it.Separator {
		return c, false
	}
	if !it.Visible {
		c.hide = d.visible
		d.visible = false
		return c, c.hide
	}
	c.show = !d.visible
	d.visible = true
	if it.Label != d.label && (atStep || c.show || it.State != d.state) {
		c.relabel, c.label = true, it.Label
		d.label, d.state = it.Label, it.State
	} else if it.Label == d.label {
		d.state = it.State
	}
	c.enable, c.disable = it.Enabled && !d.enabled, !it.Enabled && d.enabled
	c.check, c.uncheck = it.Checked && !d.checked, !it.Checked && d.checked
	d.enabled, d.checked = it.Enabled, it.Checked
	return c, c.show || c.relabel || c.enable || c.disable || c.check || c.uncheck
}
