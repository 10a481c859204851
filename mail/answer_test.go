package mail

import (
	"net"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

func TestAnswersMean(t *testing.T) {
	const temporary, message, large, account = monitor.Temporary, monitor.MessageRefused, monitor.TooLarge, monitor.AccountRefused
	for _, c := range []struct {
		at   step
		code int
		text string
		want monitor.Refusal
		hint string // part of it
	}{
		{atLogin, 535, "5.7.8 Username and Password not accepted", account, "check the user name"},
		{atLogin, 535, "5.7.8 For more information, go to https://support.google.com/mail/?p=BadCredentials", account, "app password"},
		{atLogin, 534, "5.7.9 Application-specific password required. https://support.google.com/x", account, "app password"},
		{atLogin, 535, "5.7.139 Authentication unsuccessful, basic authentication is disabled.", account, "takes no passwords"},
		{atLogin, 535, "5.7.0 Too many bad auth attempts", account, "user name"},
		{atLogin, 504, "5.5.4 Unrecognized authentication type", account, "port and tls"},
		{atLogin, 454, "4.7.0 Too many login attempts, please try again later.", temporary, "fewer logins"},
		{atLogin, 421, "4.7.0 Try again later", temporary, "busy"},
		{atSender, 530, "5.7.0 Must issue a STARTTLS command first", account, "login"},
		{atSender, 530, "5.7.0 Authentication required", account, "set username"},
		{atSender, 550, "5.4.5 Daily user sending limit exceeded", temporary, "quota"},
		{atSender, 553, "5.7.1 ana@example.com: Sender address rejected: not owned by user", account, "`from`"},
		{atSender, 550, "5.1.8 Sender denied", account, "`from`"},
		{atSender, 552, "5.3.4 Message size exceeds fixed limit", large, ""},
		{atSender, 501, "", account, "`from`"},
		{atRcpt, 550, "5.1.1 The email account that you tried to reach does not exist", account, "`to`"},
		{atRcpt, 550, "", account, "`to`"},
		{atRcpt, 552, "5.2.2 The recipient's inbox is out of storage space", temporary, "quota"},
		{atRcpt, 552, "5.2.2 mailbox size limit exceeded", temporary, "quota"},
		{atRcpt, 550, "5.2.2 over quota", temporary, "quota"},
		{atRcpt, 452, "4.2.2 mailbox full", temporary, ""},
		{atRcpt, 554, "5.7.1 <reader@example.com>: Relay access denied", account, "wants a login"},
		{atRcpt, 550, "5.7.1 Client not authenticated: authentication required", account, "wants a login"},
		{atRcpt, 553, "5.7.1 Sender address rejected: not logged in", account, ""},
		{atRcpt, 550, "5.7.232 Your message can't be sent because your tenant exceeded its daily limit for sending email", temporary, "quota"},
		{atRcpt, 450, "4.2.0 Greylisted, see http://example.com", temporary, ""},
		{atData, 554, "5.5.1 no valid recipients", message, ""},
		{atAnswer, 250, "2.0.0 queued", temporary, ""}, // asked only about what is not a plain 250
		{atAnswer, 550, "5.7.1 Message rejected as spam", message, ""},
		{atAnswer, 554, "5.7.1 content rejected", message, ""},
		{atAnswer, 550, "5.7.60 SMTP; Client does not have permissions to send as this sender", account, "`from`"},
		{atAnswer, 550, "5.4.5 Daily sending quota exceeded", temporary, "quota"},
		{atAnswer, 554, "5.7.0 Your message exceeded the maximum sending rate", temporary, "quota"},
		{atAnswer, 550, "5.7.1 You have exceeded your hourly sending limit", temporary, "quota"},
		{atAnswer, 552, "5.3.4 Message too big", large, ""},
		{atAnswer, 552, "message size exceeds limit", large, ""},
		{atAnswer, 552, "", temporary, "quota"},
		{atAnswer, 500, "5.5.2 line too long", message, ""},
		{atGreeting, 554, "5.7.1 blocked", account, "host and port"},
		{atGreeting, 554, "too many connections from your address", temporary, "quota"},
		{atHello, 501, "invalid name", account, "host and port"},
		{atStartTLS, 454, "4.7.0 TLS not available", temporary, ""},
	} {
		a := answer{code: c.code, text: c.text}
		if got := a.refusal(c.at); got != c.want {
			t.Errorf("%s: %d %s: %q, want %q", c.at, c.code, c.text, got, c.want)
		}
		if got := a.hint(c.at, "smtp.example.com"); !strings.Contains(got, c.hint) || c.hint == "" && got != "" && c.code/100 != 5 {
			t.Errorf("%s: %d %s: hint %q, want %q", c.at, c.code, c.text, got, c.hint)
		}
	}
}

// What the server says of a recipient is that recipient's, and all else everybody's.
func TestAnswerAboutARecipient(t *testing.T) {
	for text, want := range map[string]bool{
		"5.1.1 no such user": true, "4.2.0 greylisted": true, "5.2.2 over quota": true,
		"5.4.5 Daily user sending limit exceeded": false, "5.7.1 Relay access denied": false,
		"5.7.1 Sender address rejected: not logged in": false,
	} {
		if got := (answer{code: 550, text: text}).ofRecipient(atRcpt); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	if (answer{code: 550, text: "5.1.1 no such user"}).ofRecipient(atSender) {
		t.Error("a refused sender is nobody's alone")
	}
}

func TestWithGmailTheHintIsAnAppPassword(t *testing.T) {
	for host, want := range map[string]bool{
		"smtp.gmail.com": true, "smtp.mail.yahoo.com": true, "smtp.example.com": false, "notgmail.com": false,
	} {
		hint := answer{code: 535, text: "no"}.hint(atLogin, host)
		if got := strings.Contains(hint, "2-step verification on"); got != want {
			t.Errorf("%s: %q", host, hint)
		}
	}
}

func TestSpacesOfAnAppPassword(t *testing.T) {
	for _, c := range []struct{ host, given, want string }{
		{"smtp.gmail.com", "abcd efgh ijkl mnop", "abcdefghijklmnop"},
		{"smtp.gmail.com", " abcd\u00a0efgh ijkl mnop \n", "abcdefghijklmnop"},
		{"smtp.gmail.com", "abcdefghijklmnop", "abcdefghijklmnop"},
		{"smtp.gmail.com", "my own pass phrase", "my own pass phrase"},
		{"smtp.example.com", "able bird cats dogs", "able bird cats dogs"},
		{"smtp.example.com", "trailing space \r\n", "trailing space "},
	} {
		if got := appPassword(c.host, c.given); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.host, c.given, got, c.want)
		}
	}
}

func TestHelloNames(t *testing.T) {
	four := &net.TCPAddr{IP: net.IPv4(192, 168, 1, 5)}
	six := &net.TCPAddr{IP: net.ParseIP("2001:db8::7")}
	for _, c := range []struct {
		host  string
		local net.Addr
		want  string
	}{
		{"Laptop.Example.com", four, "laptop.example.com"},
		{"laptop.example.com.", four, "laptop.example.com"},
		{"laptop", four, "[192.168.1.5]"},
		{"localhost", four, "[192.168.1.5]"},
		{"localhost.localdomain", four, "[192.168.1.5]"},
		{"ana's-macbook.local", four, "[192.168.1.5]"},
		{"a_b.example.com", six, "[IPv6:2001:db8::7]"},
		{"10.0.0.1", four, "[192.168.1.5]"},
		{"-x.example.com", four, "[192.168.1.5]"},
		{"", nil, "[127.0.0.1]"},
		{"evil\r\nMAIL FROM:<x>.example.com", nil, "[127.0.0.1]"},
	} {
		if got := helloName(c.host, c.local); got != c.want {
			t.Errorf("%q from %v: %q, want %q", c.host, c.local, got, c.want)
		}
	}
}
