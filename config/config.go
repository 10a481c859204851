// Package config turns notifio.toml into checked values: every mistake at once,
// each with its line and what to do about it, and never half of a file. It also
// finds the file, writes the first one, and follows the user's edits.
//
// It does not decide what a change means for a running search, does not ask the
// keyring or the environment for a password, and does not start anything.
package config

import (
	"time"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// Config is one whole, checked notifio.toml. It is a value of its own: nothing
// in it is shared with an older one.
type Config struct {
	Searches []monitor.Search // at least one, enabled and disabled, in the order of the file
	Poll     Poll
	Browser  Browser
	Mail     *Mail // nil when there is no [mail]: alerts go to the mail folder among the data
	Notify   Notify
	// Portals are the user's own definitions; they win over the embedded ones.
	Portals []assets.Portal
	Replies []monitor.Recipe // whether a search names them or not
	// Warnings are what the user should know of a file that is good nevertheless.
	Warnings []Problem

	source         []byte // the file, byte for byte
	executableLine int
	passwordLine   int
}

// Poll is how often searches are checked.
type Poll struct {
	Interval time.Duration // start to start; 30 s and more unless all searches are on this machine
	Jitter   time.Duration // plus or minus, drawn anew for each cycle
}

// Browser is which Chromium is used, and how.
type Browser struct {
	Executable    string // a path or a name to be found in PATH; "" picks one
	Headless      bool
	ParallelHosts int    // hosts checked side by side, 1 to 15
	Endpoint      string // a remote Chromium: ws, wss, http or https; "" starts one here
}

// Mail is where alerts are sent: to Host, or into Folder when HasFolder is set.
type Mail struct {
	Host     string
	Port     int    // 1 to 65535, by default what TLS suggests
	TLS      string // "auto", "tls", "starttls" or, to this machine alone, "none"
	Username string // "" sends without signing in
	Password string // as the file has it, often ""
	From     string // an address, perhaps with a name before it
	To       []string
	// Folder is an absolute path; "" with HasFolder means neither mail nor folder:
	// banner and menu are what is told.
	Folder    string
	HasFolder bool
}

// Notify is what reaches the desktop.
type Notify struct {
	Banner bool
	Quiet  monitor.QuietHours
}

// Default holds where a file says nothing, and while there is no good file: no
// search at all, and a browser without a window.
func Default() Config {
	var c checker
	return Config{Poll: c.poll(nil, nil), Browser: c.browser(nil), Notify: c.notify(nil)}
}

// Settings is the part of c that the monitor goes by. Courier and Recipients are
// left for the caller, who knows the password and the data folder.
func (c Config) Settings() monitor.Settings {
	return monitor.Settings{
		Searches: c.Searches,
		Recipes:  c.Replies,
		Interval: c.Poll.Interval,
		Jitter:   c.Poll.Jitter,
		Lanes:    c.Browser.ParallelHosts,
		Banners:  c.Notify.Banner,
		Quiet:    c.Notify.Quiet,
	}
}
