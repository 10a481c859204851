package mail

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"notifio.app/notifio/internal/fake/inbox"
	"notifio.app/notifio/monitor"
)

func TestTheWrongModeForAPortIsNamed(t *testing.T) {
	for _, c := range []struct {
		name    string
		options inbox.Options
		mode    string
		want    monitor.Refusal
		says    string
	}{
		{"TLS to a plain port", inbox.Options{}, TLSImplicit, monitor.AccountRefused, `set tls = "starttls"`},
		{"plain to a TLS port", inbox.Options{TLS: true}, TLSStart, monitor.AccountRefused, `set tls = "tls"`},
		{"no TLS to a TLS port", inbox.Options{TLS: true}, TLSNone, monitor.AccountRefused, `set tls = "tls"`},
		{"STARTTLS to a server without", inbox.Options{NoStartTLS: true, ClearAuth: true}, TLSStart, monitor.AccountRefused, `set tls = "none"`},
		{"no TLS to a server that wants it before the login", inbox.Options{}, TLSNone, monitor.AccountRefused, "does not offer a login"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.options.InMemory = true
				in := inbox.Start(t, c.options)
				err := mustServer(t, account(in, c.mode)).Deliver(t.Context(), letter(), new(sealed).seal)
				judge(t, err, c.want, in.Addr(), c.says)
				if s := in.State(); s.Logins() != 0 || len(s.Messages) != 0 {
					t.Errorf("%d logins, %d messages", s.Logins(), len(s.Messages))
				}
				nothingInClear(t, in.State())
			})
		})
	}
}

func TestACertificateThatCannotBeBelievedGetsNothing(t *testing.T) {
	for _, c := range []struct {
		says   string
		change func(*Config)
		later  time.Duration
	}{
		{"the certificate cannot be trusted", func(c *Config) { c.Roots = x509.NewCertPool() }, 0},
		{"is the host name right?", func(c *Config) { c.Host = "smtp.example.com" }, 0},
		{"this computer's clock is wrong", func(*Config) {}, 150 * 365 * 24 * time.Hour},
	} {
		for _, implicit := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(c.later)
				in := inbox.Start(t, inbox.Options{InMemory: true, TLS: implicit})
				config := account(in, TLSAuto)
				c.change(&config)
				err := mustServer(t, config).Deliver(t.Context(), letter(), new(sealed).seal)
				judge(t, err, monitor.Temporary, c.says)
				if s := in.State(); s.Logins() != 0 || len(s.Messages) != 0 {
					t.Errorf("%d logins, %d messages", s.Logins(), len(s.Messages))
				}
				nothingInClear(t, in.State())
			})
		}
	}
}

func TestAnOldTLSIsNotSpoken(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		defer func() { _ = conn.Close() }()
		_ = tls.Server(conn, &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}).Handshake()
	}()
	config := account(inbox.Start(t, inbox.Options{}), TLSImplicit)
	config.Port, config.Dial = l.Addr().(*net.TCPAddr).Port, nil
	err = mustServer(t, config).Deliver(t.Context(), letter(), new(sealed).seal)
	judge(t, err, monitor.AccountRefused, "versions of TLS below 1.2")
}

func TestAServerOutOfReachIsTemporary(t *testing.T) {
	for says, dial := range map[string]error{
		"smtp.example.com: name not found":                      &net.DNSError{Err: "no such host", Name: "smtp.example.com", IsNotFound: true},
		"smtp.example.com: the name could not be looked up":     &net.DNSError{Err: "server misbehaving", Name: "smtp.example.com"},
		"smtp.example.com:587: connecting: network unreachable": errors.New("network unreachable"),
	} {
		config := Config{Host: "smtp.example.com", Port: 587, From: "ana@example.com"}
		config.Dial = func(context.Context, string, string) (net.Conn, error) { return nil, dial }
		judge(t, mustServer(t, config).Deliver(t.Context(), letter(), new(sealed).seal), monitor.Temporary, says)
	}
	synctest.Test(t, func(t *testing.T) {
		config := Config{Host: "smtp.example.com", Port: 25, From: "ana@example.com"}
		config.Dial = func(ctx context.Context, _, _ string) (net.Conn, error) {
			<-ctx.Done()
			return nil, &net.OpError{Op: "dial", Net: "tcp", Err: ctx.Err()}
		}
		start := time.Now()
		err := mustServer(t, config).Deliver(t.Context(), letter(), new(sealed).seal)
		judge(t, err, monitor.Temporary, "smtp.example.com:25: no connection within 30s", "block port 25")
		if took := time.Since(start); took != 30*time.Second {
			t.Errorf("took %s", took)
		}
	})
}

func TestDownAndUpAgain(t *testing.T) {
	in := inbox.Start(t, inbox.Options{})
	config := account(in, TLSAuto)
	config.Dial = nil // over TCP
	s := mustServer(t, config)
	in.Down()
	judge(t, s.Deliver(t.Context(), letter(), new(sealed).seal), monitor.Temporary, in.Addr()+": nobody answers at this port")
	in.Up(t)
	if err := s.Deliver(t.Context(), letter(), new(sealed).seal); err != nil {
		t.Fatal(err)
	}
	in.MustWait(t, 1, 10*time.Second)
}

func TestNoEncryptionOnlyToThisMachine(t *testing.T) {
	config := Config{Host: "smtp.example.com", Port: 25, TLS: TLSNone, From: "ana@example.com"}
	if _, err := NewServer(config); err == nil || !strings.Contains(err.Error(), "only to this machine") {
		t.Errorf("error %v", err)
	}
	// A name that sounds like this machine may lead elsewhere.
	config.Host = "mail.localhost"
	config.Dial = func(context.Context, string, string) (net.Conn, error) { return elsewhere{}, nil }
	judge(t, mustServer(t, config).Deliver(t.Context(), letter(), new(sealed).seal), monitor.AccountRefused, "another machine")
}

