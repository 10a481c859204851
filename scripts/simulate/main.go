// Command simulate asks what a popular portal would see of Notifio: a hundred
// thousand copies on one host, for an hour of virtual time, with the schedule code of
// package monitor. It prints two tables and draws two plots.
//
// The first is about the start: one login starts all copies in the same second, and
// each has one search. The second is about a refusal: the host refuses everybody for
// ten minutes, and each copy has five searches there. A check takes a second, which is
// short and always the same, so that nothing but what Notifio draws parts the copies.
//
// The same seed gives the same figures on every machine.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

func main() {
	copies := flag.Int("copies", 100_000, "how many")
	seed := flag.Uint64("seed", 1, "of all that is drawn")
	docs := flag.String("docs", "docs", "`FOLDER` for the plots")
	flag.Parse()
	if flag.NArg() > 0 || *copies < 1 {
		fmt.Fprintln(os.Stderr, "simulate: it takes the options that -h names, and at least one copy")
		os.Exit(2)
	}
	if err := simulate(*copies, *seed, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "simulate:", err)
		os.Exit(1)
	}
}

func simulate(copies int, seed uint64, docs string) error {
	began := time.Now()
	starts, returns := run(starting(copies, seed)), run(returning(copies, seed))
	fmt.Printf("%d copies on one host, %s, seed %d\n\n", copies, length, seed)
	fmt.Println("One search each, all started by a login in the same second")
	startTable(os.Stdout, starts)
	fmt.Printf("\nFive searches each; the host refuses everybody from %s to %s\n", clock(refusal.from), clock(refusal.to))
	returnTable(os.Stdout, returns)
	for _, plot := range []struct {
		name string
		draw func([]tally) ([]byte, error)
		of   []tally
	}{{"crowd-start.svg", drawStart, starts}, {"crowd-return.svg", drawReturn, returns}} {
		picture, err := plot.draw(plot.of)
		if err != nil {
			return fmt.Errorf("draw %s: %w", plot.name, err)
		}
		if err := os.WriteFile(filepath.Join(docs, plot.name), picture, 0o644); err != nil {
			return fmt.Errorf("keep a plot: %w (choose another folder with -docs)", err)
		}
	}
	fmt.Printf("\nPlots are in %s; this took %.1f s\n", docs, time.Since(began).Seconds())
	return nil
}

func run(all []crowd) []tally {
	var seen []tally
	for _, c := range all {
		seen = append(seen, c.run())
	}
	return seen
}
