package config

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// checker collects what is wrong with one file.
type checker struct {
	file     string
	lines    map[path]int
	readable string // the text without the lines that are not TOML
	problems Problems
	warnings []Problem
	// partial is set when lines that are not TOML were left out: what is missing
	// then may well stand in one of them.
	partial bool
}

func (c *checker) wrong(line int, format string, args ...any) {
	c.problems = append(c.problems, Problem{File: c.file, Line: line, Text: fmt.Sprintf(format, args...)})
}

func (c *checker) warn(line int, format string, args ...any) {
	c.warnings = append(c.warnings, Problem{File: c.file, Line: line, Text: fmt.Sprintf(format, args...)})
}

// table is one table of the file while it is read. Its accessors return a value
// and whether a good one was given; a wrong type is reported by them.
type table struct {
	*checker
	name   string // in tables
	label  string // how its problems begin: `[mail]` or `search "Centrum":`
	path   path
	values map[string]any
}

// single finds a table of which there is one, and reports unknown keys in it. An
// absent one is an empty one.
func (c *checker) single(doc map[string]any, name string) table {
	t := table{checker: c, name: name, label: written(name), path: path("").key(name)}
	switch v := doc[name].(type) {
	case nil:
	case map[string]any:
		t.values = v
	case []map[string]any:
		c.wrong(c.lines[t.path], "[[%s]] has two pairs of brackets: write %s, once", name, t.label)
	default:
		c.wrong(c.lines[t.path], "%q is %s, not a table: write %s on a line of its own, its keys below", name, kind(v), t.label)
	}
	t.reportUnknown()
	return t
}

// many finds an array of tables.
func (c *checker) many(doc map[string]any, name string) []map[string]any {
	line := c.lines[path("").key(name)]
	switch v := doc[name].(type) {
	case nil:
	case []map[string]any:
		return v
	case map[string]any:
		c.wrong(line, "[%s] has one pair of brackets: write %s, because there may be several", name, written(name))
	case []any:
		return c.elements(v, name)
	default:
		c.wrong(line, "%q is %s, not a table: write %s on a line of its own, its keys below", name, kind(v), written(name))
	}
	return nil
}

// elements are the tables of a list that is written inline. An element of
// another type counts as an empty table, so that the others keep their places.
func (c *checker) elements(list []any, name string) []map[string]any {
	out := make([]map[string]any, len(list))
	for i, e := range list {
		t, ok := e.(map[string]any)
		if !ok {
			c.wrong(c.lines[path("").key(name).index(i)], "%q holds %s, not a table: write %s on a line of its own, its keys below", name, kind(e), written(name))
		}
		out[i] = t
	}
	return out
}

func (t table) reportUnknown() {
	for _, key := range slices.Sorted(maps.Keys(t.values)) {
		if _, known := tables[t.name][key]; !known {
			t.wrongAt(key, "%s", unknownKey(key, t.name))
		}
	}
}

func (t table) has(key string) bool { _, has := t.values[key]; return has }

func (t table) line(key string) int { return t.lines[t.path.key(key)] }

// wrongAt reports a problem on the line of a key.
func (t table) wrongAt(key, format string, args ...any) {
	t.wrong(t.line(key), "%s %s", t.label, fmt.Sprintf(format, args...))
}

// missing reports that the table lacks a key, unless that may stand in a line
// that could not be read, or under a name that was reported as misspelt.
func (t table) missing(key, format string, args ...any) {
	known := slices.Sorted(maps.Keys(tables[t.name]))
	for other := range t.values {
		if _, is := tables[t.name][other]; !is && nearest(other, known) == key {
			return
		}
	}
	if !t.partial {
		t.wrong(t.lines[t.path], "%s %s", t.label, fmt.Sprintf(format, args...))
	}
}

func (t table) wrongType(key string, v any) {
	t.wrongAt(key, "%s is %s: write it like %s", key, kind(v), tables[t.name][key])
}

