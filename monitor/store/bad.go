package store

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// keepBad is how many damaged files are kept for whoever wants to look into them. A
// disk that is dying would fill itself with more.
const keepBad = 3

// dropBad removes the oldest of the files that were set aside, but not the newest,
// whatever the clock said, and returns their names. What cannot be removed, or is no
// file, costs room and nothing else.
func (p place) dropBad(newest string) []string {
	sets := p.bad()
	sets = slices.DeleteFunc(sets, func(name string) bool { return name == newest })
	var dropped []string
	for _, name := range sets[:max(0, len(sets)-(keepBad-1))] {
		if p.drop(name) {
			dropped = append(dropped, name)
		}
	}
	return dropped
}

// drop removes what was set aside under a name, "" for nothing.
func (p place) drop(name string) (gone bool) {
	if name == "" {
		return false
	}
	for _, suffix := range []string{"-shm", "-wal", ""} {
		path := filepath.Join(p.dir, name+suffix)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && os.Remove(path) == nil {
			gone = true
		}
	}
	return gone
}

// stamp is what moves puts behind a name.
var stamp = regexp.MustCompile(`^\.bad-\d{8}-\d{6}(-\d+)?$`)

// bad are the names of what was set aside, the oldest first, each with or without a
// -wal and a -shm of its own.
func (p place) bad() []string {
	paths, _ := filepath.Glob(filepath.Join(escapeGlob(p.dir), fileName+".bad-*"))
	var names []string
	for _, path := range paths {
		name := filepath.Base(path)
		for _, suffix := range []string{"-shm", "-wal"} {
			name = strings.TrimSuffix(name, suffix)
		}
		if stamp.MatchString(strings.TrimPrefix(name, fileName)) {
			names = append(names, name)
		}
	}
	slices.Sort(names) // by the time in them
	return slices.Compact(names)
}
