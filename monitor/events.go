package monitor

import (
	"context"
	"sync"
)

// Events are functions that wait for the one goroutine that owns what they touch.
// Handing one over never blocks, so the three machines can call each other.
type Events struct {
	mu      sync.Mutex
	waiting []func()
	some    chan struct{} // holds a token while any wait
	done    chan struct{} // closed by Close
}

// NewEvents makes a queue that is empty and open.
func NewEvents() *Events {
	return &Events{some: make(chan struct{}, 1), done: make(chan struct{})}
}

// Do hands f over. After Close it is not run.
func (e *Events) Do(f func()) {
	e.mu.Lock()
	e.waiting = append(e.waiting, f)
	e.mu.Unlock()
	select {
	case e.some <- struct{}{}:
	default:
	}
}

// Ask is Do for callers that need an answer: that of f, of ctx, or context.Canceled
// after Close.
func (e *Events) Ask(ctx context.Context, f func() error) error {
	answer := make(chan error, 1)
	e.Do(func() { answer <- f() })
	select {
	case err := <-answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	case <-e.done:
		return context.Canceled
	}
}

// Some says that Run has something to do.
func (e *Events) Some() <-chan struct{} { return e.some }

// Run runs what waits, in the order in which it came.
func (e *Events) Run() {
	e.mu.Lock()
	waiting := e.waiting
	e.waiting = nil
	e.mu.Unlock()
	for _, f := range waiting {
		f()
	}
}

// Close says that nothing is run any more.
func (e *Events) Close() { close(e.done) }

// Done is closed by Close.
func (e *Events) Done() <-chan struct{} { return e.done }
