package monitor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"
)

// ErrLeft says that a call did not come back within its limit and was left behind.
var ErrLeft = errors.New("it did not come back")

// Fault is a panic in our own code. It costs what was being done, and not the program.
type Fault struct{ Panic any }

func (f *Fault) Error() string {
	return fmt.Sprintf("a fault in Notifio (%v): please report this, with the activity log", f.Panic)
}

// late is how long after the end of its context a call may still answer.
const late = 5 * time.Second

// Call runs f, which has to do with the world outside, and always comes back. The
// context of f ends after limit; an f that is still at work a moment after that is left
// behind, and the error wraps ErrLeft. A panic in f is logged and returned as a *Fault.
// Whatever leaves one of the three machines goes through here.
func Call[T any](ctx context.Context, log *slog.Logger, limit time.Duration, f func(context.Context) (T, error)) (T, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	type answer struct {
		value T
		err   error
	}
	came := make(chan answer, 1)
	go func() {
		v, err := guarded(log, func() (T, error) { return f(ctx) })
		came <- answer{v, err}
	}()
	select {
	case a := <-came:
		return a.value, a.err
	case <-ctx.Done():
	}
	patience := time.NewTimer(late)
	defer patience.Stop()
	select {
	case a := <-came:
		return a.value, a.err
	case <-patience.C:
		var none T
		return none, fmt.Errorf("%w within %v", ErrLeft, limit+late)
	}
}

// guarded runs f and makes an error of a panic in it. The log has the place in the
// code, for whoever reports it.
func guarded[T any](log *slog.Logger, f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &Fault{p}
			log.Error(err.Error(), "where", string(debug.Stack()))
		}
	}()
	return f()
}
