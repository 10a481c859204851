package main_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "notifio.app/notifio"

// arrow says which of our packages may be imported from a folder and those
// below it. "*" stands for all.
type arrow struct {
	from  string
	to    []string
	tests []string // what its tests may import as well
}

// arrows are the order of the house, the first that fits counts. The heart
// knows nobody, so that it can be understood and tested alone; its organs know
// the heart and not each other; only main knows all.
var arrows = []arrow{
	{from: "monitor/store", to: []string{"monitor", "assets"}},
	{from: "monitor/deliver", to: []string{"monitor"}},
	{from: "monitor", tests: []string{"monitor/store", "monitor/deliver"}}, // stories are told of the whole
	{from: "browser", to: []string{"monitor", "assets"}},
	{from: "config", to: []string{"monitor", "assets"}},
	{from: "mail", to: []string{"monitor", "assets"}},
	{from: "tray", to: []string{"monitor", "assets"}},
	{from: "report", to: []string{"monitor", "assets"}},
	{from: "login"},
	{from: "assets"},
	{from: "internal/fake"},
	{from: "scripts/pictures", to: []string{"monitor", "tray", "mail", "assets/demo"}},
	{from: "scripts/bench", tests: []string{"browser", "monitor", "monitor/store", "assets"}}, // it looks from outside
	{from: "scripts/simulate", to: []string{"monitor"}},
	{from: "scripts", to: []string{"browser"}}, // set-up by the product's own installer
	{from: ".", to: []string{"*"}},
}

// fakes may be imported by any test, and by nothing else.
const fakes = "internal/fake/"

func TestArrowsBetweenPackages(t *testing.T) {
	seen := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || filepath.Ext(file) != ".go":
			return nil
		}
		file = filepath.ToSlash(file)
		from, ok := rule(path.Dir(file))
		if !ok {
			t.Errorf("%s: a new package needs its arrows in this test", file)
			return nil
		}
		seen[from.from] = true
		for _, to := range imports(t, file) {
			if !from.allows(file, to) {
				t.Errorf("%s imports %s: it may import %v", file, to, from.to)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range arrows {
		if !seen[a.from] {
			t.Errorf("nothing is left in %s: remove its arrow", a.from)
		}
	}
}

func rule(dir string) (arrow, bool) {
	for _, a := range arrows {
		if dir == a.from || a.from != "." && strings.HasPrefix(dir, a.from+"/") {
			return a, true
		}
	}
	return arrow{}, false
}

func (a arrow) allows(file, to string) bool {
	test := strings.HasSuffix(file, "_test.go")
	switch {
	case strings.HasPrefix(to, fakes):
		return test
	case test && (to == path.Dir(file) || slices.Contains(a.tests, to)):
		return true
	}
	return slices.Contains(a.to, "*") || slices.Contains(a.to, to)
}

// imports are a file's imports of ours, without the module's name.
func imports(t *testing.T, file string) []string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var ours []string
	for _, spec := range parsed.Imports {
		name, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		if to, ok := strings.CutPrefix(name, module+"/"); ok {
			ours = append(ours, to)
		}
	}
	return ours
}

// TestArrowsTurned makes sure that the walk above would notice.
func TestArrowsTurned(t *testing.T) {
	for _, test := range []struct {
		file, to string
		allowed  bool
	}{
		{"monitor/cycle.go", "monitor/store", false},
		{"monitor/cycle.go", "assets", false},
		{"monitor/cycle_test.go", "monitor/store", true},
		{"monitor/cycle_test.go", "browser", false},
		{"monitor/store/save.go", "monitor", true},
		{"monitor/store/save.go", "browser", false},
		{"browser/check.go", "mail", false},
		{"browser/check.go", "assets", true},
		{"browser/check.go", "internal/fake/portal", false},
		{"browser/check_test.go", "internal/fake/portal", true},
		{"browser/check_test.go", "mail", false},
		{"assets/demo/serve.go", "monitor", false},
		{"internal/fake/portal/portal.go", "browser", false},
		{"internal/fake/portal/portal_test.go", "internal/fake/portal", true},
		{"main.go", "assets/demo", true},
		{"main.go", "internal/fake/portal", false},
		{"main_test.go", "internal/fake/portal", true},
	} {
		a, ok := rule(path.Dir(test.file))
		if !ok || a.allows(test.file, test.to) != test.allowed {
			t.Errorf("%s importing %s: allowed %v, want %v", test.file, test.to, !test.allowed, test.allowed)
		}
	}
	if _, ok := rule("util"); ok {
		t.Error("a new folder has arrows already")
	}
}
