package monitor

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// signIn is a sign-in window, from the moment somebody asks for one.
type signIn struct {
	host  string
	ready chan struct{} // closed when nothing uses the profile any more
	given bool          // ready is closed
}

// SignIn hands the browser's profile over to a window in which the user signs in to
// a host, or answers what it asks, and returns when checks go on. Until then no
// search of any host is checked; a cycle in flight is cut short. open shows the
// window and returns when it is closed, soon after its context ends at the latest:
// that is after Timing.SignInLimit, and an open that hangs is left behind. When the window has been there, the host is
// asked again at once, as after SessionRenewed.
//
// The error is that of open, wraps ErrLeft, or says that there is a window already.
func (m *Monitor) SignIn(ctx context.Context, hostName string, open func(context.Context) error) error {
	s := &signIn{host: hostName, ready: make(chan struct{})}
	if err := m.ask(ctx, func() error { return m.handOver(s) }); err != nil {
		return err
	}
	defer m.do(func() { m.takeBack(s) })
	select {
	case <-s.ready:
	case <-m.events.Done():
		return context.Canceled
	case <-ctx.Done():
		return ctx.Err()
	}
	reminder := time.AfterFunc(m.timing.SignInRemind, func() { m.do(func() { m.remind(s) }) })
	defer reminder.Stop()
	forgotten, err := Call(ctx, m.log, m.timing.SignInLimit, func(over context.Context) (bool, error) {
		err := open(over)
		return over.Err() != nil, err
	})
	if err != nil {
		return err
	}
	if ctx.Err() == nil && forgotten {
		m.do(func() { m.closedForUser(s) })
	}
	m.SessionRenewed(hostName)
	return nil
}

// errSigningIn is the answer to whoever wants a second window.
var errSigningIn = errors.New("a sign-in window is open already")

// handOver lets go of the profile: nothing new begins, and what is in flight is cut
// short, but for a reply that is about to be sent: that is finished.
func (m *Monitor) handOver(s *signIn) error {
	if m.signing != nil {
		return fmt.Errorf("%w, for %s: close that one first", errSigningIn, m.signing.host)
	}
	m.signing = s
	m.cut()
	m.stopReply()
	m.nextCycle = time.Time{}
	m.log.Info("Signing in to " + s.host + ". Checks wait until the window is closed")
	return nil
}

// giveProfile says that the window may open, once nothing is in its way.
func (m *Monitor) giveProfile() {
	if s := m.signing; s != nil && !s.given && m.cutChecks == 0 && !m.resting && m.replies.now == nil {
		s.given = true
		close(s.ready)
	}
}

// takeBack lets the checks go on.
func (m *Monitor) takeBack(s *signIn) {
	if m.signing != s {
		return
	}
	m.signing = nil
	m.log.Info("The sign-in window is closed. Checks go on", "host", s.host)
	m.hasten(0)
}

func (m *Monitor) remind(s *signIn) {
	if m.signing != s {
		return
	}
	m.notice(Banner{
		Title: "The sign-in window is still open",
		Body: fmt.Sprintf("No search is checked until you close it. In %s it is closed for you.",
			roughly(m.timing.SignInLimit-m.timing.SignInRemind)),
	})
}

func (m *Monitor) closedForUser(s *signIn) {
	m.log.Warn("The sign-in window was left open and has been closed", "host", s.host)
	m.notice(Banner{
		Title: "The sign-in window was closed",
		Body:  "Searches are checked again. If you have not signed in to " + s.host + " yet, open the window once more.",
	})
}
