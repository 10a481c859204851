// Command program is a tray with nothing behind it, for the tests of its boundary:
// views come as JSON, one per line, and clicks leave as lines of text. It quits when
// its input ends.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"notifio.app/notifio/monitor"
	"notifio.app/notifio/tray"
)

// atLogin stands for what a system keeps about its logins: a file, or none.
func atLogin(on bool) {
	if name := os.Getenv("TRAY_LOGIN"); on {
		_ = os.WriteFile(name, nil, 0o600)
	} else {
		_ = os.Remove(name)
	}
}

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithCancel(context.Background())
	say := func(verb string) func() { return func() { fmt.Println(verb) } }
	with := func(verb string) func(string) { return func(arg string) { fmt.Println(verb, arg) } }
	t := tray.New(tray.Options{
		Log:     slog.New(slog.NewTextHandler(os.Stderr, nil)),
		Version: "0.0.0",
		HasMail: func() bool { return os.Getenv("TRAY_MAIL") != "" },
		StartsAtLogin: func() bool {
			_, err := os.Stat(os.Getenv("TRAY_LOGIN"))
			return err == nil
		},
		Actions: tray.Actions{
			CheckNow: say("check now"), Resume: say("resume"), EditSearches: say("edit searches"),
			OpenLog: say("open log"), Report: say("report"), TestMail: say("test mail"), SetUpMail: say("set up mail"),
			MarkSeen: say("mark seen"), Quit: say("quit"), Open: with("open"), SignIn: with("sign in"),
			PauseSearch:  func(url string, paused bool) { fmt.Println("pause search", url, paused) },
			StartAtLogin: func(on bool) { fmt.Println("start at login", on); atLogin(on) },
			Pause:        func(until time.Time) { fmt.Println("pause", !until.IsZero()) },
		},
	})
	go func() {
		defer cancel()
		in := bufio.NewScanner(os.Stdin)
		in.Buffer(nil, 1<<20)
		for in.Scan() {
			var v monitor.View
			if err := json.Unmarshal(in.Bytes(), &v); err != nil {
				log.Fatal(err)
			}
			t.Show(v)
		}
	}()
	if err := t.Run(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println("end")
}
