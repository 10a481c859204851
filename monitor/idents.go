package monitor

// idents is a set of listings, recognised by key or by canonical URL.
type idents struct{ keys, urls map[string]bool }

func identsOf(listings []Listing) idents {
	s := idents{make(map[string]bool, len(listings)), make(map[string]bool, len(listings))}
	for _, l := range listings {
		s.keys[l.Key] = true
		if l.Canonical != "" {
			s.urls[l.Canonical] = true
		}
	}
	return s
}

func (s idents) has(l Listing) bool {
	return s.keys[l.Key] || l.Canonical != "" && s.urls[l.Canonical]
}

// missing are the listings of from that in does not have.
func missing(from, in []Listing) []Listing {
	there := identsOf(in)
	var out []Listing
	for _, l := range from {
		if !there.has(l) {
			out = append(out, l)
		}
	}
	return out
}
