package assets

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// portalTOML is a definition as it is written.
type portalTOML struct {
	Name          string   `toml:"name"`
	Hosts         []string `toml:"hosts"`
	Listing       []string `toml:"listing"`
	Promoted      []string `toml:"promoted"`
	PromotedLinks []string `toml:"promoted_links"`
	Similar       []string `toml:"similar"`
	Ignore        []string `toml:"ignore"`
	Partners      []string `toml:"partners"`
	Refused       []string `toml:"refused"`
	SignedOut     []string `toml:"signed_out"`
	SignedOutURL  []string `toml:"signed_out_url"`
	SignedInView  bool     `toml:"signed_in_view"`
	NewestFirst   []string `toml:"newest_first"`
	NewestDefault bool     `toml:"newest_default"`
	OtherOrder    []string `toml:"other_order"`
	Scroll        bool     `toml:"scroll"`
	Notes         string   `toml:"notes"`
	Sources       []string `toml:"sources"`
}

var (
	portalName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)
	hostName   = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)*$`)
)

// DecodePortal reads a file that holds one definition at its top level. The
// error joins every mistake, each with file and line.
func DecodePortal(file string, text []byte) (Portal, error) {
	var written portalTOML
	meta, err := toml.Decode(string(text), &written)
	if err != nil {
		return Portal{}, syntaxError(file, err)
	}
	d := decoder{file: file, lines: keyLines(text, "")}
	known := func(key toml.Key) bool { return slices.Contains(portalKeys, key.String()) }
	for _, key := range meta.Undecoded() {
		if !known(key) {
			d.failf(0, key[0], "unknown key %q; %s", key.String(), nearest(key[0]))
		}
	}
	p := d.portal(0, written)
	return p, errors.Join(d.errs...)
}

// DecodePortals reads the [[portal]] tables of a user's file and passes over
// everything else in it. The error joins every mistake, each with file and line;
// the definitions without one are returned all the same.
func DecodePortals(file string, text []byte) ([]Portal, error) {
	var written struct {
		Portal []portalTOML `toml:"portal"`
	}
	meta, err := toml.Decode(string(text), &written)
	if err != nil {
		return nil, syntaxError(file, err)
	}
	d := decoder{file: file, lines: keyLines(text, "portal")}
	d.unknown(meta)
	var portals []Portal
	for i, w := range written.Portal {
		before := len(d.errs)
		p := d.portal(i, w)
		if slices.ContainsFunc(portals, func(q Portal) bool { return q.Name == p.Name }) {
			d.failf(i, "name", "a second portal is called %q; give it another name", p.Name)
		}
		if len(d.errs) == before {
			portals = append(portals, p)
		}
	}
	return portals, errors.Join(d.errs...)
}

func syntaxError(file string, err error) error {
	var parse toml.ParseError
	if errors.As(err, &parse) {
		return fmt.Errorf("%s:%d: %s", file, parse.Position.Line, parse.Message)
	}
	return fmt.Errorf("%s: %w", file, err)
}

// decoder checks what was written, and collects every mistake.
type decoder struct {
	file  string
	lines []map[string]int // per table, key -> line
	errs  []error
}

func (d *decoder) failf(table int, key, format string, args ...any) {
	where := d.file
	if table < len(d.lines) {
		line := d.lines[table][key]
		if line == 0 {
			line = d.lines[table][""]
		}
		where = fmt.Sprintf("%s:%d", d.file, line)
	}
	d.errs = append(d.errs, fmt.Errorf("%s: %s", where, fmt.Sprintf(format, args...)))
}

// unknown complains of keys in [[portal]] tables that mean nothing. The library
// names a key without its table, so each table that has it is complained of.
func (d *decoder) unknown(meta toml.MetaData) {
	seen := map[string]bool{}
	for _, key := range meta.Undecoded() {
		if len(key) < 2 || key[0] != "portal" || seen[key[1]] {
			continue
		}
		seen[key[1]] = true
		for i, lines := range d.lines {
			if lines[key[1]] > 0 {
				d.failf(i, key[1], "unknown key %q in [[portal]]; %s", key[1], nearest(key[1]))
			}
		}
	}
}

func (d *decoder) portal(i int, w portalTOML) Portal {
	p := Portal{
		Name: w.Name, Promoted: w.Promoted, Similar: w.Similar, Ignore: w.Ignore, Partners: w.Partners, Refused: w.Refused,
		SignedOut: w.SignedOut, SignedInView: w.SignedInView, NewestDefault: w.NewestDefault,
		Scroll: w.Scroll, Notes: strings.TrimSpace(w.Notes), Sources: w.Sources,
	}
	if !portalName.MatchString(w.Name) {
		d.failf(i, "name", "name %q: use lower-case letters, digits and \"-\", at most 40", w.Name)
	}
	p.Hosts = d.hosts(i, w.Hosts)
	if len(w.Listing) == 0 {
		d.failf(i, "listing", "portal %q has no listing pattern; add listing = ['^/room/(?P<id>\\d+)']", w.Name)
	}
	p.Listing = d.patterns(i, "listing", w.Listing)
	for _, pattern := range p.Listing {
		if pattern.SubexpIndex("id") < 0 {
			d.failf(i, "listing", "listing pattern %q has no group named id; write (?P<id>...) around the listing's id", pattern)
		}
	}
	p.PromotedLinks = d.patterns(i, "promoted_links", w.PromotedLinks)
	p.SignedOutURL = d.patterns(i, "signed_out_url", w.SignedOutURL)
	p.NewestFirst = d.patterns(i, "newest_first", w.NewestFirst)
	p.OtherOrder = d.patterns(i, "other_order", w.OtherOrder)
	return p
}

func (d *decoder) hosts(i int, written []string) []string {
	if len(written) == 0 {
		d.failf(i, "hosts", "no hosts; add hosts = [\"example.com\"]")
	}
	hosts := make([]string, 0, len(written))
	for _, h := range written {
		host := PlainHost(h)
		if !hostName.MatchString(host) {
			d.failf(i, "hosts", "host %q: write a host name alone, such as \"example.com\"", h)
			continue
		}
		hosts = append(hosts, host)
	}
	return hosts
}

func (d *decoder) patterns(i int, key string, written []string) []*regexp.Regexp {
	out := make([]*regexp.Regexp, 0, len(written))
	for _, source := range written {
		pattern, err := regexp.Compile(source)
		if err != nil {
			d.failf(i, key, "%s pattern %q: %s; the syntax is Go's RE2, without look-ahead", key, source, strings.TrimPrefix(err.Error(), "error parsing regexp: "))
			continue
		}
		out = append(out, pattern)
	}
	return out
}

var portalKeys = []string{
	"name", "hosts", "listing", "promoted", "promoted_links", "similar", "ignore", "partners", "refused", "signed_out", "signed_out_url",
	"signed_in_view", "newest_first", "newest_default", "other_order", "scroll", "notes", "sources",
}

// nearest names the known key that a misspelt one was most likely meant to be.
func nearest(key string) string {
	best, distance := "", 4
	for _, known := range portalKeys {
		if n := edits(strings.ToLower(key), known); n < distance {
			best, distance = known, n
		}
	}
	if best == "" {
		return "known are " + strings.Join(portalKeys, ", ")
	}
	return fmt.Sprintf("did you mean %q?", best)
}

// edits is the number of letters to insert, remove or replace between two words.
func edits(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}

var (
	tableLine = regexp.MustCompile(`^\s*\[+\s*["']?([\w.-]+)["']?\s*\]+`)
	keyLine   = regexp.MustCompile(`^\s*["']?([\w-]+)["']?\s*=`)
)

// keyLines finds the line of each key, because the TOML library does not tell.
// With a table name it returns one map for each [[table]] of that name, else one
// for the keys before any table. The entry "" is the line of the table itself.
func keyLines(text []byte, table string) []map[string]int {
	current := map[string]int{"": 1}
	inside := table == ""
	var tables []map[string]int
	if inside {
		tables = append(tables, current)
	}
	closing := "" // the end of a multi-line string that we are in
	for n, line := range strings.Split(string(text), "\n") {
		if closing != "" {
			if strings.Contains(line, closing) {
				closing = ""
			}
			continue
		}
		if m := tableLine.FindStringSubmatch(line); m != nil {
			inside = m[1] == table
			if inside {
				current = map[string]int{"": n + 1}
				tables = append(tables, current)
			}
		} else if m := keyLine.FindStringSubmatch(line); m != nil && inside {
			if _, twice := current[m[1]]; !twice {
				current[m[1]] = n + 1
			}
		}
		for _, quote := range []string{`"""`, `'''`} {
			if strings.Count(line, quote)%2 == 1 {
				closing = quote
			}
		}
	}
	return tables
}
