//go:build windows || darwin

package tray

import "fyne.io/systray"

// loop runs the library's event loop on the calling goroutine, which has to be the
// main one, and calls ready when the system can show the icon.
func (n *native) loop(ready func()) {
	n.end = systray.Quit
	n.running.Store(true)
	systray.Run(func() {
		ready()
		if n.ctx.Err() != nil { // ended before there was anything to end
			n.stop()
		}
	}, nil)
}

// start builds the menu, once loop is ready.
func (n *native) start(m Model) (first bool) {
	if first = n.items == nil; first {
		n.build(m.Items)
	}
	n.show(changes{icon: m.Icon, tooltip: m.Tooltip})
	return first
}
