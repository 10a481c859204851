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

func TestFileCutInTheMiddleOfALineIsNotTaken(t *testing.T) {
	whole := search("a") + "max_price = 1800\n" + search("b")
	f := follow(t, configFile(t, whole), func(w *Watcher) { w.Debounce = 200 * time.Millisecond })
	f.write(strings.TrimSuffix(search("a"), "\"\n") + "\"\nmax_price = 18")
	f.hears(`failed: notifio.toml:4: the file ends in the middle of this line, and search "b" is gone: save it once more; if it is meant to end here, with a line break at its end`)
	f.write(whole)
	f.hears("changed: a, b")
	f.write(search("a") + "max_price = 18\n")
	f.hears("changed: a")
}

// TestLooksAtExactTimes runs without notices, so that time is the bubble's own.
func TestLooksAtExactTimes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		file := configFile(t, search("a")+search("b"))
		var said []string
		good, err := Load(file)
		must(t, err)
		w := Watcher{File: file, Good: good,
			Changed: func(c Config) {
				said = append(said, fmt.Sprintf("%s %s %d", time.Since(start), names(c), len(c.Warnings)))
			},
			Failed:  func(err error) { said = append(said, fmt.Sprintf("%s %s", time.Since(start), err)) },
			notices: func() (*fsnotify.Watcher, error) { return nil, errors.New("none") },
		}
		ctx, stop := context.WithCancel(t.Context())
		go w.Run(ctx)
		for _, e := range []struct {
			at   time.Duration
			text string
		}{
			{time.Second, search("b")},
			{11 * time.Second, search("b") + search("c")},
			{21 * time.Second, search("b")}, // the beginning of the one before: looked at again
			{51 * time.Second, ""},
			{61 * time.Second, search("b")},
		} {
			time.Sleep(e.at - time.Since(start)) // the bubble's clock, not the wall's
			synctest.Wait()
			must(t, os.WriteFile(file, []byte(e.text), 0o600))
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		stop()
		want := []string{"5.3s b 0", "15.3s b, c 0", "35.3s b 1",
			"55.3s notifio.toml: is empty: write at least one [[search]] with a name and a url", "1m5.3s b 0"}
		if strings.Join(said, "\n") != strings.Join(want, "\n") {
			t.Errorf("said\n%s\nnot\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
		}
	})
}

// A file that is renamed away and comes back within two seconds is a save. Without notices,
// so that time is the bubble's own: the file is looked at at 5, 10, … seconds, and read
// when it has been quiet.
func TestFileThatIsAwayForAMomentIsNoTrouble(t *testing.T) {
	const missing = " notifio.toml: is not there: put it back, or start Notifio again for a new one"
	for away, want := range map[time.Duration][]string{
		500 * time.Millisecond:  nil,
		1900 * time.Millisecond: nil,
		6 * time.Second:         {"7.3s" + missing, "15.3s a"},
		time.Minute:             {"7.3s" + missing, "1m5.3s a"},
	} {
		t.Run(away.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				file := configFile(t, search("a"))
				var said []string
				good, err := Load(file)
				must(t, err)
				w := Watcher{File: file, Good: good,
					Changed: func(c Config) { said = append(said, fmt.Sprintf("%s %s", time.Since(start), names(c))) },
					Failed:  func(err error) { said = append(said, fmt.Sprintf("%s %s", time.Since(start), err)) },
					notices: func() (*fsnotify.Watcher, error) { return nil, errors.New("none") },
				}
				ctx, stop := context.WithCancel(t.Context())
				go w.Run(ctx)
				time.Sleep(4900 * time.Millisecond) // the bubble's clock, not the wall's
				synctest.Wait()
				must(t, os.Rename(file, file+".old"))
				time.Sleep(away)
				synctest.Wait()
				must(t, os.Rename(file+".old", file))
				time.Sleep(time.Minute)
				synctest.Wait()
				stop()
				if strings.Join(said, "\n") != strings.Join(want, "\n") {
					t.Errorf("said %q, not %q", said, want)
				}
			})
		})
	}
}

func TestBurstEndsWithQuietButNotLate(t *testing.T) {
	now := time.Unix(1e9, 0)
	var b burst
	for _, c := range []struct{ after, want time.Duration }{
		{0, 300 * time.Millisecond}, {200 * time.Millisecond, 300 * time.Millisecond}, {2700 * time.Millisecond, 300 * time.Millisecond},
		{2900 * time.Millisecond, 100 * time.Millisecond}, {3 * time.Second, 0}, {4 * time.Second, 0},
	} {
		if got := b.wait(now.Add(c.after), 300*time.Millisecond); got != c.want {
			t.Errorf("after %s: %s, not %s", c.after, got, c.want)
		}
	}
}

func TestCutOff(t *testing.T) {
	const before = "[[a]]\nx = 1800\n\n[[a]]\ny = 2\n"
	for after, want := range map[string]cut{
		before: notCut, before + "\n": notCut, strings.TrimSpace(before): notCut, "[[b]]\n": notCut, "[[a]]\nx = 1900\n": notCut,
		"[[a]]\nx = 1800\n\n": lineEnd, "[[a]]\nx = 1800\n": lineEnd, "[[a]]\nx = 1800": lineEnd, "[[a]]\nx = 18\n": lineEnd,
		"[[a]]\nx = 18": midLine, "[[": midLine,
	} {
		if got := cutOff([]byte(before), []byte(after)); got != want {
			t.Errorf("%q: %d, not %d", after, got, want)
		}
	}
	if got := cutOff(nil, []byte(before)); got != notCut {
		t.Errorf("nothing before: %d", got)
	}
}
