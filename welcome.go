package main

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"notifio.app/notifio/config"
	"notifio.app/notifio/login"
	"notifio.app/notifio/monitor"
	"notifio.app/notifio/tray"
)

// welcome tells somebody who has started Notifio for the first time what it is
// doing, and where everything else is found.
func welcome(p place, shown bool, goos string) monitor.Banner {
	b := monitor.Banner{Title: "Notifio is watching a demonstration"}
	b.Body = "In a minute or two you see how a new listing is announced.\n"
	if shown {
		b.Body += "Its menu is " + whereabouts(goos) + ". There, Edit searches… is where your own begin."
	} else {
		b.Body += "Your own searches begin in " + p.config
	}
	return b
}

// whereabouts says where a system shows the icon.
func whereabouts(goos string) string {
	switch goos {
	case "darwin":
		return "in the menu bar, at the top of the screen"
	case "windows":
		return "beside the clock, perhaps behind the arrow there"
	}
	return "in the system tray"
}

// running is what a second start makes the first one show.
func running(p place, shown bool, goos string) monitor.Banner {
	b := monitor.Banner{Title: "Notifio is running", Body: "Its icon is " + whereabouts(goos) + "."}
	if !shown {
		b.Body = "There is no tray to show its icon in. Its activity log is " + p.logFile()
	}
	return b
}

// mailSection is where [mail] is in a configuration, as a line counted from 1; the
// commented one of the first file will do. Without any it is the first line.
func mailSection(text []byte) int {
	section := regexp.MustCompile(`^\s*#?\s*\[mail\]`)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		if section.Match(lines.Bytes()) {
			return n
		}
	}
	return 1
}

// setUpMail opens the configuration where the email is.
func (a *app) setUpMail() {
	text, _ := os.ReadFile(a.place.config) // one that cannot be read opens with an error
	a.opened(a.place.config, tray.OpenFileAt(a.place.config, mailSection(text)))
}

func (a *app) openFile(path string) { a.opened(path, tray.OpenFile(path)) }

// opened tells the user, who has just clicked, that nothing opens a file.
func (a *app) opened(path string, err error) {
	if err == nil {
		return
	}
	a.log.Warn("Nothing opens the file", "file", path, "reason", err)
	a.desk.Notify(monitor.Banner{Title: "No program opens this file by itself", Body: path})
}

// atLoginFlag is what a Notifio is started with that the system starts.
const atLoginFlag = "at-login"

// atLogin is how this Notifio is started at login: with the files that it works on.
func (p place) atLogin() (login.Entry, error) {
	args := []string{"--" + atLoginFlag}
	if p.config != config.Path() {
		args = append(args, "--config", p.config)
	}
	if p.data != defaultData() {
		args = append(args, "--data", p.data)
	}
	entry, err := login.Self(args...)
	entry.Program = withoutConsole(entry.Program)
	return entry, err
}

// withoutConsole is the program that runs without a console window, where there
// are two: packages for Windows have notifio.com for the terminal beside
// notifio.exe.
func withoutConsole(program string) string {
	ending := filepath.Ext(program)
	if !strings.EqualFold(ending, ".com") {
		return program
	}
	silent := strings.TrimSuffix(program, ending) + ".exe"
	if _, err := os.Stat(silent); err != nil {
		return program
	}
	return silent
}

// startsAtLogin is nil where this program does not know its own path.
func (a *app) startsAtLogin() func() bool {
	entry, err := a.place.atLogin()
	if err != nil {
		a.log.Warn("Notifio cannot be started at login", "reason", err)
		return nil
	}
	return entry.On
}

func (a *app) startAtLogin(on bool) {
	entry, err := a.place.atLogin()
	if err == nil {
		err = entry.Set(on)
	}
	if err != nil {
		a.log.Warn("Start at login was not changed", "reason", err)
		a.desk.Notify(monitor.Banner{Title: "Start at login was not changed", Body: err.Error()})
	}
}

// renewLogin gives the flag to an entry of an earlier Notifio, which had none. One
// that stays without it starts Notifio as by hand.
func (a *app) renewLogin() {
	entry, err := a.place.atLogin()
	if err != nil {
		return // without a program's own path there is no entry of it
	}
	before := entry
	before.Args = entry.Args[1:]
	switch done, err := entry.Replace(before); {
	case err != nil:
		a.log.Warn("The start at login stays as an earlier version wrote it", "reason", err)
	case done:
		a.log.Info("The start at login was brought up to date")
	}
}

// greet shows the welcome once: when there was no configuration before.
func (a *app) greet(bad error) {
	if a.place.fresh && bad == nil {
		a.desk.Notify(welcome(a.place, a.shown, runtime.GOOS))
	}
}
