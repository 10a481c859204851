package mail

import (
	"errors"
	"fmt"
	"net/textproto"
	"regexp"
	"strings"

	"notifio.app/notifio/monitor"
)

// answer is what a server said instead of yes.
type answer struct {
	code int
	text string // with the enhanced code, if there is one
}

func isAnswer(err error) bool {
	var said *textproto.Error
	return errors.As(err, &said)
}

var (
	// quotas pass: after a day, or when the reader has emptied the mailbox.
	quotaCode = regexp.MustCompile(`^5\.(4\.5|2\.2|7\.28|7\.23[23])\b`)
	quotaText = regexp.MustCompile(`(?i)quota|(limit|rate|maximum)\b.{0,40}\bexceeded|exceed(s|ed|ing)?\b.{0,60}\b(limit|rate|maximum)|(daily|hourly|sending|message) (rate )?limit|too many (messages|recipients|emails|mails|connections)|mailbox (is )?full|insufficient storage|out of storage|try (again )?later|temporar`)
	bigText   = regexp.MustCompile(`(?i)\b(size|too (large|big|long))\b`)
	// loginText is a complaint about a missing or bad login at a later step.
	loginText  = regexp.MustCompile(`(?i)auth\w* (is )?(required|failed|needed)|(must|not|please) (first )?(be )?(log ?in|logged in|authenticat)|relay`)
	senderCode = regexp.MustCompile(`^5\.(1\.[78]|7\.60)\b`)
	senderText = regexp.MustCompile(`(?i)sender (address )?(rejected|denied|refused|not|is not|verify)|send as|not owned by user|from address|mail from|from header`)
)

// tooBig comes before quota: 552 is used for both.
func (a answer) tooBig() bool {
	return strings.HasPrefix(a.text, "5.3.4") || a.code == 552 && bigText.MatchString(a.text) && !quotaCode.MatchString(a.text)
}

func (a answer) quota() bool {
	return !a.tooBig() && (a.code == 552 || quotaCode.MatchString(a.text) || quotaText.MatchString(a.text))
}

func (a answer) login() bool {
	return a.code == 530 || a.code == 534 || a.code == 535 || a.code == 538 || loginText.MatchString(a.text)
}

func (a answer) sender() bool {
	return senderCode.MatchString(a.text) || senderText.MatchString(a.text)
}

// refusal says what the answer means for later attempts. Anything that is not
// plainly permanent is worth another one.
func (a answer) refusal(at step) monitor.Refusal {
	switch {
	case a.code/100 != 5:
		return monitor.Temporary
	case at == atLogin:
		return monitor.AccountRefused
	case a.quota():
		return monitor.Temporary
	case a.tooBig():
		return monitor.TooLarge
	case a.login(), a.sender():
		return monitor.AccountRefused
	case at == atData, at == atMessage, at == atAnswer:
		return monitor.MessageRefused
	default: // greeting, EHLO, STARTTLS, sender, recipient: the next message fares no better
		return monitor.AccountRefused
	}
}

// ofRecipient says whether the answer concerns one recipient alone.
func (a answer) ofRecipient(at step) bool {
	return at == atRcpt && !a.login() && !a.sender() && !strings.HasPrefix(a.text, "5.4.5")
}

// hint says what the user can do about the answer; "" when nothing is to be done.
func (a answer) hint(at step, host string) string {
	basic := strings.Contains(a.text, "5.7.139") || strings.Contains(strings.ToLower(a.text), "basic authentication")
	switch {
	case a.code == 454 && at == atLogin:
		return "the server wants fewer logins; Notifio waits and tries again"
	case a.code == 421:
		return "the server is busy or closing; Notifio tries again"
	case a.code/100 == 4:
		return ""
	case at == atLogin && basic:
		return "this provider takes no passwords from mail programs any more; use another account, or a mail folder"
	case at == atLogin && (appPasswordHost(host) || strings.Contains(a.text, "google.com")):
		return "this needs an app password, not the account's own: turn 2-step verification on, make an app password, run notifio password"
	case at == atLogin && a.login():
		return "check the user name and run notifio password; some providers want an app password"
	case at == atLogin:
		return "check the user name, and the port and tls of this server"
	case a.quota():
		return "a quota; Notifio tries again"
	case a.tooBig():
		return ""
	case a.login():
		return "this server wants a login: set username and run notifio password"
	case a.sender(), at == atSender:
		return "set `from` to an address that this account may send from"
	case at == atRcpt:
		return "check the address in `to`"
	case at == atGreeting, at == atHello, at == atStartTLS:
		return "check host and port; 587 and 465 are the usual ports"
	}
	return ""
}

// refused makes the error of an answer.
func (c *conversation) refused(at step, said *textproto.Error) error {
	a := answer{code: said.Code, text: oneLine(c.redact(said.Msg))}
	what := map[step]string{
		atGreeting: "refuses to talk", atLogin: "login refused", atSender: "sender refused",
		atRcpt: "recipient refused", atAnswer: "message refused", atMessage: "message refused",
	}[at]
	if what == "" {
		what = string(at) + " refused"
	}
	if a.code/100 == 4 {
		what = strings.Replace(what, "refused", "refused for now", 1)
	}
	if at == atLogin && c.config.Refused != nil && a.refusal(at) == monitor.AccountRefused {
		c.config.Refused()
	}
	failure := refuse(a.refusal(at), a.hint(at, c.config.Host),
		fmt.Errorf("%s: %s: %d %s", c.config.address(), what, a.code, a.text))
	failure.Recipient = a.ofRecipient(at)
	return failure
}

// oneLine makes a server's words fit for an error: one line of 200 characters.
func oneLine(s string) string { return shorten(clean(s), 200) }
