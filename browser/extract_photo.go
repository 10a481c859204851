package browser

import (
	"net/url"
	"regexp"
	"strings"
)

// photo is the first picture that is neither a placeholder nor an icon.
func (g *ground) photo(c card, base *url.URL) string {
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		n := &g.Nodes[i]
		for _, source := range n.Images {
			if u := picture(source, base); u != "" {
				return u
			}
		}
		if m := background.FindStringSubmatch(n.Style); m != nil {
			if u := picture(m[1], base); u != "" {
				return u
			}
		}
	}
	return ""
}

var background = regexp.MustCompile(`url\(\s*["']?([^"')]+)["']?\s*\)`)

var noPicture = newSieve(`(?i)placeholder|blank\.|spacer|pixel|loading|spinner|lazy\.|/icons?/|icon[-_.]|sprite|logo|avatar|badge|arrow|chevron|camera|no[-_]?(?:photo|image|foto)|\.svg(?:\?|$)|1x1`)

// picture is the absolute address of a picture; "" for a placeholder.
func picture(source string, base *url.URL) string {
	source = strings.TrimSpace(source)
	if source == "" || strings.HasPrefix(source, "data:") {
		return ""
	}
	u, err := url.Parse(source)
	if err != nil {
		return ""
	}
	if base != nil {
		u = base.ResolveReference(u)
	}
	if u.Scheme != "http" && u.Scheme != "https" || noPicture.MatchString(u.Path) {
		return ""
	}
	return u.String()
}
