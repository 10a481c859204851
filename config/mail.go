package config

import (
	"maps"
	"net"
	"net/mail"
	"path/filepath"
	"slices"
	"strings"

	"notifio.app/notifio/monitor"
)

// mail reads [mail], which names a server or a folder.
func (c *checker) mail(doc map[string]any) *Mail {
	if _, given := doc["mail"]; !given {
		return nil
	}
	t := c.single(doc, "mail")
	if t.values == nil {
		return nil
	}
	switch {
	case t.has("folder"):
		return t.mailFolder()
	case !t.has("host"):
		t.withoutHost()
		return &Mail{}
	}
	return t.server()
}

func (t table) withoutHost() {
	if t.has("username") {
		t.missing("host", "has a username but no host: write the mail server, like %s", tables["mail"]["host"])
		return
	}
	t.missing("host", "names no server and no folder: write %s for email, or %s for files on this machine", tables["mail"]["host"], tables["mail"]["folder"])
}

// mailFolder reads a [mail] that keeps alerts on this machine.
func (t table) mailFolder() *Mail {
	for _, key := range slices.Sorted(maps.Keys(tables["mail"])) {
		if key != "folder" && t.has(key) {
			t.wrongAt("folder", "folder and %s exclude each other: remove folder to send email, or all the others to keep alerts on this machine", key)
			break
		}
	}
	s, given := t.text("folder")
	if !given {
		return &Mail{}
	}
	dir := t.home("folder", s)
	if dir != "" && !filepath.IsAbs(dir) {
		t.wrongAt("folder", `folder %s is not a whole path: begin it with "~/" or at the root`, quote(s))
	}
	return &Mail{Folder: dir, HasFolder: true}
}

// server reads a [mail] that sends.
func (t table) server() *Mail {
	m := &Mail{Host: t.mailHost(), TLS: t.tls()}
	m.Port = t.port(m.TLS)
	m.Username, _ = t.text("username")
	m.Password, _ = get[string](t, "password")
	if strings.ContainsAny(m.Password, "\r\n\x00") {
		t.wrongAt("password", "password holds a line break: write it as one line")
	}
	if m.Password != "" && !t.has("username") {
		t.wrongAt("password", "password without a username: write the name that signs in, like %s", tables["mail"]["username"])
	}
	if m.TLS == "none" && m.Host != "" && !local(m.Host) {
		t.wrongAt("tls", `tls = "none" would send your password and mail in clear text: write "auto", or use a server on this machine`)
	}
	m.From = t.from(m.Username)
	m.To = t.to()
	return m
}

func (t table) mailHost() string {
	s, given := t.text("host")
	if !given {
		return ""
	}
	host := strings.ToLower(strings.TrimSuffix(strings.TrimPrefix(s, "["), "]"))
	name, port, err := net.SplitHostPort(s)
	switch {
	case host == "":
		t.wrongAt("host", "host is empty: write the mail server, like %s", tables["mail"]["host"])
	case net.ParseIP(host) != nil:
		return host
	case strings.ContainsAny(s, "/@"):
		t.wrongAt("host", "host is more than a name: write the mail server alone, like %s", tables["mail"]["host"])
	case err == nil && port != "":
		t.wrongAt("host", "host holds a port: write host = %s and, on a line of its own, port = %s", quote(name), clip(port))
	case strings.ContainsAny(s, ": \t"):
		t.wrongAt("host", "host %s is not a name: write the mail server alone, like %s", quote(s), tables["mail"]["host"])
	default:
		return host
	}
	return ""
}

func clip(s string) string { return strings.Trim(quote(s), `"`) }

func (t table) tls() string {
	s, given := t.text("tls")
	switch {
	case !given:
		return "auto"
	case s != "auto" && s != "tls" && s != "starttls" && s != "none":
		t.wrongAt("tls", `tls %s is not known: write "auto", "tls" (port 465), "starttls" (port 587) or, for a server on this machine, "none"`, quote(s))
		return "auto"
	}
	return s
}

// port is the one that goes with tls unless the file names another: RFC 8314 for
// 465 and 587, and 25 without encryption.
func (t table) port(tls string) int {
	if n, given := t.whole("port", 1, 65535); given {
		return n
	}
	switch tls {
	case "tls":
		return 465
	case "none":
		return 25
	}
	return 587
}

func local(host string) bool {
	return monitor.OnThisMachine("http://" + net.JoinHostPort(host, "25"))
}

// from is the sender, by default the name that signs in where that is an address.
func (t table) from(username string) string {
	s, given := t.text("from")
	if given {
		if _, ok := t.address("from", t.line("from"), s); !ok {
			return ""
		}
		return s
	}
	if t.has("from") {
		return ""
	}
	if a, err := mail.ParseAddress(username); err == nil && a.Name == "" {
		return a.Address
	}
	t.missing("from", "has no sender: write it, like %s", tables["mail"]["from"])
	return ""
}

// to are the bare addresses of the recipients. One may go without a list.
func (t table) to() []string {
	var given []located
	switch v := t.values["to"].(type) {
	case nil:
		t.missing("to", "has no recipient: write your address, like %s", tables["mail"]["to"])
	case string:
		given = []located{{v, t.line("to")}}
	case []any:
		given = t.list("to")
		if len(v) == 0 {
			t.wrongAt("to", "to is empty: write your address, like %s", tables["mail"]["to"])
		}
	default:
		t.wrongType("to", v)
	}
	var out []string
	seen := map[string]bool{}
	for _, g := range given {
		a, ok := t.address("to", g.line, g.text)
		switch {
		case !ok:
		case seen[strings.ToLower(a)]:
			t.wrong(g.line, "%s to names %s twice: remove one of them", t.label, quote(a))
		default:
			seen[strings.ToLower(a)] = true
			out = append(out, a)
		}
	}
	return out
}

// address is the bare address in s.
func (t table) address(key string, line int, s string) (string, bool) {
	a, err := mail.ParseAddress(s)
	switch {
	case err != nil && key == "to" && strings.ContainsAny(s, ",;"):
		t.wrong(line, `%s to holds several addresses in one text: write each in quotes of its own, like to = ["a@example.com", "b@example.com"]`, t.label)
	case err != nil:
		t.wrong(line, "%s %s: %s is not an email address: write it like %s", t.label, key, quote(s), tables["mail"][key])
	case strings.IndexFunc(a.Address, func(r rune) bool { return r > 126 || r <= ' ' }) >= 0:
		t.wrong(line, "%s %s: %s has letters that many mail servers refuse in an address: write it with plain ones, a domain in its xn-- form", t.label, key, quote(a.Address))
	default:
		return a.Address, true
	}
	return "", false
}
