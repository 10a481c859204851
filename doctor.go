package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"
)

// exam is one thing that a maintainer would ask about, and how to find it out.
type exam struct {
	name  string
	limit time.Duration
	// look answers in one line or several. It need not end with its context.
	look func(context.Context) string
}

// answer is what an exam came to, whatever its look does: one that hangs or breaks
// down costs its own line only.
func (e exam) answer(ctx context.Context) string {
	ctx, cancel := context.WithTimeout(ctx, e.limit)
	defer cancel()
	said := make(chan string, 1)
	go func() {
		defer func() {
			if trouble := recover(); trouble != nil {
				said <- fmt.Sprintf("broke down: %v", trouble)
			}
		}()
		said <- e.look(ctx)
	}()
	select {
	case text := <-said:
		return text
	case <-ctx.Done():
	}
	select { // it may have been about to say why
	case text := <-said:
		return text
	case <-time.After(lastWords):
		return fmt.Sprintf("no answer within %s", e.limit)
	}
}

// lastWords is how long a look may still say what its own deadline came to.
const lastWords = 100 * time.Millisecond

// advice is what the user should know before the rest is shown to anybody.
const advice = `Passwords, cookies, addresses, the names of searches, and what follows a site's name
in a link are left out. The names of your sites and of your mail server are not: look
it over before you make it public.`

// examine looks into everything at the same time and prints the answers in their
// order, as they come.
func examine(ctx context.Context, w io.Writer, exams []exam) {
	answers := make([]chan string, len(exams))
	wide := 0
	for i, e := range exams {
		answers[i] = make(chan string, 1)
		go func() { answers[i] <- e.answer(ctx) }()
		wide = max(wide, len(e.name))
	}
	for i, e := range exams {
		lines := strings.Split(strings.TrimSpace(<-answers[i]), "\n")
		fmt.Fprintf(w, "%-*s  %s\n", wide+1, e.name+":", lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(w, "%*s  %s\n", wide+1, "", line)
		}
	}
}

// doctor is `notifio doctor`. It changes nothing, needs nothing to work, and may run
// beside another Notifio.
func (s system) doctor(ctx context.Context, configFile, dataDir string, args []string) int {
	if len(args) > 0 {
		return s.wrong("doctor takes no arguments")
	}
	p := newPatient(s, place{config: absolute(configFile), data: absolute(dataDir)}, time.Now())
	fmt.Fprintf(s.stdout, "Notifio's state at %s.\n%s\n\n", p.now.Format("2 Jan 2006 15:04 MST"), advice)
	exams := p.exams()
	for i, e := range exams {
		exams[i].look = func(ctx context.Context) string { return p.hide(e.look(ctx)) }
	}
	examine(ctx, s.stdout, exams)
	return exitFine
}
