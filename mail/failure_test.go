package mail

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/monitor"
)

// failure is a delivery that must fail in one way.
type failure struct {
	name    string
	options inbox.Options
	mode    string // "" is TLSAuto
	at      inbox.Step
	fault   inbox.Fault
	want    monitor.Refusal
	says    string        // part of the error
	takes   time.Duration // exactly
	logins  int           // that the server saw
	arrives bool          // the message, although nobody says so
}

func answers(s string) inbox.Fault { return inbox.Fault{Reply: s} }

var (
	silent = inbox.Fault{Silent: true}
	hangup = inbox.Fault{Hangup: true}
)

// failures has, for every step, a temporary answer, a permanent one, silence and
// a closed connection.
var failures = []failure{
	{name: "greeting 4xx", at: inbox.AtGreeting, fault: answers("421 4.7.0 busy"), want: monitor.Temporary, says: "refuses to talk: 421 4.7.0 busy"},
	{name: "greeting 5xx", at: inbox.AtGreeting, fault: answers("554 5.7.1 no service here"), want: monitor.AccountRefused, says: "refuses to talk: 554 5.7.1 no service here"},
	{name: "greeting silent", at: inbox.AtGreeting, fault: silent, want: monitor.Temporary, says: "no greeting within 30s", takes: 35 * time.Second},
	{name: "greeting hangup", at: inbox.AtGreeting, fault: hangup, want: monitor.Temporary, says: "closed the connection without a greeting"},
	{name: "greeting trickles", at: inbox.AtGreeting, fault: inbox.Fault{Trickle: 5 * time.Second}, want: monitor.Temporary, says: "no greeting within 30s", takes: 35 * time.Second},
	{name: "greeting of another protocol", at: inbox.AtGreeting, fault: answers("HTTP/1.1 400 Bad Request"), want: monitor.Temporary, says: "not SMTP"},
	{name: "silent at 465", options: inbox.Options{TLS: true}, at: inbox.AtGreeting, fault: silent, want: monitor.Temporary, says: "no greeting within 30s", takes: 30 * time.Second},

	{name: "EHLO 4xx", at: inbox.AtHello, fault: answers("451 4.3.0 later"), want: monitor.Temporary, says: "EHLO refused for now: 451 4.3.0 later"},
	{name: "EHLO 5xx", at: inbox.AtHello, fault: answers("550 5.7.1 go away"), want: monitor.AccountRefused, says: "EHLO refused: 550"},
	{name: "EHLO silent", at: inbox.AtHello, fault: silent, want: monitor.Temporary, says: "no answer to EHLO within 30s", takes: 30 * time.Second},
	{name: "EHLO trickles", at: inbox.AtHello, fault: inbox.Fault{Trickle: 5 * time.Second}, want: monitor.Temporary, says: "no answer to EHLO within 30s", takes: 30 * time.Second},
	{name: "EHLO hangup", at: inbox.AtHello, fault: hangup, want: monitor.Temporary, says: "closed the connection at EHLO"},

	{name: "STARTTLS not offered", options: inbox.Options{NoStartTLS: true, ClearAuth: true}, at: inbox.AtQuit, fault: hangup, want: monitor.AccountRefused, says: "does not offer STARTTLS, nothing was sent"},
	{name: "STARTTLS 4xx", at: inbox.AtStartTLS, fault: answers("454 4.7.0 not now"), want: monitor.Temporary, says: "STARTTLS refused for now: 454"},
	{name: "STARTTLS 5xx", at: inbox.AtStartTLS, fault: answers("501 5.5.4 no"), want: monitor.AccountRefused, says: "STARTTLS refused: 501"},
	{name: "STARTTLS silent", at: inbox.AtStartTLS, fault: silent, want: monitor.Temporary, says: "no answer to STARTTLS within 30s", takes: 30 * time.Second},
	{name: "handshake silent", at: inbox.AtHandshake, fault: silent, want: monitor.Temporary, says: "no answer to STARTTLS within 30s", takes: 30 * time.Second},
	{name: "handshake hangup", at: inbox.AtHandshake, fault: hangup, want: monitor.Temporary, says: "closed the connection at STARTTLS"},
	{name: "implicit TLS silent", options: inbox.Options{TLS: true}, at: inbox.AtHandshake, fault: silent, want: monitor.Temporary, says: "no answer to TLS within 30s", takes: 30 * time.Second},

	{name: "AUTH not offered", options: inbox.Options{NoAuth: true}, at: inbox.AtQuit, fault: hangup, want: monitor.AccountRefused, says: "does not offer a login, nothing was sent"},
	{name: "AUTH of an unknown kind", options: inbox.Options{Mechanisms: []string{"XOAUTH2", "CRAM-MD5"}}, at: inbox.AtQuit, fault: hangup, want: monitor.AccountRefused, says: "offers only the logins XOAUTH2 CRAM-MD5"},
	{name: "AUTH 4xx", at: inbox.AtAuth, fault: answers("454 4.7.0 Too many login attempts"), want: monitor.Temporary, says: "login refused for now: 454 4.7.0 Too many login attempts (the server wants fewer logins", logins: 1},
	{name: "AUTH 5xx", at: inbox.AtAuth, fault: answers("535-5.7.8 Username and Password not accepted. For more\n535 5.7.8 information, go to a page"), want: monitor.AccountRefused, says: "login refused: 535 5.7.8 Username and Password not accepted", logins: 1},
	{name: "AUTH by LOGIN 5xx", options: inbox.Options{Mechanisms: []string{"LOGIN"}}, at: inbox.AtAuth, fault: answers("535 no"), want: monitor.AccountRefused, says: "login refused: 535 no", logins: 1},
	{name: "AUTH silent", at: inbox.AtAuth, fault: silent, want: monitor.Temporary, says: "no answer to AUTH within 30s", takes: 30 * time.Second, logins: 1},
	{name: "AUTH hangup", at: inbox.AtAuth, fault: hangup, want: monitor.Temporary, says: "closed the connection at AUTH", logins: 1},

	{name: "MAIL 4xx", at: inbox.AtMail, fault: answers("451 4.3.0 later"), want: monitor.Temporary, says: "sender refused for now: 451", logins: 1},
	{name: "MAIL 5xx", at: inbox.AtMail, fault: answers("553 5.7.1 not your address"), want: monitor.AccountRefused, says: "sender refused: 553", logins: 1},
	{name: "MAIL silent", at: inbox.AtMail, fault: silent, want: monitor.Temporary, says: "no answer to MAIL FROM within 30s", takes: 30 * time.Second, logins: 1},
	{name: "MAIL hangup", at: inbox.AtMail, fault: hangup, want: monitor.Temporary, says: "closed the connection at MAIL FROM", logins: 1},

	{name: "RCPT 4xx", at: inbox.AtRecipient, fault: answers("450 4.2.1 greylisted"), want: monitor.Temporary, says: "recipient refused for now: 450", logins: 1},
	{name: "RCPT 5xx", at: inbox.AtRecipient, fault: answers("550 5.1.1 no such user"), want: monitor.AccountRefused, says: "recipient refused: 550", logins: 1},
	{name: "RCPT silent", at: inbox.AtRecipient, fault: silent, want: monitor.Temporary, says: "no answer to RCPT TO within 30s", takes: 30 * time.Second, logins: 1},
	{name: "RCPT hangup", at: inbox.AtRecipient, fault: hangup, want: monitor.Temporary, says: "closed the connection at RCPT TO", logins: 1},

	{name: "DATA 4xx", at: inbox.AtData, fault: answers("451 4.3.0 later"), want: monitor.Temporary, says: "DATA refused for now: 451", logins: 1},
	{name: "DATA 5xx", at: inbox.AtData, fault: answers("554 5.6.0 no"), want: monitor.MessageRefused, says: "DATA refused: 554", logins: 1},
	{name: "DATA silent", at: inbox.AtData, fault: silent, want: monitor.Temporary, says: "no answer to DATA within 30s", takes: 30 * time.Second, logins: 1},
	{name: "DATA hangup", at: inbox.AtData, fault: hangup, want: monitor.Temporary, says: "closed the connection at DATA", logins: 1},

	{name: "end 4xx", at: inbox.AtEnd, fault: answers("452 4.3.1 no room"), want: monitor.Temporary, says: "message refused for now: 452", logins: 1},
	{name: "end 5xx", at: inbox.AtEnd, fault: answers("554 5.6.0 not this"), want: monitor.MessageRefused, says: "message refused: 554", logins: 1},
	{name: "a daily quota", at: inbox.AtEnd, fault: answers("550 5.4.5 Daily user sending limit exceeded"), want: monitor.Temporary, says: "550 5.4.5", logins: 1},
	{name: "lines too long", options: inbox.Options{MaxLine: 20}, at: inbox.AtQuit, fault: hangup, want: monitor.MessageRefused, says: "line too long", logins: 1},
	{name: "end silent", at: inbox.AtEnd, fault: silent, want: monitor.AnswerUnknown, says: "no answer to the end of the message within 2m0s", takes: 2 * time.Minute, logins: 1},
	{name: "end silent, kept", at: inbox.AtEnd, fault: inbox.Fault{Silent: true, Keep: true}, want: monitor.AnswerUnknown, says: "no answer to the end", takes: 2 * time.Minute, logins: 1, arrives: true},
	{name: "end trickles", at: inbox.AtEnd, fault: inbox.Fault{Trickle: 10 * time.Second}, want: monitor.AnswerUnknown, says: "no answer to the end of the message within 2m0s", takes: 2 * time.Minute, logins: 1, arrives: true},
	{name: "end hangup", at: inbox.AtEnd, fault: hangup, want: monitor.AnswerUnknown, says: "closed the connection after the message, without an answer", logins: 1},
	{name: "end hangup, kept", at: inbox.AtEnd, fault: inbox.Fault{Hangup: true, Keep: true}, want: monitor.AnswerUnknown, says: "without an answer", logins: 1, arrives: true},
}

