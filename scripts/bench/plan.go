package main

import (
	"context"
	"slices"
)

// job is one measurement, or several that belong together.
type job struct {
	name string
	// from is the package whose benchmark or test it is; "" for one of ours below.
	from, pattern string
	own           func(context.Context, *lab) ([]reading, error)
}

// stages are done one after another, so that none disturbs the next. The jobs of a
// stage go side by side: each of them waits most of its time.
var stages = [][]job{
	{{name: "size", own: sizes}},
	{{name: "decision", from: heart, pattern: "^BenchmarkDecision$"}},
	{{name: "check", from: here, pattern: "^BenchmarkCheck$"}},
	{{name: "pictures", from: here, pattern: "^BenchmarkPictures$"}},
	{{name: "captured", own: captured}},
	{{name: "extraction", from: here, pattern: "^BenchmarkExtraction$"}},
	{{name: "start", from: here, pattern: "^BenchmarkStart$"}},
	{{name: "memory", from: here, pattern: "^BenchmarkMemory$"}},
	{
		{name: "watching", from: here, pattern: "^BenchmarkWatching$"},
		{name: "punctual", from: here, pattern: "^BenchmarkPunctual$"},
		{name: "lazy", from: here, pattern: "^BenchmarkLazy$"},
		{name: "cycle", from: here, pattern: "^BenchmarkCycle$"},
		{name: "virtual", from: heart, pattern: "^TestBench"},
	},
	{{name: "tests", own: tests}},
}

// The packages that measurements are in.
const (
	here  = "./scripts/bench"
	heart = "./monitor"
)

// plan is all stages, or what is left of them when only some jobs are wanted.
func plan(only []string) [][]job {
	var out [][]job
	for _, stage := range stages {
		stage = slices.DeleteFunc(slices.Clone(stage), func(j job) bool {
			return only != nil && !slices.Contains(only, j.name)
		})
		if len(stage) > 0 {
			out = append(out, stage)
		}
	}
	return out
}
