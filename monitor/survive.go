package monitor

import (
	"fmt"
	"log/slog"
	"runtime/debug"
)

// survived runs f and returns what it returned, or what broken makes of a panic in it.
// What a page or a mail server has brought about costs one check or one email, and not
// the program. The log has the place in the code, which who reports it can copy.
func survived[T any](log *slog.Logger, f func() T, broken func(error) T) (v T) {
	defer func() {
		if p := recover(); p != nil {
			err := fmt.Errorf("a fault in Notifio (%v): please report this, with the activity log", p)
			log.Error(err.Error(), "where", string(debug.Stack()))
			v = broken(err)
		}
	}()
	return f()
}
