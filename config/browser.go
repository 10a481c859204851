package config

import (
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"notifio.app/notifio/monitor"
)

func (c *checker) browser(doc map[string]any) Browser {
	t := c.single(doc, "browser")
	b := Browser{Headless: t.flag("headless", true), ParallelHosts: 3}
	if s, given := t.text("executable"); given {
		b.Executable = t.home("executable", s)
	}
	if n, given := t.whole("parallel_hosts", 1, monitor.MaxSearches); given {
		b.ParallelHosts = n
	}
	if s, given := t.text("endpoint"); given && s != "" {
		t.checkEndpoint(s)
		b.Endpoint = s
	}
	if b.Endpoint != "" && b.Executable != "" {
		t.wrongAt("executable", "executable and endpoint exclude each other: keep endpoint for a Chromium that runs already, executable for one that Notifio starts")
	}
	return b
}

// checkEndpoint does not quote the endpoint: it may hold a token.
func (t table) checkEndpoint(s string) {
	u, err := url.Parse(s)
	example := tables["browser"]["endpoint"]
	switch {
	case err != nil || u.Hostname() == "" || !goodPort(u):
		t.wrongAt("endpoint", "endpoint cannot be read as an address: write it like %s", example)
	case u.Scheme != "ws" && u.Scheme != "wss" && u.Scheme != "http" && u.Scheme != "https":
		t.wrongAt("endpoint", "endpoint does not begin with ws://, wss://, http:// or https://: write it like %s", example)
	case (u.Scheme == "ws" || u.Scheme == "http") && !monitor.OnThisMachine(s):
		t.warn(t.line("endpoint"), "%s endpoint is on another machine and not encrypted: whoever listens there can read your sessions; prefer wss:// or https://", t.label)
	}
}

// home makes an absolute path of one that begins with the user's folder.
func (t table) home(key, s string) string {
	rest, below := strings.CutPrefix(filepath.ToSlash(s), "~/")
	if !below {
		return s
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		t.wrongAt(key, "%s begins with ~, but this machine names no home folder: write the whole path", key)
		return s
	}
	return filepath.Join(dir, filepath.FromSlash(rest))
}