// elsewhere is a connection to another machine. Nothing may be written to it.
type elsewhere struct{ net.Conn }

func (elsewhere) RemoteAddr() net.Addr        { return &net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 25} }
func (elsewhere) SetDeadline(time.Time) error { return nil }
func (elsewhere) Close() error                { return nil }

func TestARefusedLoginIsPassedOnAndNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true, Username: "ana", Password: "another"})
		var refused atomic.Int32
		config := account(in, TLSAuto)
		config.Refused = func() { refused.Add(1) }
		err := mustServer(t, config).Deliver(t.Context(), letter(), new(sealed).seal)
		judge(t, err, monitor.AccountRefused, "login refused: 535 5.7.8", "run notifio password")
		if in.State().Logins() != 1 || refused.Load() != 1 {
			t.Errorf("%d logins, told %d times", in.State().Logins(), refused.Load())
		}
	})
}

func TestAServerThatRepeatsThePasswordDoesNotGiveItAway(t *testing.T) {
	for _, said := range []string{secret, base64Of(secret), base64Of("\x00ana\x00" + secret)} {
		synctest.Test(t, func(t *testing.T) {
			in := inbox.Start(t, inbox.Options{InMemory: true})
			in.Fail(inbox.AtAuth, answers("535 5.7.8 do not know "+said+" here"))
			err := mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), letter(), new(sealed).seal)
			judge(t, err, monitor.AccountRefused, "do not know (password) here")
		})
	}
}

func TestWithoutAPasswordNobodyIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		config := account(in, TLSAuto)
		for err, want := range map[error]monitor.Refusal{
			ErrNoPassword: monitor.AccountRefused, errors.New("the keyring is locked"): monitor.Temporary,
		} {
			config.Password = func(context.Context) (string, error) { return "", err }
			judge(t, mustServer(t, config).Deliver(t.Context(), letter(), new(sealed).seal), want, err.Error())
		}
		if n := len(in.State().Connections); n != 0 {
			t.Errorf("%d connections", n)
		}
	})
}

func TestOneOfTwoRecipientsIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		in.Fail(inbox.AtRecipient, inbox.Fault{Reply: "550 5.1.1 no such user", For: "gone@example.com"})
		s, l := mustServer(t, account(in, TLSAuto)), letter()
		l.To = "gone@example.com"
		err := s.Deliver(t.Context(), l, new(sealed).seal)
		judge(t, err, monitor.AccountRefused, "550 5.1.1")
		if failure := (*monitor.DeliveryError)(nil); !errors.As(err, &failure) || !failure.Recipient {
			t.Errorf("%v is not the recipient's", err)
		}
		l.To = "here@example.com"
		if err := s.Deliver(t.Context(), l, new(sealed).seal); err != nil {
			t.Error(err)
		}
	})
}

// Thirty-five listings fit into what a reader is shown, forty-five do not.
func TestManyListingsAreOneConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		l := letter()
		for len(l.Alerts) < 35 {
			l.Alerts = append(l.Alerts, studio())
		}
		server := mustServer(t, account(in, TLSAuto))
		if err := server.Deliver(t.Context(), l, new(sealed).seal); err != nil {
			t.Fatal(err)
		}
		for len(l.Alerts) < 45 {
			l.Alerts = append(l.Alerts, studio())
		}
		judge(t, server.Deliver(t.Context(), l, new(sealed).seal), monitor.TooLarge, "kB of HTML")
		if s := in.State(); len(s.Connections) != 1 || s.Logins() != 1 || len(s.Messages) != 1 {
			t.Errorf("%d connections, %d logins, %d messages", len(s.Connections), s.Logins(), len(s.Messages))
		}
	})
}

func TestASettingThatCannotWorkIsAnErrorAtOnce(t *testing.T) {
	good := Config{Host: "smtp.example.com", Port: 587, From: "Ana <ana@example.com>"}
	for says, change := range map[string]func(*Config){
		"mail host":                   func(c *Config) { c.Host = "" },
		`mail host "https://x"`:       func(c *Config) { c.Host = "https://x" },
		"mail port 0: use 587 or 465": func(c *Config) { c.Port = 0 },
		`mail tls "ssl": use "auto"`:  func(c *Config) { c.TLS = "ssl" },
		"mail from: no address":       func(c *Config) { c.From = "" },
		"is not an address":           func(c *Config) { c.From = "Ana <ana@example.com>\r\nBcc: eve@example.com" },
		"write a domain in its xn--":  func(c *Config) { c.From = "ana@bücher.example" },
		"username without a password": func(c *Config) { c.Username = "ana" },
	} {
		c := good
		change(&c)
		if _, err := NewServer(c); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v", says, err)
		}
	}
	if _, err := NewServer(good); err != nil {
		t.Error(err)
	}
}

func TestABadRecipientIsItsOwnTrouble(t *testing.T) {
	in := inbox.Start(t, inbox.Options{})
	for _, to := range []string{"", "nobody", "a@example.com\r\nRCPT TO:<b@example.com>", "<a@example.com> x", "\"a b\"@example.com"} {
		l := letter()
		l.To = to
		judge(t, mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), l, new(sealed).seal), monitor.AccountRefused)
	}
	if n := len(in.State().Connections); n != 0 {
		t.Errorf("%d connections", n)
	}
}
