package browser

import (
	"net"
	"net/url"
	"strings"

	"notifio.app/notifio/assets"
)

// site is what a host belongs to: its last two labels, or three below a public
// suffix such as co.uk. A portal's mobile, language and login hosts are one site.
func site(u *url.URL) string {
	labels := strings.Split(assets.PlainHost(u.Hostname()), ".")
	keep := 2
	if n := len(labels); n >= 3 && len(labels[n-1]) == 2 && publicSecond[labels[n-2]] {
		keep = 3
	}
	if net.ParseIP(u.Hostname()) != nil || len(labels) <= keep || labels[len(labels)-1] == "localhost" {
		return strings.Join(labels, ".")
	}
	return strings.Join(labels[len(labels)-keep:], ".")
}

var publicSecond = map[string]bool{"co": true, "com": true, "org": true, "net": true, "ac": true, "gov": true, "ne": true, "or": true}
