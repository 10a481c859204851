//go:build !windows && !darwin

package tray

import "fyne.io/systray"

// start starts the library, which speaks D-Bus here and needs no event loop. It may be called again after the bus has come back: the menu is
// kept. Icon and texts are set beforehand, or they may be missed; the item is
// known to panels by its title.
func (n *native) start(m Model) (first bool) {
	defer n.survive()
	first = n.items == nil
	systray.SetTitle("Notifio")
	n.show(changes{icon: m.Icon, tooltip: m.Tooltip})
	built := make(chan struct{})
	begin, end := systray.RunWithExternalLoop(func() {
		defer close(built)
		if first {
			n.build(m.Items)
		}
	}, nil)
	n.end = end
	n.running.Store(true)
	begin()
	<-built
	return first
}
