package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A save that is cut short after any line of the file and completed six seconds later:
// at no moment is a search given up. When it stays cut, the file means what it says:
// the searches that are left go on, or all of them where it is no good any more.
func TestFileCutAfterAnyLineGivesNothingUp(t *testing.T) {
	var whole strings.Builder
	for n := range 15 {
		fmt.Fprintf(&whole, "[[search]]\nname = \"s%d\"\nurl = \"https://h%d.example/rooms\"\nmax_price = 1800\n\n", n, n)
	}
	whole.WriteString("[poll]\ninterval = \"40s\"\n[notify]\nbanner = true\n")
	lines := strings.SplitAfter(whole.String(), "\n")
	synctest.Test(t, func(t *testing.T) {
		file := configFile(t, whole.String())
		running, err := Load(file)
		must(t, err)
		all := names(running)
		w := Watcher{File: file, Good: running,
			Changed: func(c Config) { running = c },
			Failed:  func(error) {},
			notices: func() (*fsnotify.Watcher, error) { return nil, errors.New("none") },
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go w.Run(ctx)
		save := func(text string, wait time.Duration) {
			t.Helper()
			must(t, os.WriteFile(file, []byte(text), 0o600))
			time.Sleep(wait) // the bubble's clock, not the wall's
			synctest.Wait()
		}
		save(whole.String(), 6*time.Second)
		for n := range lines {
			part := strings.Join(lines[:n], "")
			save(part, 6*time.Second)
			if names(running) != all {
				t.Errorf("cut after line %d for a moment: %q", n, names(running))
			}
			save(whole.String(), 6*time.Second)
			save(part, time.Minute)
			want := all
			if c, err := Parse(file, []byte(part)); err == nil {
				want = names(c)
			}
			if names(running) != want {
				t.Errorf("cut after line %d for good: %q, want %q", n, names(running), want)
			}
			save(whole.String(), time.Minute)
			if names(running) != all {
				t.Fatalf("whole again after line %d: %q", n, names(running))
			}
		}
	})
}
