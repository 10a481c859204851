package mail

import (
	"crypto/sha256"
	"fmt"
	"mime"
	"net/mail"
	"regexp"
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

// named writes an address with its name, quoted or encoded as the name needs it.
func named(s sender) string {
	if s.name == "" {
		return s.address
	}
	return (&mail.Address{Name: strings.ReplaceAll(shorten(clean(s.name), 80), "=?", "= ?"), Address: s.address}).String()
}

// legalID is a Message-ID that every server and mail program takes as it is.
var legalID = regexp.MustCompile(`^[A-Za-z0-9._+=-]{1,150}@[A-Za-z0-9.-]{1,90}$`)

// idOf writes a Message-ID. Another one is replaced by its digest, so that the same
// letter keeps the same Message-ID.
func idOf(id string) string {
	if !legalID.MatchString(id) {
		id = fmt.Sprintf("%x@notifio.invalid", sha256.Sum256([]byte(id)))
	}
	return "<" + id + ">"
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
