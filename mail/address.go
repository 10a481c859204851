package mail

import (
	"errors"
	"fmt"
	"net/mail"
	"regexp"
	"strings"
)

// sender is an address, with the name that goes with it.
type sender struct {
	name    string
	address string
}

// plainAddress has no quotes, spaces or letters beyond ASCII: what every server
// on the way takes, and what cannot break out of a command.
var plainAddress = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+/=?^_`{|}~.-]+@[A-Za-z0-9.-]+$")

// parseSender reads an address, or `Name <address>`.
func parseSender(s string) (sender, error) {
	if s == "" {
		return sender{}, errors.New("no address")
	}
	parsed, err := mail.ParseAddress(s)
	if err != nil || strings.ContainsAny(s, "\r\n\x00") {
		return sender{}, fmt.Errorf("%q is not an address: write name@example.com", shorten(clean(s), 80))
	}
	if !plainAddress.MatchString(parsed.Address) {
		return sender{}, fmt.Errorf("address %q: only plain letters and digits work with every mail server; write a domain in its xn-- form",
			shorten(clean(parsed.Address), 80))
	}
	return sender{name: clean(parsed.Name), address: parsed.Address}, nil
}
