package tray

import (
	"strconv"
	"strings"
)

// printable drops what the library's fallback would quote in a way that AppleScript
// does not read.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || strconv.IsPrint(r) {
			return r
		}
		return -1
	}, s)
}
