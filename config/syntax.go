package config

import (
	"errors"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// decode reads the text as TOML, into values without a type. The decoder stops
// at the first line that it cannot read; that line is reported and left out, and
// the rest is read again, so that two missing quotes are not two rounds for the
// user. Where leaving a line out would change the meaning of those below it, the
// search for mistakes ends there.
func (c *checker) decode(text string) (map[string]any, bool) {
	const most = 50 // beyond so many it is not a configuration
	lines := strings.Split(text, "\n")
	for range most {
		text := strings.Join(lines, "\n")
		found, tooDeep := linesOf(text)
		if tooDeep > 0 {
			c.wrong(tooDeep, "is nested more than %d levels deep, which no setting needs: is it the right file?", maxDepth)
			return nil, false
		}
		doc := map[string]any{}
		_, err := toml.Decode(text, &doc)
		if err == nil {
			c.lines, c.readable = found, text
			return doc, true
		}
		c.partial = true
		at, m := locate(lines, err)
		c.wrong(at, "%s", m.text(lines[at-1]))
		line := strings.TrimSpace(lines[at-1])
		if m.breaksRest || line == "" || line[0] == '[' {
			return nil, false
		}
		lines[at-1] = ""
	}
	return nil, false
}

// locate finds the line of a decoder's error, from 1, and what kind it is of.
func locate(lines []string, err error) (int, mistake) {
	var pe toml.ParseError
	if !errors.As(err, &pe) {
		return 1, anyMistake
	}
	at := min(max(pe.Position.Line, 1), len(lines))
	m := classify(pe.Message)
	switch {
	case m.header && at > 1 && !strings.HasPrefix(strings.TrimSpace(lines[at-1]), "["):
		at-- // the decoder noticed the missing bracket at the start of the next line
	case m.open:
		at = opening(lines, at)
	}
	return at, m
}

// opening is the line where a text of several lines that never ends begins.
func opening(lines []string, at int) int {
	for i := at; i > 0; i-- {
		if strings.Contains(lines[i-1], `"""`) || strings.Contains(lines[i-1], "'''") {
			return i
		}
	}
	return at
}

// mistake is one way of not being TOML. The decoder's own messages quote the
// file, which may be a password without its quotes; so they are only recognised,
// never shown.
type mistake struct {
	sign       string // in the decoder's message
	advice     string
	breaksRest bool // without this line the ones below it mean something else
	header     bool
	open       bool
}

var mistakes = []mistake{
	{sign: "already been defined", advice: "is a second one of the same name: keep one of them"},
	{sign: "already created", advice: "is a second one of the same name: keep one of them, [[search]] and the like in double brackets", breaksRest: true},
	{sign: "strings cannot contain newlines", advice: `has no closing quote: write one at the end of the text`},
	{sign: `unexpected EOF; expected "'''"`, advice: "begins a text that never ends: close it with the same three quotes", breaksRest: true, open: true},
	{sign: `unexpected EOF; expected '"""'`, advice: "begins a text that never ends: close it with the same three quotes", breaksRest: true, open: true},
	{sign: "unexpected EOF; expected", advice: `has no closing quote: write one at the end of the text`},
	{sign: "escape", advice: `has a backslash inside "…": write the text in single quotes, '…'`},
	{sign: "hexadecimal", advice: `has a backslash inside "…": write the text in single quotes, '…'`},
	{sign: "delimiter", advice: "is a table's name whose brackets do not match: write [[search]] or, for example, [mail]", breaksRest: true, header: true},
	{sign: "to end table name", advice: "is a table's name whose brackets do not match: write [[search]] or, for example, [mail]", breaksRest: true, header: true},
	{sign: "array terminator", advice: "is inside a list whose comma or closing ] is missing", breaksRest: true},
	{sign: "inline table", advice: "is inside { … } whose comma or closing } is missing", breaksRest: true},
	{sign: "control character", advice: "holds a control character: remove it"},
	{sign: "carriage return", advice: "holds a carriage return: remove it"},
}

var anyMistake = mistake{advice: "is neither a [table] nor a key = value that TOML can read"}

func classify(message string) mistake {
	for _, m := range mistakes {
		if strings.Contains(message, m.sign) {
			return m
		}
	}
	return anyMistake
}

var (
	assignment = regexp.MustCompile(`^\s*([\w-]+)\s*([=:])\s*(.*?)\s*$`)
	yesOrNo    = regexp.MustCompile(`^(?i:true|false|yes|no|on|off)\b`)
)

// text says what is wrong with a line, without quoting more of it than a key.
func (m mistake) text(line string) string {
	part := assignment.FindStringSubmatch(line)
	if part == nil || strings.TrimSpace(line) == "" {
		return "this line " + m.advice
	}
	key, sign, value := part[1], part[2], part[3]
	if m.sign != "" {
		return quote(key) + " " + m.advice
	}
	switch {
	case sign == ":":
		return quote(key) + " is followed by a colon: write " + key + " = …"
	case value == "" || strings.HasPrefix(value, "#"):
		return quote(key) + " has no value: write one after the =, or remove the line"
	case strings.ContainsAny(value, "“”„‘’«»"):
		return quote(key) + ` has curly quotes: write straight ones, "…"`
	case yesOrNo.MatchString(value):
		return quote(key) + " must be true or false, in small letters and without quotes"
	case strings.ContainsAny(value[:1], `"'[{`):
	case strings.HasPrefix(exampleOf(key), `"`):
		return quote(key) + " has a value without quotes: write it like " + key + " = " + exampleOf(key)
	case exampleOf(key) != "":
		return quote(key) + " has a value that TOML cannot read: write it like " + key + " = " + exampleOf(key)
	default:
		return quote(key) + ` has a value without quotes: write ` + key + ` = "…" (only numbers, true and false go without)`
	}
	return quote(key) + " has something behind its value: keep one value, and begin a remark with #"
}

// exampleOf is a value that a key of ours can have, or "".
func exampleOf(key string) string {
	_, value, _ := strings.Cut(tables[homeOf(key)][key], " = ")
	return value
}