func TestFailures(t *testing.T) {
	for _, c := range failures {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.options.InMemory = true
				in := inbox.Start(t, c.options)
				in.Fail(c.at, c.fault)
				start := time.Now()
				err := mustServer(t, account(in, c.mode)).Deliver(t.Context(), letter(), new(sealed).seal)
				if took := time.Since(start); took != c.takes {
					t.Errorf("took %s, want %s", took, c.takes)
				}
				judge(t, err, c.want, in.Addr()+": ", c.says)
				synctest.Wait()
				s := in.State()
				if s.Logins() != c.logins || (len(s.Messages) == 1) != c.arrives {
					t.Errorf("%d logins, %d messages; want %d, %v", s.Logins(), len(s.Messages), c.logins, c.arrives)
				}
				nothingInClear(t, s)
			})
		})
	}
}

// judge checks a delivery error, its words and that it keeps the secret.
func judge(t *testing.T, err error, want monitor.Refusal, says ...string) {
	t.Helper()
	var failed *monitor.DeliveryError
	if !errors.As(err, &failed) || failed.Refusal != want {
		t.Fatalf("error %v, want one of the kind %q", err, want)
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("error %q does not say %q", err, part)
		}
	}
	if strings.Contains(err.Error(), secret) || strings.ContainsAny(err.Error(), "\r\n") {
		t.Errorf("error %q", err)
	}
}

