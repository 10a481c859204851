package config

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxSize is far beyond fifteen searches with comments, and small enough that no
// input, however nested, costs more than a moment.
const maxSize = 256 << 10

// Parse checks the text of a configuration file; file names it in messages. The
// error is of type Problems and has every mistake, by line. Nothing of a file with
// a mistake is returned.
//
// A text that was cut off at the end of a line can be a legal file with fewer
// searches, and Parse takes it as one: it cannot know. Watcher, which knows the
// file before, does not take it without a second look.
func Parse(file string, data []byte) (Config, error) {
	c := &checker{file: file}
	conf := c.check(data)
	if len(c.problems) > 0 {
		sortByLine(c.problems)
		return Config{}, c.problems
	}
	sortByLine(c.warnings)
	conf.Warnings = c.warnings
	conf.source = bytes.Clone(data)
	return conf, nil
}

func (c *checker) check(data []byte) Config {
	text, ok := c.text(data)
	if !ok {
		return Config{}
	}
	doc, ok := c.decode(text)
	if !ok {
		return Config{}
	}
	for _, name := range slices.Sorted(maps.Keys(doc)) {
		if !slices.Contains(tableNames(), name) {
			c.wrong(c.lines[path("").key(name)], "%s", unknownTable(name))
		}
	}
	var conf Config
	conf.Searches = c.searches(doc)
	conf.Poll = c.poll(doc, conf.Searches)
	conf.Browser = c.browser(doc)
	conf.Mail = c.mail(doc)
	conf.Notify = c.notify(doc)
	conf.Portals = c.portals(doc)
	conf.Replies = c.replies(doc, conf.Searches)
	c.told(conf)
	conf.executableLine = c.lines[path("").key("browser").key("executable")]
	conf.passwordLine = c.lines[path("").key("mail").key("password")]
	return conf
}

// text is the file without a byte order mark, if it can be text at all.
func (c *checker) text(data []byte) (string, bool) {
	if len(data) > maxSize {
		c.wrong(0, "is larger than %d KB, which no list of searches needs: is it the right file?", maxSize>>10)
		return "", false
	}
	text := strings.TrimPrefix(string(data), "\ufeff")
	if strings.TrimSpace(text) == "" {
		c.wrong(0, "is empty: write at least one [[search]] with a name and a url")
		return "", false
	}
	if strings.HasPrefix(text, "\xff\xfe") || strings.HasPrefix(text, "\xfe\xff") {
		c.wrong(1, "is saved as UTF-16: save it as UTF-8")
		return "", false
	}
	for i, line := range strings.Split(text, "\n") {
		if !utf8.ValidString(line) {
			c.wrong(i+1, "holds bytes that are not UTF-8: save the file as UTF-8")
			return "", false
		}
		if strings.ContainsRune(line, 0) {
			c.wrong(i+1, "holds NUL bytes: save the file as UTF-8 text")
			return "", false
		}
	}
	return text, true
}
