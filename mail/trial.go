package mail

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	"notifio.app/notifio/monitor"
)

const trialText = `This is a test message of Notifio.

It has arrived, so alerts about new listings will arrive here too.
`

// Test sends one small message through the whole conversation and says, in one
// line for a person, what it proved. The error is that of Deliver: it names the
// step that failed and what to do.
func (s *Server) Test(ctx context.Context, to string) (string, error) {
	recipient, err := parseSender(to)
	if err != nil {
		return "", noRecipient(err)
	}
	raw, err := trial(s.from, recipient, s.config.Now())
	if err != nil {
		return "", refuse(monitor.MessageRefused, "", err)
	}
	if err := s.send(ctx, to, raw, func([]byte) error { return nil }); err != nil {
		return "", err
	}
	how := map[string]string{TLSImplicit: "over TLS", TLSStart: "over STARTTLS", TLSNone: "without encryption, on this machine"}[s.config.TLS]
	if s.config.Username != "" {
		how += ", logged in as " + s.config.Username
	}
	return fmt.Sprintf("%s has taken a test message for %s (%s). Look into that mailbox, and into its spam folder.",
		s.config.address(), recipient.address, how), nil
}

// Test writes one small message into the folder.
func (f *Folder) Test(ctx context.Context) (string, error) {
	to, _ := reader(monitor.FolderRecipient)
	raw, err := trial(sender{name: "Notifio", address: "notifio@localhost"}, to, f.now())
	if err != nil {
		return "", refuse(monitor.MessageRefused, "", err)
	}
	l := monitor.Letter{ID: rand.Text(), To: monitor.FolderRecipient, Raw: raw}
	if err := f.Deliver(ctx, l, func([]byte) error { return nil }); err != nil {
		return "", err
	}
	return "A test message is in the mail folder " + f.dir + ".", nil
}

func trial(from, to sender, now time.Time) ([]byte, error) {
	id := strings.ToLower(rand.Text()) + "@notifio.invalid"
	return message(envelope{id: id, from: from, to: to, subject: "Notifio: test message", at: now}, []byte(trialText), nil)
}

// Resolve says whether the mail server's name can be looked up: nil when it can,
// or when host is an address. The monitor asks it in order to tell a dead network
// from a dead portal.
func Resolve(ctx context.Context, host string) error {
	if host == "" {
		return errors.New("no mail server is configured")
	}
	if net.ParseIP(host) != nil {
		return nil
	}
	if _, err := net.DefaultResolver.LookupHost(ctx, host); err != nil {
		return fmt.Errorf("mail server: %w", err)
	}
	return nil
}
