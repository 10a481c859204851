package tray

import (
	"context"
	"reflect"
	"runtime"
	"sync/atomic"

	"fyne.io/systray"
	"notifio.app/notifio/assets"
)

// native is the boundary to the tray library: this file, and how the library is
// started on a system, in native_dbus.go or native_loop.go. The library keeps
// global state and takes no locks in places: apart from loop, everything here is
// called by the one goroutine in Tray.live, and at most one native exists in a
// process.
type native struct {
	ctx     context.Context
	clicked chan int      // index of the item in the order of flatten
	opened  chan struct{} // the menu was opened (not reported on Windows)
	items   []*systray.MenuItem
	end     func()
	running atomic.Bool // the library has something to be ended
}

func newNative(ctx context.Context) *native {
	n := &native{ctx: ctx, clicked: make(chan int, 32), opened: make(chan struct{}, 1)}
	systray.TrayOpenedCh = n.opened
	return n
}

// stop takes the icon down. The library panics when its bus was never there.
func (n *native) stop() {
	defer n.survive()
	if n.running.Swap(false) {
		n.end()
	}
}

// survive keeps the program alive when the library panics, which it does when the
// bus dies while it is being told something. Whoever watches the bus starts it
// again.
func (n *native) survive() { _ = recover() }

// build makes the items for good. They are hidden only when all are there: Windows
// hangs a submenu onto a visible parent.
func (n *native) build(items []Item) {
	n.add(nil, items)
	for i, it := range flatten(items) {
		if n.items[i] != nil && !it.Visible {
			n.items[i].Hide()
		}
	}
	go n.listen()
}

func (n *native) add(parent *systray.MenuItem, items []Item) {
	for _, it := range items {
		if it.Separator {
			systray.AddSeparator()
			n.items = append(n.items, nil)
			continue
		}
		m := newItem(parent, it)
		// The library drops a click that nobody is waiting for at that moment.
		m.ClickedCh = make(chan struct{}, 8)
		if !it.Enabled {
			m.Disable()
		}
		n.items = append(n.items, m)
		n.add(m, it.Children)
	}
}

// newItem makes one item. Those with a checkbox are at the top level only.
func newItem(parent *systray.MenuItem, it Item) *systray.MenuItem {
	label := escapeMnemonic(it.Label, runtime.GOOS)
	switch {
	case parent != nil:
		return parent.AddSubMenuItem(label, "")
	case it.Checkbox:
		return systray.AddMenuItemCheckbox(label, "", it.Checked)
	}
	return systray.AddMenuItem(label, "")
}

// listen turns the channels of all items into one of indices.
func (n *native) listen() {
	cases := make([]reflect.SelectCase, len(n.items)+1)
	cases[len(n.items)] = reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(n.ctx.Done())}
	for i, m := range n.items {
		cases[i].Dir = reflect.SelectRecv // from no channel for a separator: never
		if m != nil {
			cases[i].Chan = reflect.ValueOf(m.ClickedCh)
		}
	}
	for {
		i, _, _ := reflect.Select(cases)
		if i == len(n.items) {
			return
		}
		select {
		case n.clicked <- i:
		case <-n.ctx.Done():
			return
		}
	}
}

// apply sends what has changed.
func (n *native) apply(c changes) {
	defer n.survive()
	n.show(c)
	for _, x := range c.items {
		m := n.items[x.at]
		if x.relabel {
			m.SetTitle(escapeMnemonic(x.label, runtime.GOOS))
		}
		switch {
		case x.enable:
			m.Enable()
		case x.disable:
			m.Disable()
		}
		switch {
		case x.check:
			m.Check()
		case x.uncheck:
			m.Uncheck()
		}
		switch {
		case x.show:
			m.Show()
		case x.hide:
			m.Hide()
		}
	}
}

// show sends icon and tooltip.
func (n *native) show(c changes) {
	defer n.survive()
	if c.tooltip != "" {
		systray.SetTooltip(fitTooltip(c.tooltip, runtime.GOOS))
	}
	if c.icon != "" {
		systray.SetTemplateIcon(iconBytes(c.icon, runtime.GOOS))
	}
}

// iconBytes is an icon as the system called goos takes it, after the template that
// macOS takes instead.
func iconBytes(i assets.Icon, goos string) (template, regular []byte) {
	if goos == "windows" {
		return i.Template(), i.ICO()
	}
	return i.Template(), i.PNG()
}
