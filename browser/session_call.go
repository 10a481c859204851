package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"
)

// errLate is the cause of a context that ends by a deadline of ours, which is
// never the caller's.
var errLate = errors.New("no answer in time")

// errGone says that the browser, or the driver in between, has ended.
var errGone = errors.New("the browser ended")

// within makes one call to the driver and waits for it until ctx ends or the
// engine does. A call that is not back by then is left behind: it ends with its
// page, or at the latest with the driver, and its value goes to orphan, which may
// be nil.
func within[T any](ctx context.Context, gone <-chan struct{}, orphan func(T), call func() (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	var none T
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	back := make(chan answer)
	left := make(chan struct{})
	go func() {
		var a answer
		a.value, a.err = guarded(call)
		select {
		case back <- a:
		case <-left:
			if a.err == nil && orphan != nil {
				orphan(a.value)
			}
		}
	}()
	select {
	case a := <-back:
		return a.value, a.err
	case <-ctx.Done():
		close(left)
		return none, context.Cause(ctx)
	case <-gone:
		close(left)
		return none, errGone
	}
}

// guarded turns a panic of the driver's library, which has met an answer that it
// did not expect, into an error.
func guarded[T any](call func() (T, error)) (value T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("playwright: %v", p)
		}
	}()
	return call()
}

// do is within for a call that has no value.
func do(ctx context.Context, gone <-chan struct{}, call func() error) error {
	_, err := within(ctx, gone, nil, func() (struct{}, error) { return struct{}{}, call() })
	return err
}

// limit gives ctx a deadline of ours.
func limit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeoutCause(ctx, d, errLate)
}

// closed says whether err means that page, browser or driver is not there any
// more. The library has no one error for it: a driver that died answers
// `Connection closed`, and a page that went away quotes Chromium.
func closed(err error) bool {
	if err == nil {
		return false
	}
	if errors.Is(err, errGone) || errors.Is(err, playwright.ErrTargetClosed) {
		return true
	}
	text := err.Error()
	for _, mark := range []string{"Connection closed", "transport closed", "could not send message", "has been closed", "Target closed"} {
		if strings.Contains(text, mark) {
			return true
		}
	}
	return false
}

// firstLine shortens an error of the driver, which may carry pages of Chromium's
// log, to what fits into a row.
func firstLine(err error) string {
	text, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	text = strings.TrimPrefix(text, "playwright: ")
	const longest = 200
	if r := []rune(text); len(r) > longest {
		text = string(r[:longest]) + "…"
	}
	return text
}
