package browser

import (
	"net/url"
	"regexp"
	"strconv"
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
		if m := noscriptSource.FindStringSubmatch(n.Noscript); m != nil {
			if u := picture(strings.ReplaceAll(m[1], "&amp;", "&"), base); u != "" {
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

var (
	noscriptSource = regexp.MustCompile(`(?i)<(?:img|source)[^>]*?\s(?:src|srcset)\s*=\s*["']([^"']+)["']`)
	background     = regexp.MustCompile(`url\(\s*["']?([^"')]+)["']?\s*\)`)
)

var noPicture = newSieve(`(?i)placeholder|blank\.|spacer|pixel|loading|spinner|lazy\.|/icons?/|icon[-_.]|sprite|logo|avatar|badge|arrow|chevron|camera|no[-_]?(?:photo|image|foto)|\.svg(?:\?|$)|1x1`)

// picture is the absolute address of a picture, of the largest in a srcset; ""
// for a placeholder.
func picture(source string, base *url.URL) string {
	source = strings.TrimSpace(source)
	if source == "" || strings.HasPrefix(source, "data:") {
		return ""
	}
	best, width := "", -1.0
	for _, candidate := range splitSrcset(source) {
		address, size, _ := strings.Cut(candidate, " ")
		w, _ := strconv.ParseFloat(strings.TrimRight(strings.TrimSpace(size), "wx"), 64)
		if w > width {
			best, width = address, w
		}
	}
	u, err := url.Parse(best)
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

// splitSrcset parts the candidates of a srcset. A comma inside an address has
// neither a space behind it nor a size before it.
func splitSrcset(source string) []string {
	var out []string
	begin := 0
	add := func(end int) {
		if part := strings.Trim(source[begin:end], " ,\n\t"); part != "" {
			out = append(out, part)
		}
		begin = end
	}
	for i := range len(source) {
		if source[i] == ',' && (i+1 < len(source) && strings.IndexByte(" \n\t", source[i+1]) >= 0 || pictureSize.MatchString(source[begin:i])) {
			add(i)
		}
	}
	add(len(source))
	return out
}

var pictureSize = regexp.MustCompile(`\s[\d.]+[wx]$`)
