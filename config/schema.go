package config

import (
	"maps"
	"slices"
	"strings"
)

// schema has the keys of one table, each with the line that a message shows as
// an example of how to write it.
type schema map[string]string

// tables are the tables of notifio.toml that this package reads.
var tables = map[string]schema{
	"search": {
		"name":         `name = "Centrum"`,
		"url":          `url = "https://www.example.com/rent/amsterdam"`,
		"enabled":      `enabled = true`,
		"link":         `link = '/listing/\d+'`,
		"max_price":    `max_price = 1800`,
		"min_area":     `min_area = 25`,
		"require":      `require = ["balcony"]`,
		"exclude":      `exclude = ["parking", "storage"]`,
		"price_drops":  `price_drops = true`,
		"newest_first": `newest_first = true`,
		"reply":        `reply = "portal"`,
	},
	"reply": {
		"name":        `name = "portal"`,
		"host":        `host = "www.example.com"`,
		"message":     `message = "I would like to see {{.Title}}."`,
		"steps":       `steps = [{ fill = "#message", with = "{{.Message}}" }, { submit = "#send" }]`,
		"price":       `price = ".rent"`,
		"success":     `success = "text=Your message was sent"`,
		"delay":       `delay = "20s-90s"`,
		"daily_limit": `daily_limit = 5`,
		"mode":        `mode = "dry-run"`,
	},
	"poll": {
		"interval": `interval = "30s"`,
		"jitter":   `jitter = "5s"`,
	},
	"browser": {
		"executable":     `executable = "/usr/bin/chromium"`,
		"headless":       `headless = true`,
		"parallel_hosts": `parallel_hosts = 3`,
		"endpoint":       `endpoint = "http://127.0.0.1:9222"`,
	},
	"mail": {
		"host":     `host = "smtp.gmail.com"`,
		"port":     `port = 587`,
		"tls":      `tls = "auto"`,
		"username": `username = "you@example.com"`,
		"password": `password = "…"`,
		"from":     `from = "you@example.com"`,
		"to":       `to = ["you@example.com"]`,
		"folder":   `folder = "~/notifio-mail"`,
	},
	"notify": {
		"banner":     `banner = true`,
		"quiet_from": `quiet_from = "22:00"`,
		"quiet_to":   `quiet_to = "07:00"`,
		"quiet_zone": `quiet_zone = "Europe/Amsterdam"`,
	},
}

// others are the arrays of tables whose keys other packages know.
var others = []string{"portal"}

// several are the tables of which there may be more than one.
var several = []string{"search", "reply", "portal"}

// written is how a table's header looks in the file.
func written(table string) string {
	if slices.Contains(several, table) {
		return "[[" + table + "]]"
	}
	return "[" + table + "]"
}

func tableNames() []string {
	return append(slices.Sorted(maps.Keys(tables)), others...)
}

// unknownTable says what to do about a name at the top of the file that is none
// of the tables.
func unknownTable(name string) string {
	if near := nearest(name, tableNames()); near != "" {
		return quote(name) + " is not known: did you mean " + written(near) + "?"
	}
	if home := homeOf(name); home != "" {
		return quote(name) + " stands outside its table: move it below " + written(home)
	}
	if near := nearest(name, allKeys()); near != "" {
		return quote(name) + " is not known: did you mean " + quote(near) + ", below " + written(homeOf(near)) + "?"
	}
	return quote(name) + " is not known: the tables are " + listed(tableNames(), written)
}

// unknownKey says what to do about a key that is none of its table's.
func unknownKey(key, table string) string {
	own := slices.Sorted(maps.Keys(tables[table]))
	if near := nearest(key, own); near != "" {
		return quote(key) + " is not known: did you mean " + quote(near) + "?"
	}
	if home := homeOf(key); home != "" {
		return quote(key) + " is not known here: it belongs below " + written(home)
	}
	if near := nearest(key, allKeys()); near != "" {
		return quote(key) + " is not known: did you mean " + quote(near) + ", below " + written(homeOf(near)) + "?"
	}
	return quote(key) + " is not known: the keys here are " + listed(own, plain)
}

func allKeys() []string {
	var all []string
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		all = append(all, slices.Sorted(maps.Keys(tables[table]))...)
	}
	return all
}

// homeOf is the table that has key, a search where several have it.
func homeOf(key string) string {
	for _, table := range append([]string{"search"}, slices.Sorted(maps.Keys(tables))...) {
		if _, has := tables[table][key]; has {
			return table
		}
	}
	return ""
}

func plain(s string) string { return s }

func listed(names []string, as func(string) string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = as(n)
	}
	last := len(out) - 1
	return strings.Join(out[:last], ", ") + " and " + out[last]
}

// nearest is the candidate that word most probably stands for, or "". Case and
// separators do not count; otherwise one slip in three letters is allowed.
func nearest(word string, candidates []string) string {
	const longest = 40 // no key of ours is half as long
	if len(word) > longest {
		return ""
	}
	bare := strings.NewReplacer("_", "", "-", "", " ", "", ".", "")
	w := []rune(bare.Replace(strings.ToLower(word)))
	best, found := max(1, len(w)/3)+1, ""
	for _, c := range candidates {
		if d := slips(w, []rune(bare.Replace(c))); d < best {
			best, found = d, c
		}
	}
	return found
}

// slips counts the letters to add, drop, change or swap with their neighbour to
// make b of a (the optimal string alignment distance).
func slips(a, b []rune) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			row[j] = min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
