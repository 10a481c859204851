package mail

import (
	"strings"
	"testing"
	"testing/synctest"

	"notifio.app/notifio/internal/fake/inbox"
)

// Servers that keep to the standard refuse lines over 998 octets: whatever a page
// writes, they take the message, at once and with its subject readable.
func TestStrictServerTakesEveryTitle(t *testing.T) {
	for _, text := range hostile {
		synctest.Test(t, func(t *testing.T) {
			in := inbox.Start(t, inbox.Options{InMemory: true, MaxLine: 998})
			in.Fail(inbox.AtQuit, inbox.Fault{Hangup: true}) // the server that counts octets
			l := everywhere(text)
			l.ID = "letter-1@notifio.invalid"
			if err := mustServer(t, account(in, TLSAuto)).Deliver(t.Context(), l, new(sealed).seal); err != nil {
				t.Fatalf("%.60q: %v", text, err)
			}
			got := in.Messages()
			if len(got) != 1 || got[0].ID() != l.ID || len(got[0].To) != 1 || got[0].To[0] != l.To || got[0].From != "ana@example.com" {
				t.Fatalf("%.60q: arrived %+v", text, got)
			}
		})
	}
}

// A long title is cut in the subject and whole in the message.
func TestLongTitleIsCutInTheSubjectAlone(t *testing.T) {
	l := letter()
	l.Alerts[0].Listing.Title = strings.Repeat("Schöne ", 20) + "Wohnung"
	raw, err := compose(l, ana, evening)
	if err != nil {
		t.Fatal(err)
	}
	m := inbox.Message{Raw: raw}
	if s := m.Subject(); len([]rune(s)) > 150 || !strings.Contains(s, "Schöne Schöne") {
		t.Errorf("subject %q", s)
	}
	if !strings.Contains(m.Text(), l.Alerts[0].Listing.Title) {
		t.Errorf("text %q", m.Text())
	}
}
