package mail

import (
	"mime"
	"strings"
)

// lineLimit is where a header line is folded (RFC 5322 asks for 78 octets).
const lineLimit = 76

// encoded writes text for a header, as words of RFC 2047 where it is not plain.
// Text that looks like such a word already is broken up, or a reader would decode
// what nobody encoded.
func encoded(text string) string {
	return mime.QEncoding.Encode("UTF-8", strings.ReplaceAll(clean(text), "=?", "= ?"))
}

// named writes an address with its name. A name with anything but letters, digits
// and spaces becomes an encoded word, in which a comma or a quote means nothing.
func named(s sender) string {
	if s.name == "" {
		return s.address
	}
	name := encoded(shorten(clean(s.name), 80))
	if name == s.name && strings.ContainsFunc(name, special) {
		name = "\"" + strings.NewReplacer("\\", "\\\\", "\"", "\\\"").Replace(name) + "\""
	}
	return name + " <" + s.address + ">"
}

func special(r rune) bool {
	return r != ' ' && r != '-' && (r < '0' || '9' < r) && (r < 'A' || 'Z' < r) && (r < 'a' || 'z' < r)
}

// idOf keeps of a Message-ID what may stand in one.
func idOf(id string) string {
	kept := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' || strings.ContainsRune("<>()[],;:\\\"", r) {
			return -1
		}
		return r
	}, id)
	if kept = shorten(kept, 200); kept == "" || strings.HasSuffix(kept, "…") || strings.Count(kept, "@") != 1 {
		return strings.ReplaceAll(strings.TrimSuffix(kept, "…"), "@", ".") + "@notifio.invalid"
	}
	return kept
}

// folded writes one header field, folded at its spaces, so that a line is longer
// than lineLimit only where a single word is.
func folded(name, value string) string {
	var out strings.Builder
	line := name + ":"
	for word := range strings.SplitSeq(value, " ") {
		if len(line)+1+len(word) > lineLimit && line != name+":" && strings.TrimSpace(line) != "" {
			out.WriteString(line + "\r\n")
			line = ""
		}
		line += " " + word
	}
	out.WriteString(line + "\r\n")
	return out.String()
}
