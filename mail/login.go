package mail

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"notifio.app/notifio/monitor"
)

// login logs in, once. A server that offers no way that we know gets no password,
// and neither does one that is not encrypted, unless it is on this machine.
func (c *conversation) login() error {
	if c.config.Username == "" {
		return nil
	}
	if !c.secure && !loopback(c.config.Host) {
		return refuse(monitor.AccountRefused, "use tls = \"auto\"",
			fmt.Errorf("%s: not encrypted, the password was not sent", c.config.address()))
	}
	offered, list := c.client.Extension("AUTH")
	mechanisms := strings.Fields(strings.ToUpper(list))
	exchange := c.plain
	switch {
	case !offered:
		return refuse(monitor.AccountRefused, "remove the user name if this server wants no login, or check host and port",
			fmt.Errorf("%s: does not offer a login, nothing was sent", c.config.address()))
	case slices.Contains(mechanisms, "PLAIN"):
	case slices.Contains(mechanisms, "LOGIN"):
		exchange = c.userThenPassword
	default:
		return refuse(monitor.AccountRefused, "Notifio can use PLAIN and LOGIN; allow one of them, or use another account",
			fmt.Errorf("%s: offers only the logins %s", c.config.address(), oneLine(list)))
	}
	return c.do(atLogin, c.config.Step, exchange)
}

// plain is AUTH PLAIN of RFC 4616.
func (c *conversation) plain() error {
	return c.command(235, "AUTH PLAIN "+base64Of("\x00"+c.config.Username+"\x00"+c.password))
}

// userThenPassword is AUTH LOGIN, which no standard describes and which some
// servers offer alone.
func (c *conversation) userThenPassword() error {
	if err := c.command(334, "AUTH LOGIN"); err != nil {
		return err
	}
	if err := c.command(334, base64Of(c.config.Username)); err != nil {
		return err
	}
	return c.command(235, base64Of(c.password))
}

func base64Of(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }

// spaced is an app password as Google, Yahoo and AOL show it: in four groups,
// with spaces that are not part of it.
var spaced = regexp.MustCompile(`^[a-z]{4}([ \x{a0}][a-z]{4}){3}$`)

// appPassword takes the spaces out of an app password that was copied with them.
// Elsewhere four short words may well be the password.
func appPassword(host, password string) string {
	password = strings.TrimRight(password, "\r\n")
	if appPasswordHost(host) && spaced.MatchString(strings.TrimSpace(password)) {
		return strings.NewReplacer(" ", "", "\u00a0", "").Replace(password)
	}
	return password
}

// appPasswordHost says whether a mail program gets a password of its own at host.
func appPasswordHost(host string) bool {
	host = strings.ToLower(host)
	for _, domain := range []string{"gmail.com", "googlemail.com", "google.com", "yahoo.com", "aol.com"} {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return false
}

// redact takes the password out of words that came from outside: a server may
// repeat what it was sent.
func (c *conversation) redact(s string) string {
	if c.password == "" {
		return s
	}
	return strings.NewReplacer(
		base64Of("\x00"+c.config.Username+"\x00"+c.password), "(password)",
		base64Of(c.password), "(password)",
		c.password, "(password)").Replace(s)
}
