package main

import (
	"net/url"
	"os"
	"regexp"
	"strings"
)

var (
	links     = regexp.MustCompile(`\b[a-zA-Z][a-zA-Z0-9+.-]*://[^\s"'<>)]+`)
	addresses = regexp.MustCompile(`[^\s"'<>(),:;]+@[^\s"'<>(),:;]+`)
	named     = regexp.MustCompile(`search "(?:[^"\\]|\\.)*"`)
)

// leastSecret is how long a text of the user's has to be to be looked for: a shorter
// one would be found all over.
const leastSecret = 4

// hide takes out of a text what nobody should see who reads a report of a fault.
func (p *patient) hide(text string) string {
	if c, err := p.conf(); err == nil {
		for _, s := range c.Searches {
			text = without(text, s.Name)
		}
		if c.Mail != nil {
			for _, s := range append([]string{c.Mail.Password, c.Mail.Username, c.Mail.From}, c.Mail.To...) {
				text = without(text, s)
			}
		}
	}
	home, _ := os.UserHomeDir()
	return hidden(text, home)
}

func without(text, secret string) string {
	if len(secret) < leastSecret {
		return text
	}
	return strings.ReplaceAll(text, secret, "…")
}

// hidden shortens links to their sites, and takes out addresses, names of searches
// and the user's own, which is in the path of home.
func hidden(text, home string) string {
	text = links.ReplaceAllStringFunc(text, func(link string) string {
		u, err := url.Parse(link)
		if err != nil || u.Host == "" {
			return "…"
		}
		return u.Scheme + "://" + u.Host + "/…"
	})
	text = addresses.ReplaceAllString(text, "…")
	text = named.ReplaceAllString(text, `search "…"`)
	if len(home) > 1 {
		text = strings.ReplaceAll(text, home, "~")
	}
	return text
}
