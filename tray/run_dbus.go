//go:build !windows && !darwin

package tray

import (
	"context"
	"time"
)

// Run shows the icon whenever a panel can show it, until ctx ends; then it returns
// within a second. It may be called once in a process, and on any goroutine.
func (t *Tray) Run(ctx context.Context) error {
	hosts := make(chan host, 1)
	go watchHosts(ctx, hosts)
	done := make(chan struct{})
	go func() {
		defer close(done)
		t.live(ctx, newNative(ctx), hosts)
	}()
	<-ctx.Done()
	select {
	case <-done:
	case <-time.After(farewell): // a bus that hangs does not hold up Quit
	}
	return nil
}
