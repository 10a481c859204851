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

const secret = "wachtwoord-9931"

// account is a complete account at a fake server.
func account(in *inbox.Inbox, mode string) Config {
	return Config{
		Host: in.Host(), Port: in.Port(), TLS: mode, Username: "ana",
		Password: func(context.Context) (string, error) { return secret, nil },
		From:     "Notifio <ana@example.com>", Roots: in.Roots(), Dial: in.Dial,
	}
}

func mustServer(t *testing.T, c Config) *Server {
	t.Helper()
	s, err := NewServer(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func letter() monitor.Letter {
	return monitor.Letter{ID: "letter-1@notifio.invalid", To: "reader@example.com", Alerts: []monitor.Alert{studio()}}
}

func studio() monitor.Alert {
	return monitor.Alert{
		ID: "funda:1 new", Kind: monitor.New, Searches: []string{"Centrum"},
		Found: time.Date(2026, 3, 2, 14, 2, 0, 0, time.UTC),
		Listing: monitor.Listing{
			Key: "funda:1", URL: "https://www.funda.nl/huur/amsterdam/1/", Title: "Bright studio in De Pijp",
			Price:  monitor.Price{Amount: 1500, Currency: "EUR", Period: monitor.Month, Text: "€ 1.500 p/m"},
			AreaM2: 32, Rooms: 1, Address: "Ceintuurbaan 12, Amsterdam", Photo: "https://cloud.funda.nl/1.jpg",
		},
	}
}

// sealed counts how often it was asked, and agrees.
type sealed struct{ raw [][]byte }

func (s *sealed) seal(raw []byte) error {
	s.raw = append(s.raw, raw)
	return nil
}

func TestDeliversInEveryMode(t *testing.T) {
	for _, c := range []struct {
		name    string
		options inbox.Options
		mode    string
		foul    bool // answered by the scripted server
	}{
		{"STARTTLS", inbox.Options{}, TLSAuto, false},
		{"STARTTLS, asked for", inbox.Options{}, TLSStart, false},
		{"implicit TLS on 465", inbox.Options{TLS: true}, TLSAuto, false},
		{"no TLS on this machine", inbox.Options{NoStartTLS: true, ClearAuth: true}, TLSNone, false},
		{"LOGIN alone", inbox.Options{Mechanisms: []string{"LOGIN"}}, TLSAuto, false},
		{"scripted, STARTTLS", inbox.Options{}, TLSAuto, true},
		{"scripted, TLS, LOGIN alone", inbox.Options{TLS: true, Mechanisms: []string{"LOGIN"}}, TLSAuto, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c.options.InMemory, c.options.Username, c.options.Password = true, "ana", secret
				in := inbox.Start(t, c.options)
				if c.foul {
					in.Fail(inbox.AtQuit, inbox.Fault{Hangup: true})
				}
				start, seals := time.Now(), &sealed{}
				if err := mustServer(t, account(in, c.mode)).Deliver(t.Context(), letter(), seals.seal); err != nil {
					t.Fatal(err)
				}
				if took := time.Since(start); took != 0 {
					t.Errorf("took %s although nobody was slow", took)
				}
				got := in.Messages()
				if len(got) != 1 || got[0].ID() != letter().ID || got[0].Login != "ana" ||
					got[0].From != "ana@example.com" || strings.Join(got[0].To, " ") != "reader@example.com" {
					t.Fatalf("arrived: %+v", got)
				}
				if got[0].TLS != (c.mode != TLSNone) {
					t.Errorf("arrived over TLS: %v", got[0].TLS)
				}
				if len(seals.raw) != 1 || !sameText(seals.raw[0], got[0].Raw) {
					t.Error("the sealed bytes are not the ones that arrived")
				}
			})
		})
	}
}

func sameText(a, b []byte) bool {
	plain := func(b []byte) string { return strings.ReplaceAll(string(b), "\r\n", "\n") }
	return plain(a) == plain(b)
}

func TestSavedBytesGoAgainAsTheyAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := inbox.Start(t, inbox.Options{InMemory: true})
		l := letter()
		l.Raw = []byte("Message-ID: <old@notifio.invalid>\r\n\r\n.a line that starts with a dot\r\n")
		if err := mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), l, new(sealed).seal); err != nil {
			t.Fatal(err)
		}
		if got := in.Messages(); len(got) != 1 || !sameText(got[0].Raw, l.Raw) {
			t.Fatalf("arrived: %+v", got)
		}
	})
}

func TestNothingIsSentWhenTheMessageCannotBeSaved(t *testing.T) {
	for _, foul := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			in := inbox.Start(t, inbox.Options{InMemory: true})
			if foul {
				in.Fail(inbox.AtQuit, inbox.Fault{Hangup: true})
			}
			err := mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), letter(), func([]byte) error { return errors.New("disk full") })
			var failed *monitor.DeliveryError
			if !errors.As(err, &failed) || failed.Refusal != monitor.Temporary || !strings.Contains(err.Error(), "disk full") {
				t.Errorf("error %v", err)
			}
			synctest.Wait()
			if got := in.Messages(); len(got) != 0 {
				t.Errorf("arrived all the same: %q", got[0].Raw)
			}
		})
	}
}