// nothingInClear checks that neither the password nor the message went over the
// wire where others can read it.
func nothingInClear(t *testing.T, s inbox.State) {
	t.Helper()
	for _, c := range s.Connections {
		for _, word := range []string{secret, base64.StdEncoding.EncodeToString([]byte(secret)),
			base64.StdEncoding.EncodeToString([]byte("\x00ana\x00" + secret)), "AUTH", "Subject:", "De Pijp"} {
			if bytes.Contains(c.Wire, []byte(word)) {
				t.Errorf("%q went over the wire in clear text", word)
			}
		}
	}
}

func TestWhateverQuitDoesTheMessageHasArrived(t *testing.T) {
	for _, f := range []inbox.Fault{silent, hangup, answers("421 no"), answers("554 no"), {Delay: time.Hour}} {
		synctest.Test(t, func(t *testing.T) {
			in := inbox.Start(t, inbox.Options{InMemory: true})
			in.Fail(inbox.AtQuit, f)
			start := time.Now()
			err := mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), letter(), new(sealed).seal)
			if err != nil || len(in.Messages()) != 1 || time.Since(start) != 0 {
				t.Errorf("%+v: %v after %s", f, err, time.Since(start))
			}
		})
	}
}

func TestASlowAnswerIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		in.Fail(inbox.AtEnd, inbox.Fault{Delay: time.Minute})
		if err := mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), letter(), new(sealed).seal); err != nil {
			t.Error(err)
		}
	})
}

func TestAMessageCutShortDoesNotArrive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		in.Fail(inbox.AtMessage, hangup)
		l := letter()
		l.Raw = bytes.Repeat([]byte("a line of a message that is much longer than any buffer on its way\r\n"), 1<<15)
		err := mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), l, new(sealed).seal)
		var failed *monitor.DeliveryError
		if !errors.As(err, &failed) || failed.Refusal == monitor.MessageRefused || failed.Refusal == monitor.AccountRefused {
			t.Errorf("error %v", err)
		}
		synctest.Wait()
		if n := len(in.Messages()); n != 0 {
			t.Errorf("%d messages arrived", n)
		}
	})
}

func TestAnEarlyRefusalIsHeard(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		in.Fail(inbox.AtMessage, inbox.Fault{Reply: "552 5.3.4 message too big", Hangup: true})
		l := letter()
		l.Raw = bytes.Repeat([]byte("a line of a message that is much longer than any buffer on its way\r\n"), 1<<15)
		err := mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), l, new(sealed).seal)
		judge(t, err, monitor.TooLarge, "552 5.3.4 message too big")
	})
}

func TestCancellingEndsEveryStepAtOnce(t *testing.T) {
	for at, want := range map[inbox.Step]monitor.Refusal{
		inbox.AtGreeting: monitor.Temporary, inbox.AtHello: monitor.Temporary, inbox.AtStartTLS: monitor.Temporary,
		inbox.AtHandshake: monitor.Temporary, inbox.AtAuth: monitor.Temporary, inbox.AtMail: monitor.Temporary,
		inbox.AtRecipient: monitor.Temporary, inbox.AtData: monitor.Temporary, inbox.AtEnd: monitor.AnswerUnknown,
	} {
		synctest.Test(t, func(t *testing.T) {
			in := inbox.Start(t, inbox.Options{InMemory: true})
			in.Fail(at, silent)
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(7*time.Second, cancel)
			start := time.Now()
			err := mustServer(t, account(in, TLSAuto)).Deliver(ctx, letter(), new(sealed).seal)
			if took := time.Since(start); took != 7*time.Second {
				t.Errorf("%s: ended after %s", at, took)
			}
			judge(t, err, want, "cut short")
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v does not wrap the cause", at, err)
			}
		})
	}
}
