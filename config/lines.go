package config

import (
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// path names a value in the file, elements of lists and of arrays of tables
// included. It is a string so that it can be a map's key.
type path string

func (p path) key(k string) path { return p + "\x00" + path(k) }
func (p path) index(i int) path  { return p + "\x01" + path(strconv.Itoa(i)) }

// depth is how many steps lead to the value.
func (p path) depth() int { return strings.Count(string(p), "\x00") + strings.Count(string(p), "\x01") }

// linesOf finds the line of every key, table and list element of a file that is
// known to be TOML. The decoder has positions for its own errors only, and gives
// a wrong one for a wrong type in an array of tables, so this reads the file a
// second time, forward, and looks at nothing but structure. On a text that is not
// TOML it ends, with whatever it found. Where something is nested beyond all use it
// stops; tooDeep is the line then, else 0.
func linesOf(text string) (lines map[path]int, tooDeep int) {
	s := scanner{text: text, line: 1, lines: map[path]int{}, arrays: map[path]int{}}
	table := path("")
	for s.blank(); !s.done(); s.blank() {
		if s.next() == '[' {
			table = s.header()
			continue
		}
		p := s.key(table)
		if s.next() == '=' {
			s.pos++
			s.value(p)
		} else {
			s.toLineEnd()
		}
	}
	return s.lines, s.tooDeep
}

// maxDepth is beyond anything that a configuration needs. The decoder's cost grows
// with the third power of it.
const maxDepth = 32

type scanner struct {
	text   string
	pos    int
	line   int // of pos, 1-based
	lines  map[path]int
	arrays map[path]int // how many tables each array of tables has so far
	// tooDeep is the line where maxDepth was passed; the scan has ended then.
	tooDeep int
}

// deep ends the scan where the path to a value is too long.
func (s *scanner) deep(depth int) bool {
	if depth > maxDepth && s.tooDeep == 0 {
		s.tooDeep = s.line
		s.pos = len(s.text)
	}
	return s.tooDeep > 0
}

func (s *scanner) done() bool { return s.pos >= len(s.text) }

// next is the byte at pos, or 0 at the end.
func (s *scanner) next() byte {
	if s.done() {
		return 0
	}
	return s.text[s.pos]
}

func (s *scanner) ahead(prefix string) bool { return strings.HasPrefix(s.text[s.pos:], prefix) }

// to moves forward to a position and counts the line ends on the way.
func (s *scanner) to(pos int) {
	pos = min(pos, len(s.text))
	s.line += strings.Count(s.text[s.pos:pos], "\n")
	s.pos = pos
}

func (s *scanner) toLineEnd() { s.toAny("\n") }

func (s *scanner) toAny(stops string) {
	if i := strings.IndexAny(s.text[s.pos:], stops); i >= 0 {
		s.to(s.pos + i)
	} else {
		s.to(len(s.text))
	}
}

func (s *scanner) spaces() {
	for s.next() == ' ' || s.next() == '\t' {
		s.pos++
	}
}

// blank skips spaces, line ends, comments and the commas between elements.
func (s *scanner) blank() {
	for !s.done() {
		switch s.next() {
		case ' ', '\t', '\r', '\n', ',':
			s.to(s.pos + 1)
		case '#':
			s.toLineEnd()
		default:
			return
		}
	}
}

func (s *scanner) note(p path, line int) {
	if _, known := s.lines[p]; !known {
		s.lines[p] = line
	}
}

// header reads [a.b] or [[a.b]] and returns the path of what follows.
func (s *scanner) header() path {
	array := s.ahead("[[")
	s.pos++
	if array {
		s.pos++
	}
	p, parts := path(""), s.parts()
	for i, part := range parts {
		p = p.key(part)
		s.note(p, s.line)
		n := s.arrays[p]
		if array && i == len(parts)-1 {
			s.arrays[p]++
			p = p.index(n)
			s.note(p, s.line)
		} else if n > 0 {
			p = p.index(n - 1)
		}
	}
	s.toLineEnd()
	return p
}

// key reads a key, dotted or not, below a table.
func (s *scanner) key(table path) path {
	line := s.line
	for _, part := range s.parts() {
		table = table.key(part)
		s.note(table, line)
	}
	return table
}

func (s *scanner) parts() []string {
	var parts []string
	for {
		s.spaces()
		parts = append(parts, s.part())
		s.spaces()
		if s.deep(len(parts)) || s.next() != '.' {
			return parts
		}
		s.pos++
	}
}

func (s *scanner) part() string {
	from := s.pos
	if q := s.next(); q == '"' || q == '\'' {
		s.quoted()
		return unquoted(s.text[from:s.pos])
	}
	s.toAny(" \t\r\n.=[]{},#\"'")
	return s.text[from:s.pos]
}

// unquoted leaves the escapes of a key to the decoder.
func unquoted(raw string) string {
	var v struct{ K string }
	if _, err := toml.Decode("K = "+raw, &v); err != nil {
		return raw
	}
	return v.K
}

// value passes over the value at p and notes the lines of what is inside.
func (s *scanner) value(p path) {
	s.spaces()
	if s.deep(p.depth()) {
		return
	}
	switch s.next() {
	case '"', '\'':
		s.quoted()
	case '[':
		s.list(p)
	case '{':
		s.inline(p)
	default:
		s.toAny(",]}#\n")
	}
}

func (s *scanner) list(p path) {
	s.pos++
	for i := 0; ; i++ {
		s.blank()
		if s.done() || s.next() == ']' {
			break
		}
		s.note(p.index(i), s.line)
		from := s.pos
		s.value(p.index(i))
		if s.pos == from {
			s.pos++
		}
	}
	s.to(s.pos + 1)
}

func (s *scanner) inline(p path) {
	s.pos++
	for {
		s.blank()
		if s.done() || s.next() == '}' {
			break
		}
		from := s.pos
		k := s.key(p)
		if s.next() == '=' {
			s.pos++
			s.value(k)
		}
		if s.pos == from {
			s.pos++
		}
	}
	s.to(s.pos + 1)
}

// quoted passes over a string of any of the four kinds.
func (s *scanner) quoted() {
	mark := s.text[s.pos : s.pos+1]
	escapes := mark == `"`
	if triple := strings.Repeat(mark, 3); s.ahead(triple) {
		s.pos += 3
		s.until(triple, escapes)
		// Up to two more quotes belong to the text: """"x""""" is legal.
		for range 2 {
			if s.ahead(mark) {
				s.pos++
			}
		}
		return
	}
	s.pos++
	s.until(mark, escapes)
}

func (s *scanner) until(end string, escapes bool) {
	for !s.done() && !s.ahead(end) {
		if escapes && s.next() == '\\' {
			s.to(s.pos + 1)
		}
		s.to(s.pos + 1)
	}
	s.to(s.pos + len(end))
}
