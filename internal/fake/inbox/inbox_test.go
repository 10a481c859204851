package inbox_test

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/smtp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
)

const raw = "From: <a@example.com>\r\nTo: <b@example.com>\r\nSubject: =?UTF-8?q?=E2=82=AC1?=\r\n" +
	"Message-ID: <1@example.com>\r\nContent-Type: text/plain; charset=UTF-8\r\n\r\nhello\r\n"

// send leads a whole conversation with the library's own client.
func send(in *inbox.Inbox, password string) error {
	conn, err := in.Dial(context.Background(), "tcp", in.Addr())
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	c, err := smtp.NewClient(conn, in.Host())
	if err != nil {
		return err
	}
	if err := c.StartTLS(&tls.Config{ServerName: in.Host(), RootCAs: in.Roots(), MinVersion: tls.VersionTLS12}); err != nil {
		return err
	}
	if err := c.Auth(smtp.PlainAuth("", "ana", password, in.Host())); err != nil {
		return err
	}
	if err := errors.Join(c.Mail("a@example.com"), c.Rcpt("b@example.com")); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte(raw)); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return c.Quit()
}

func TestBothServersRecordTheSame(t *testing.T) {
	for _, memory := range []bool{false, true} {
		for _, scripted := range []bool{false, true} {
			in := inbox.Start(t, inbox.Options{InMemory: memory, Username: "ana", Password: "geheim"})
			if scripted {
				in.Fail(inbox.AtRecipient, inbox.Fault{Reply: "550 no", For: "nobody@example.com"})
			}
			if err := send(in, "geheim"); err != nil {
				t.Fatal(err)
			}
			m := in.MustWait(t, 1, 10*time.Second)[0]
			if m.From != "a@example.com" || strings.Join(m.To, ",") != "b@example.com" || m.Login != "ana" || !m.TLS ||
				m.ID() != "1@example.com" || m.Subject() != "€1" || strings.TrimSpace(m.Text()) != "hello" {
				t.Errorf("memory %v, scripted %v: %+v", memory, scripted, m)
			}
			c := in.State().Connections[0]
			if !c.TLS || c.Hello != "localhost" || len(c.Logins) != 1 || !c.Logins[0].Taken || !c.Logins[0].TLS ||
				!strings.HasPrefix(string(c.Wire), "EHLO localhost\r\nSTARTTLS\r\n") || strings.Contains(string(c.Wire), "hello") {
				t.Errorf("memory %v, scripted %v: %+v", memory, scripted, c)
			}
			if err := send(in, "wrong"); err == nil || in.State().Logins() != 2 || in.State().Connections[1].Logins[0].Taken {
				t.Errorf("a wrong password: %v", err)
			}
		}
	}
}

func TestFaultsComeAsOftenAsAskedAndGo(t *testing.T) {
	in := inbox.Start(t, inbox.Options{})
	in.Fail(inbox.AtEnd, inbox.Fault{Reply: "451 later", Times: 2})
	in.Fail(inbox.AtMail, inbox.Fault{Reply: "550 no"})
	if err := send(in, "x"); err == nil || !strings.HasPrefix(err.Error(), "550") {
		t.Fatalf("error %v", err)
	}
	in.Heal()
	in.Fail(inbox.AtEnd, inbox.Fault{Reply: "451 later", Times: 2})
	for range 2 {
		if err := send(in, "x"); err == nil || !strings.HasPrefix(err.Error(), "451") {
			t.Fatalf("error %v", err)
		}
	}
	if n := len(in.Messages()); n != 0 {
		t.Errorf("%d messages arrived", n)
	}
	if err := send(in, "x"); err != nil || len(in.Messages()) != 1 {
		t.Errorf("error %v, %d messages", err, len(in.Messages()))
	}
}

func TestAMessageCanArriveWithoutAnAnswer(t *testing.T) {
	in := inbox.Start(t, inbox.Options{})
	in.Fail(inbox.AtEnd, inbox.Fault{Hangup: true, Keep: true})
	if err := send(in, "x"); err == nil || len(in.Messages()) != 1 {
		t.Errorf("error %v, %d messages", err, len(in.Messages()))
	}
	in.Fail(inbox.AtEnd, inbox.Fault{Hangup: true})
	if err := send(in, "x"); err == nil || len(in.Messages()) != 1 {
		t.Errorf("error %v, %d messages", err, len(in.Messages()))
	}
}

func TestDownRefusesAndCutsAndUpIsTheSamePort(t *testing.T) {
	in := inbox.Start(t, inbox.Options{})
	port := in.Port()
	conn, err := net.Dial("tcp", in.Addr())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Read(make([]byte, 3)); err != nil { // it is greeting us
		t.Fatal(err)
	}
	in.Down()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	for err == nil {
		_, err = conn.Read(make([]byte, 100))
	}
	var late net.Error
	if errors.As(err, &late) && late.Timeout() {
		t.Error("an open connection survived")
	}
	if err := send(in, "x"); err == nil {
		t.Error("a new connection was taken")
	}
	in.Up(t)
	if err := send(in, "x"); err != nil || in.Port() != port {
		t.Errorf("error %v at port %d", err, in.Port())
	}
}

func TestWaitingEndsWithTheMessageOrTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if _, err := in.Wait(ctx, 1); !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "0 of 1") {
			t.Errorf("error %v", err)
		}
		var wait sync.WaitGroup
		wait.Go(func() {
			if got, err := in.Wait(t.Context(), 2); err != nil || len(got) != 2 {
				t.Errorf("%d messages, %v", len(got), err)
			}
		})
		for range 2 {
			if err := send(in, "x"); err != nil {
				t.Error(err)
			}
		}
		wait.Wait()
	})
}

func TestAChangingInboxMayBeUsedByMany(t *testing.T) {
	in := inbox.Start(t, inbox.Options{})
	var wait sync.WaitGroup
	for n := range 8 {
		wait.Go(func() {
			if n%2 == 0 {
				in.Fail(inbox.AtQuit, inbox.Fault{Hangup: true})
				in.Heal()
			}
			_ = send(in, "x")
		})
	}
	wait.Wait()
	if n := len(in.Messages()); n != 8 {
		t.Errorf("%d of 8 messages", n)
	}
}