func get[T any](t table, key string) (value T, given bool) {
	v, has := t.values[key]
	if !has {
		return value, false
	}
	value, given = v.(T)
	if !given {
		t.wrongType(key, v)
	}
	return value, given
}

func (t table) flag(key string, absent bool) bool {
	if v, given := get[bool](t, key); given {
		return v
	}
	return absent
}

// text is one line of text without control characters, trimmed.
func (t table) text(key string) (string, bool) {
	v, given := get[string](t, key)
	if !given {
		return "", false
	}
	if strings.IndexFunc(v, unicode.IsControl) >= 0 {
		t.wrongAt(key, "%s holds a line break or another control character: write it as one plain line", key)
		return "", false
	}
	return strings.TrimSpace(v), true
}

// located is a text and the line it stands in.
type located struct {
	text string
	line int
}

// list is a list of texts, none of them empty.
func (t table) list(key string) []located {
	values, _ := get[[]any](t, key)
	var out []located
	for i, v := range values {
		line := t.lines[t.path.key(key).index(i)]
		s, ok := v.(string)
		switch {
		case !ok:
			t.wrong(line, "%s %s holds %s: write it like %s", t.label, key, kind(v), tables[t.name][key])
		case strings.TrimSpace(s) == "":
			t.wrong(line, "%s %s holds an empty text: write a word in it, or remove it", t.label, key)
		case strings.IndexFunc(s, unicode.IsControl) >= 0:
			t.wrong(line, "%s %s holds a line break or another control character: write it as one plain line", t.label, key)
		default:
			out = append(out, located{strings.TrimSpace(s), line})
		}
	}
	return out
}

func (t table) texts(key string) []string {
	var out []string
	for _, l := range t.list(key) {
		out = append(out, l.text)
	}
	return out
}

// whole is a whole number from least to most.
func (t table) whole(key string, least, most int) (int, bool) {
	v, given := get[int64](t, key)
	if !given {
		return 0, false
	}
	if v < int64(least) || v > int64(most) {
		t.wrongAt(key, "%s = %d is out of range: write a number from %d to %d", key, v, least, most)
		return 0, false
	}
	return int(v), true
}

// amount is a number that is not negative.
func (t table) amount(key string) float64 {
	v := t.values[key]
	if n, ok := v.(int64); ok {
		v = float64(n)
	}
	f, ok := v.(float64)
	switch {
	case v == nil:
	case !ok:
		t.wrongType(key, v)
	case math.IsNaN(f) || math.IsInf(f, 0) || f < 0:
		t.wrongAt(key, "%s = %s is not an amount: write a number above 0, or remove the line for no limit", key, number(f))
	default:
		return f
	}
	return 0
}

// duration is a text with units. A bare number is refused: 30 might be meant as
// seconds and read as anything.
func (t table) duration(key string) (time.Duration, bool) {
	switch v := t.values[key].(type) {
	case int64, float64:
		t.wrongAt(key, "%s = %v has no unit: write it in quotes with one, like %q", key, v, fmt.Sprint(v)+"s")
		return 0, false
	}
	s, given := t.text(key)
	if !given {
		return 0, false
	}
	d, err := time.ParseDuration(s)
	if err != nil {
		hint := `"30s", "2m" or "1m30s"`
		if n, err := strconv.ParseFloat(s, 64); err == nil {
			hint = strconv.Quote(number(n) + "s")
		}
		t.wrongAt(key, "%s %s is not a duration: write a number and a unit, like %s", key, quote(s), hint)
		return 0, false
	}
	return d, true
}

// kind is what a decoded value is, in the user's words.
func kind(v any) string {
	switch v := v.(type) {
	case string:
		return "text"
	case bool:
		return "true or false"
	case int64:
		return "a number"
	case float64:
		if v == math.Trunc(v) {
			return "a number"
		}
		return "a number with a fraction"
	case time.Time:
		return "a date or a time without quotes"
	case []any, []map[string]any:
		return "a list"
	default:
		return "a table"
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// quote shows what the user wrote, cut to what fits in one line.
func quote(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return strconv.Quote(s)
}
