package assets

import (
	"embed"
	"fmt"
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

//go:embed portals/*.toml
var portalFiles embed.FS

// Portal is what Notifio knows of one site. It comes from a file of
// assets/portals or from a [[portal]] table in the user's own file; the form is
// the same, and README.md beside the definitions explains each key.
type Portal struct {
	Name  string   // first half of a listing's key: lower-case letters, digits and "-"
	Hosts []string // host names without "www.", in punycode; names below them count as well
	// Listing are the shapes of a listing's link, each with a group named "id".
	// A pattern that begins with "^/" is held against path and query, any other
	// against the whole URL.
	Listing []*regexp.Regexp

	Promoted      []string         // CSS selectors of paid cards, or of regions full of them
	PromotedLinks []*regexp.Regexp // links that only a paid card has
	Similar       []string         // CSS selectors of homes outside the search
	Ignore        []string         // CSS selectors of regions whose links are no cards at all

	// Partners are other portals whose listings stand among this one's; they keep
	// the other portal's keys.
	Partners []string

	Refused      []string // CSS selectors or sentences of a refusal
	SignedOut    []string // CSS selectors or sentences shown to a visitor who is not signed in
	SignedOutURL []*regexp.Regexp
	// SignedInView is set where a signed-in visitor sees other results than a
	// stranger, so that the two must not be compared.
	SignedInView bool

	NewestFirst   []*regexp.Regexp // held against the search's URL
	NewestDefault bool             // newest first as long as the URL asks for no other order
	OtherOrder    []*regexp.Regexp // URLs that ask for another order

	Scroll  bool     // adds listings as one scrolls
	Notes   string   // for the user: alerts of its own, signing in, newest first
	Sources []string // where each fact comes from, each beginning with its date
}

// Portals are the embedded definitions, ordered by name.
func Portals() ([]Portal, error) {
	names, err := fs.Glob(portalFiles, "portals/*.toml")
	if err != nil {
		return nil, fmt.Errorf("list portal definitions: %w", err)
	}
	portals := make([]Portal, 0, len(names))
	for _, name := range names {
		text, err := portalFiles.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		p, err := DecodePortal(name, text)
		if err != nil {
			return nil, err
		}
		portals = append(portals, p)
	}
	slices.SortFunc(portals, func(a, b Portal) int { return strings.Compare(a.Name, b.Name) })
	return portals, nil
}

// PortalsWith are the definitions to read with, in order of preference: the user's
// own, and behind them the embedded ones.
func PortalsWith(own []Portal) ([]Portal, error) {
	embedded, err := Portals()
	if err != nil {
		return nil, err
	}
	return slices.Concat(own, embedded), nil
}

// Covers says whether a host name, with or without "www.", belongs to the portal.
func (p Portal) Covers(host string) bool {
	host = PlainHost(host)
	return slices.ContainsFunc(p.Hosts, func(h string) bool {
		return host == h || strings.HasSuffix(host, "."+h)
	})
}

// PlainHost is a host name in one of the ways in which it can be written: in small
// letters, without "www.", and with punycode ("xn--bcher-kva.example") for letters
// beyond ASCII, as browsers have it in addresses.
func PlainHost(host string) string {
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		host = ascii
	}
	return strings.TrimPrefix(strings.ToLower(host), "www.")
}

// hexadecimal ids are the same in both cases; those of base 62 are not.
var hexadecimal = regexp.MustCompile(`^[0-9A-Fa-f-]+$`)

// ListingID finds the portal's own id in a listing's link; ok is false for any
// other link.
func (p Portal) ListingID(u *url.URL) (id string, ok bool) {
	if u == nil || !p.Covers(u.Hostname()) {
		return "", false
	}
	for _, pattern := range p.Listing {
		m := pattern.FindStringSubmatch(Subject(pattern, u))
		if m == nil {
			continue
		}
		if id := m[pattern.SubexpIndex("id")]; id != "" {
			if hexadecimal.MatchString(id) {
				id = strings.ToLower(id)
			}
			return id, true
		}
	}
	return "", false
}

// Subject is the part of a URL that a pattern of a definition is held against:
// path and query for one that begins with "^/" or "^(?:/", else the whole URL.
func Subject(pattern *regexp.Regexp, u *url.URL) string {
	source := pattern.String()
	if strings.HasPrefix(source, "^/") || strings.HasPrefix(source, "^(?:/") || strings.HasPrefix(source, "^(?i)/") {
		if u.RawQuery == "" {
			return u.EscapedPath()
		}
		return u.EscapedPath() + "?" + u.RawQuery
	}
	return u.String()
}
