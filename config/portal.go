package config

import (
	"strconv"
	"strings"

	"notifio.app/notifio/assets"
)

// portals reads the user's own [[portal]] tables, whose form assets knows.
func (c *checker) portals(doc map[string]any) []assets.Portal {
	if len(c.many(doc, "portal")) == 0 {
		return nil
	}
	portals, err := assets.DecodePortals(c.file, []byte(c.readable))
	for _, err := range each(err) {
		line, text := c.place(err)
		c.wrong(line, "%s", text)
	}
	return portals
}

// each takes apart what errors.Join put together.
func each(err error) []error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}

// place takes the file and the line from the beginning of an error's text.
func (c *checker) place(err error) (int, string) {
	text := strings.TrimPrefix(err.Error(), c.file+":")
	if number, rest, ok := strings.Cut(text, ": "); ok {
		if line, err := strconv.Atoi(number); err == nil {
			return line, rest
		}
	}
	return 0, strings.TrimSpace(text)
}
