// Package browser loads saved searches in a real Chromium and reads them.
//
// A Browser is one Playwright driver (a node process), one Chromium below it and
// one persistent context with Notifio's own profile. It is kept warm; each check
// gets a page of its own, opened beforehand and closed after it. The session
// (session*.go, chromium*.go, procs*.go) keeps those processes alive and ends
// them; a check (check*.go) takes one search from a URL to what the extraction
// script returned; reading (read*.go and its siblings) turns that into a
// monitor.Page; a window (signin.go) is where the user signs in; a reply (reply.go)
// fills in a form by a recipe; installation (install*.go) finds or fetches what is missing.
//
// Nothing that the driver or Chromium does can hold a caller up: every call has a
// deadline of ours, and a call that does not return is left behind and ends with
// its page or its browser.
//
// The package does not decide when a search is checked or what a page means for
// its host, and it does not hide that it is automated: user agent and
// navigator.webdriver stay as Chromium has them.
package browser
