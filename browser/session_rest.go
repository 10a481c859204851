package browser

import (
	"context"
	"os"
	"time"
)

// memoryEvery is how many checks pass between two looks at the memory: reading
// it makes the kernel walk every page table of the browser.
const memoryEvery = 25

// Rest is called between cycles. It recycles a browser that has done its checks
// or has grown too big, and saves the session cookies now and then. It returns
// when that is done or ctx ends; a recycling that has begun goes on by itself.
func (b *Browser) Rest(ctx context.Context) {
	b.mu.Lock()
	e := b.engine
	b.mu.Unlock()
	if e == nil || e.isGone() {
		return
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.work.Wait()
		b.rest(e, e.sweep())
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

func (b *Browser) rest(e *engine, clean bool) {
	why := b.tired(e)
	if !clean && why == "" {
		why = "one of its pages does not close"
	}
	if why != "" {
		b.recycle(e, why)
		return
	}
	b.mu.Lock()
	due := time.Since(b.saved) >= b.limits.CookiePace
	b.mu.Unlock()
	if due {
		b.keepCookies(b.life, e)
	}
}

// tired says why a browser should be recycled, or "".
func (b *Browser) tired(e *engine) string {
	if e.chrome.pid == 0 {
		return "" // not ours
	}
	if e.program.replaced() {
		return "its program was replaced" // by an update: new pages of the old one may fail
	}
	e.mu.Lock()
	checks := e.checks
	e.mu.Unlock()
	if b.limits.Checks > 0 && checks >= b.limits.Checks {
		return "it has made its checks"
	}
	b.mu.Lock()
	due := checks-b.probed >= memoryEvery
	if due {
		b.probed = checks
	}
	b.mu.Unlock()
	if due && b.limits.Memory > 0 && memory(e.node.pid) > b.limits.Memory {
		return "it has grown too big"
	}
	return ""
}

// recycle ends a browser in order and launches another one in its place.
func (b *Browser) recycle(e *engine, why string) {
	b.mu.Lock()
	if b.engine != e || b.attempt != nil || b.life.Err() != nil {
		b.mu.Unlock()
		return
	}
	a := &attempt{done: make(chan struct{})}
	b.attempt = a // checks that come now wait for the new one
	b.mu.Unlock()
	b.log.Debug("recycling the browser", "because", why)
	b.keepCookies(b.life, e)
	e.end(b.life)
	b.try(a, e)
}

// program is a file as it was when it was started.
type program struct {
	path string
	info os.FileInfo // nil: it could not be looked at
}

func fileOf(path string) program {
	info, err := os.Stat(path)
	if err != nil {
		info = nil
	}
	return program{path, info}
}

// replaced says whether another file stands in its place. While there is none, an
// update may be under way, and what runs is better than nothing.
func (p program) replaced() bool {
	now, err := os.Stat(p.path)
	if err != nil || p.info == nil {
		return false
	}
	return !os.SameFile(p.info, now) || now.Size() != p.info.Size() || !now.ModTime().Equal(p.info.ModTime())
}
