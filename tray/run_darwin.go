package tray

import (
	"context"
	"time"
)

// Run shows the icon until ctx ends. It has to be called on the main goroutine,
// once in a process.
func (t *Tray) Run(ctx context.Context) error {
	hosts := make(chan host, 1)
	n := newNative(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.live(ctx, n, hosts)
	}()
	if ctx.Err() != nil {
		return nil
	}
	n.loop(func() { offer(hosts, host{ok: true}) })
	select {
	case <-done:
	case <-time.After(farewell):
	}
	return nil
}

// Available says whether the icon can be shown: the menu bar is always there.
func Available(context.Context) (ok bool, reason string) { return true, "" }
