// Command bench measures what a check costs, how punctual Notifio is and how much
// of the machine it takes, each beside the least that it could be, and all of it
// against servers on this machine. It prints one table and writes bench.json.
//
//	go run ./scripts/bench           everything, in about half an hour
//	go run ./scripts/bench -quick    a short form: fewer runs, the same rows
//	go run ./scripts/bench -only check,memory
//	go run ./scripts/bench -docs     put the tables of bench.json into the documents
//
// The measurements themselves are benchmarks: those that need a browser are beside
// this file, those that need virtual time are in package monitor. They hand their
// readings over as test attributes (testing.T.Attr), and nothing is asserted there:
// a machine that is busy makes a bad table, not a failing test.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// resultFile is where the readings are kept, in the folder of the Makefile.
const resultFile = "bench.json"

func main() {
	quick := flag.Bool("quick", false, "fewer runs of everything")
	only := flag.String("only", "", "names of measurements, with commas between; nothing is written then")
	docs := flag.Bool("docs", false, "measure nothing: put the tables of "+resultFile+" into the documents")
	bare := flag.String("bare", "", "be a bare Playwright session on this profile `FOLDER` until stdin ends; the arguments are switches")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	err := errors.New("it takes no arguments: see go run ./scripts/bench -help")
	switch {
	case *bare != "":
		err = beBare(*bare, flag.Args())
	case flag.NArg() > 0:
	case *docs:
		err = writeDocs(resultFile)
	default:
		err = measure(ctx, *quick, names(*only))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func names(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, ",")
}

// measure does all the measurements, or only some, and shows what came of them. It
// returns an error when one of them could not be made; an aim that is missed is none.
func measure(ctx context.Context, quick bool, only []string) error {
	began, m := time.Now(), thisMachine(ctx)
	if m.Load > 0.5 {
		fmt.Printf("== this machine is busy (load %.1f): what is measured now says little\n", m.Load)
	}
	work, err := os.MkdirTemp("", "notifio-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	l := &lab{work: work, quick: quick, program: filepath.Join(work, "notifio")}
	if err := l.build(ctx); err != nil {
		return err
	}
	readings, failed := l.run(ctx, plan(only))
	if err := ctx.Err(); err != nil {
		return err
	}
	r := result{Machine: m, Date: began, Took: time.Since(began), Quick: quick, Figures: figures(readings)}
	fmt.Println()
	fmt.Print(r.heading() + "\n" + table(r.Figures))
	if only == nil {
		if err := r.write(resultFile); err != nil {
			return err
		}
	}
	return errors.Join(failed...)
}
