package tray

import (
	"context"

	"github.com/gen2brain/beeep"
	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// Run shows the banners that are handed to Notify, until ctx ends. A click opens
// nothing here: the newest listing is first in the menu.
func (n *Notifier) Run(ctx context.Context) error {
	beeep.AppName = appName
	for {
		select {
		case <-ctx.Done():
			return nil
		case b := <-n.queue:
			n.settle(beep(b))
		}
	}
}

func beep(b monitor.Banner) error {
	return beeep.Notify(printable(b.Title), printable(b.Body), assets.AppIcon())
}
