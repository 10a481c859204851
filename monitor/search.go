package monitor

import (
	"net"
	"net/url"
	"strings"
)

// MaxSearches is how many enabled searches one Notifio watches. It is a latency
// budget: three lanes check fifteen pages of three to five seconds in about the
// thirty seconds that the interval promises.
const MaxSearches = 15

// Search is one saved results page, as the user wrote it down.
type Search struct {
	Name    string // how the user calls it; unique
	URL     string // http, https or "demo:NAME"; also the search's identity on disk
	Enabled bool
	Link    string // regular expression over absolute links; overrides what the page suggests
	Filter  Filter

	// Landed is the final address of the last accepted page; "" before there is one.
	// A redirect that loses a parameter which it had leads to another search.
	Landed string

	Reply       string // name of a Recipe; "": nobody replies
	PriceDrops  bool   // tell when a known listing becomes at least 2 % cheaper
	NewestFirst *bool  // nil: ask the portal's definition and the URL
}

// Host is the name that politeness goes by: lower case, without port and
// without a leading "www.". The demo portal's host is "demo".
func (s Search) Host() string { return HostOf(s.URL) }

// HostOf is Search.Host for any URL; it is empty when rawURL has no host.
func HostOf(rawURL string) string {
	if strings.HasPrefix(rawURL, "demo:") {
		return "demo"
	}
	u, err := url.Parse(rawURL)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.")
}

// OnThisMachine says whether rawURL leads to this very machine: the demo portal,
// a loopback address, localhost or a name below it.
func OnThisMachine(rawURL string) bool {
	host := HostOf(rawURL)
	if host == "demo" || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}
