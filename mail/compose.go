package mail

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	htmltemplate "html/template"
	"mime"
	"net/mail"
	"net/textproto"
	"strings"
	texttemplate "text/template"
	"time"

	"github.com/jordan-wright/email"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

var (
	htmlLetter = htmltemplate.Must(htmltemplate.ParseFS(assets.Mail, "mail/letter.html"))
	textLetter = texttemplate.Must(texttemplate.ParseFS(assets.Mail, "mail/letter.txt"))
)

// mostHTML is how much HTML a letter has at most, in bytes: Gmail cuts at 102 kB.
const mostHTML = 90_000

// compose writes the whole message of a letter: the same letter at the same time
// gives the same bytes. A letter without an alert or a notice is an error, for an
// empty message would be false news; one whose HTML is beyond mostHTML is too large,
// unless it is about one listing.
func compose(l monitor.Letter, from sender, now time.Time) ([]byte, error) {
	if len(l.Alerts)+len(l.Notices) == 0 {
		return nil, errors.New("a letter that says nothing is not sent")
	}
	p := newPage(l, now)
	var text, html bytes.Buffer
	if err := textLetter.Execute(&text, p); err != nil {
		return nil, fmt.Errorf("writing the text: %w", err)
	}
	if !l.Plain {
		if err := htmlLetter.Execute(&html, p); err != nil {
			return nil, fmt.Errorf("writing the HTML: %w", err)
		}
		if html.Len() > mostHTML && len(l.Alerts) > 1 {
			return nil, refuse(monitor.TooLarge, "", fmt.Errorf("%d kB of HTML are more than is shown", html.Len()/1000))
		}
	}
	to, err := reader(l.To)
	if err != nil {
		return nil, noRecipient(err)
	}
	return message(envelope{id: l.ID, from: from, to: to, subject: subject(l), at: now}, text.Bytes(), html.Bytes())
}

// envelope is what the header of a message says.
type envelope struct {
	id       string // Message-ID, without angle brackets
	from, to sender
	subject  string
	at       time.Time
}

// reader is the recipient as the header names it. A mail folder has no address.
func reader(to string) (sender, error) {
	if to == monitor.FolderRecipient {
		return sender{name: "Notifio mail folder", address: "notifio@localhost"}, nil
	}
	return parseSender(to)
}

// message puts the parts together. The library writes the MIME body; the header
// is ours, because the library writes it in random order, unfolded, and with
// whatever line ends a name brings along.
func message(e envelope, text, html []byte) ([]byte, error) {
	parts := &email.Email{From: e.from.address, Text: text, HTML: html, Headers: textproto.MIMEHeader{"Message-Id": {"<x>"}}}
	raw, err := parts.Bytes()
	if err != nil {
		return nil, fmt.Errorf("composing: %w", err)
	}
	head, body, _ := bytes.Cut(raw, []byte("\r\n\r\n"))
	parsed, err := mail.ReadMessage(bytes.NewReader(append(head, "\r\n\r\n"...)))
	if err != nil {
		return nil, fmt.Errorf("composing: %w", err)
	}
	kind := parsed.Header.Get("Content-Type")
	if _, params, err := mime.ParseMediaType(kind); err == nil && params["boundary"] != "" {
		fixed := fmt.Sprintf("notifio-%x", sha256.Sum256([]byte(e.id)))[:48]
		body = bytes.ReplaceAll(body, []byte(params["boundary"]), []byte(fixed))
		kind = strings.ReplaceAll(kind, params["boundary"], fixed)
	}
	var out bytes.Buffer
	for _, field := range [][2]string{
		{"From", named(e.from)}, {"To", named(e.to)}, {"Subject", encoded(e.subject)},
		{"Date", e.at.Format(time.RFC1123Z)}, {"Message-ID", idOf(e.id)},
		{"Auto-Submitted", "auto-generated"}, {"MIME-Version", "1.0"},
		{"Content-Type", kind}, {"Content-Transfer-Encoding", parsed.Header.Get("Content-Transfer-Encoding")},
	} {
		if field[1] != "" {
			out.WriteString(folded(field[0], field[1]))
		}
	}
	out.WriteString("\r\n")
	out.Write(body)
	return out.Bytes(), nil
}
