package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
)

// The documents have their tables between these two lines.
const (
	docsBegin = "<!-- bench: written by make bench-docs -->\n"
	docsEnd   = "<!-- end of bench -->\n"
)

// writeDocs puts the tables of a result into the documents: all of it into
// docs/performance.md, and what has an aim, in short, into the README.
func writeDocs(file string) error {
	r, err := readResult(file)
	if err != nil {
		return err
	}
	if r.Quick {
		return errors.New(file + " is of the short form: run make bench without BENCH=quick")
	}
	return errors.Join(
		replaceIn("docs/performance.md", r.heading()+"\n"+table(r.Figures)),
		replaceIn("README.md", r.heading()+"\n"+brief(r.Figures)),
	)
}

// brief is the table with the rows that have an aim, and without the noise. Of the
// lazy pages it has the slowest of each way.
func brief(all []figure) string {
	rows := [][]string{{"what", "at least", "Notifio", "aim", "met"}}
	for _, f := range all {
		if f.Aim == nil || f.Row >= rowLazy && f.Row < rowExtraction && (f.Row-rowLazy)%3 != 2 {
			continue
		}
		c := f.cells()
		ours := f.Ours.Median
		if f.Aim.On == onWorst {
			ours = f.Ours.Worst
		}
		said := value(ours, f.Unit)
		if f.Missed > 0 {
			said = fmt.Sprintf("%d listings missed", f.Missed)
		}
		rows = append(rows, []string{f.What, c[1], said, c[5], c[6]})
	}
	return draw(rows)
}

// replaceIn puts text between the two lines of a document.
func replaceIn(file, text string) error {
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, begins := bytes.Cut(old, []byte(docsBegin))
	_, after, ends := bytes.Cut(rest, []byte(docsEnd))
	if !begins || !ends {
		return fmt.Errorf("%s: the lines %q and %q are missing", file, docsBegin, docsEnd)
	}
	return os.WriteFile(file, fmt.Appendf(nil, "%s%s%s%s%s", before, docsBegin, text, docsEnd, after), 0o644)
}
