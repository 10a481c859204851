package mail

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/monitor"
)

func TestATestMessageArrivesAndSaysHow(t *testing.T) {
	for _, c := range []struct {
		options inbox.Options
		says    string
	}{
		{inbox.Options{InMemory: true}, "over STARTTLS, logged in as ana"},
		{inbox.Options{InMemory: true, TLS: true}, "over TLS, logged in as ana"},
	} {
		synctest.Test(t, func(t *testing.T) {
			in := inbox.Start(t, c.options)
			said, err := mustServer(t, account(in, TLSAuto)).Test(t.Context(), "reader@example.com")
			if err != nil || !strings.Contains(said, c.says) || !strings.Contains(said, "reader@example.com") || strings.Contains(said, "\n") {
				t.Errorf("%q, %v", said, err)
			}
			got := in.Messages()
			if len(got) != 1 || got[0].Subject() != "Notifio: test message" || !strings.Contains(got[0].Text(), "It has arrived") {
				t.Errorf("arrived: %+v", got)
			}
		})
	}
}

func TestATestMessageNamesTheStepThatFailed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		in.Fail(inbox.AtAuth, answers("535 5.7.8 no"))
		_, err := mustServer(t, account(in, TLSAuto)).Test(t.Context(), "reader@example.com")
		judge(t, err, monitor.AccountRefused, in.Addr()+": login refused", "run notifio password")
	})
	in := inbox.Start(t, inbox.Options{})
	_, err := mustServer(t, account(in, TLSAuto)).Test(t.Context(), "nobody")
	judge(t, err, monitor.AccountRefused, "recipient", "mend `to`")
}

func TestATestMessageForTheFolder(t *testing.T) {
	dir := t.TempDir()
	said, err := NewFolder(dir).Test(t.Context())
	if got := inFolder(t, dir, "new"); err != nil || !strings.Contains(said, dir) || len(got) != 1 || got[0].Subject() != "Notifio: test message" {
		t.Errorf("%q, %v, %+v", said, err, got)
	}
}

func TestResolve(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	for host, want := range map[string]bool{"127.0.0.1": true, "::1": true, "localhost": true, "": false, "no.such.host.invalid": false} {
		if err := Resolve(ctx, host); (err == nil) != want {
			t.Errorf("%q: %v", host, err)
		}
	}
}
