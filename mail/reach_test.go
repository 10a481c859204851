package mail

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/monitor"
)

func TestReachNeitherLogsInNorSends(t *testing.T) {
	for _, c := range []struct {
		options inbox.Options
		says    string
	}{
		{inbox.Options{InMemory: true}, " answers over STARTTLS"},
		{inbox.Options{InMemory: true, TLS: true}, " answers over TLS"},
	} {
		synctest.Test(t, func(t *testing.T) {
			in := inbox.Start(t, c.options)
			said, err := mustServer(t, account(in, TLSAuto)).Reach(t.Context())
			if err != nil || said != in.Addr()+c.says {
				t.Errorf("%q, %v", said, err)
			}
			if s := in.State(); s.Logins() != 0 || len(s.Messages) != 0 {
				t.Errorf("%d logins, %d messages", s.Logins(), len(s.Messages))
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true, TLS: true})
		_, err := mustServer(t, account(in, TLSStart)).Reach(t.Context())
		judge(t, err, monitor.AccountRefused, in.Addr(), `set tls = "tls"`)
	})
}

func TestKeyringThatIsNotThereIsSaid(t *testing.T) {
	keyringAt(t, "autolaunch:")
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	err := Keyring(ctx)
	if err == nil || errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "no keyring") {
		t.Errorf("%v", err)
	}
}
