package main_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// named is a test as docs/faults.md names it: its package and its own name.
var named = regexp.MustCompile(`\b([a-z]+)\.((?:Test|Benchmark|Fuzz)\w+)`)

// A fault whose test has gone, or has another name now, is not held off any more as
// far as a reader can tell.
func TestEveryTestOfTheFaultsIsThere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("docs", "faults.md"))
	if err != nil {
		t.Fatal(err)
	}
	there := tests(t)
	mentions := named.FindAllStringSubmatch(string(text), -1)
	if len(mentions) < 100 {
		t.Fatalf("docs/faults.md names only %d tests", len(mentions))
	}
	for _, m := range mentions {
		if !there[m[0]] {
			t.Errorf("docs/faults.md names %s, which is not there", m[0])
		}
	}
	for n, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "| ") && strings.Count(line, "|") == 4 && !named.MatchString(line) && !strings.HasPrefix(line, "| fault |") {
			t.Errorf("docs/faults.md:%d: a fault without a test", n+1)
		}
	}
}

// tests are all tests, benchmarks and fuzz tests of this module, by package and name.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && file != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return filepath.SkipDir
		case d.IsDir() || !strings.HasSuffix(file, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range f.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil {
				found[strings.TrimSuffix(f.Name.Name, "_test")+"."+fn.Name.Name] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
