package browser

import (
	"flag"
	"fmt"
	"slices"
	"testing"
)

var rulesFlag = flag.Bool("rules", false, "take each rule out in turn and show what fails without it")

// eachRow takes each row out of a table of rules in turn, rebuilds what is made of
// the table, and asks check what fails then; "" is nothing. A row without which
// nothing fails is one too many. The tables belong to the whole package, so this
// runs alone: make rules.
func eachRow[T any](t *testing.T, table string, rows *[]T, rebuild func(), check func() string) {
	t.Helper()
	if !*rulesFlag {
		t.Skip("make rules runs this alone")
	}
	all := *rows
	defer func() {
		*rows = all
		rebuild()
	}()
	if failed := check(); failed != "" {
		t.Fatalf("%s: fails as it is: %s", table, failed)
	}
	for i, row := range all {
		*rows = slices.Delete(slices.Clone(all), i, i+1)
		rebuild()
		name := fmt.Sprint(row)
		if failed := check(); failed == "" {
			t.Errorf("%s: nothing fails without %q", table, name)
		} else {
			t.Logf("%s: without %q: %s", table, name, failed)
		}
	}
}
