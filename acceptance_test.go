package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// An acceptance test runs the built program, as a user would, over pages with
// known answers. The pages are somebody else's or kept apart, so they are not part
// of the project; without their folder there is nothing to accept.

// answered is a page with its answers, one row of an INDEX.tsv.
type answered struct {
	folder, file, url string
	verdict           string
	listings          string
	paid, note        string
}

// name is the file without its ending.
func (a answered) name() string { return strings.TrimSuffix(a.file, ".html") }

// shown is what `extract --json` printed of a page.
type shown struct {
	Portal, Verdict, Reason string
	Listings                []monitor.Listing
}

// ordinary are the listings that count.
func (s shown) ordinary() []monitor.Listing { return monitor.Page{Listings: s.Listings}.Ordinary() }

// answersIn reads the index of a folder of pages.
func answersIn(t *testing.T, folder string) []answered {
	t.Helper()
	file, err := os.Open(filepath.Join(folder, "INDEX.tsv"))
	if os.IsNotExist(err) {
		t.Skipf("no pages with answers in %s", folder)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var all []answered
	for lines := bufio.NewScanner(file); lines.Scan(); {
		f := append(strings.Split(lines.Text(), "\t"), "", "", "", "", "")
		if f[0] == "" || f[0] == "file" {
			continue
		}
		a := answered{folder: folder, file: f[0], url: f[1], verdict: f[2], listings: f[3], paid: f[4], note: f[4]}
		if ids := a.ids(t, ".ids"); a.url == "" && len(ids) > 0 { // nobody has noted it: any page of results of its site will do
			u, err := url.Parse(ids[0])
			if err != nil {
				t.Fatal(err)
			}
			a.url = u.Scheme + "://" + u.Host + "/results"
		}
		all = append(all, a)
	}
	return all
}

// ids are the addresses in one of the page's files of answers; none where there is
// no such file.
func (a answered) ids(t *testing.T, ending string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(a.folder, a.name()+ending))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}

// extractAll reads the pages with the built program: two copies at a time, each
// of which starts one browser and reads half of them.
func extractAll(t *testing.T, pages []answered) map[string]shown {
	t.Helper()
	path, err := buildProgram()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]shown{}
	var mu sync.Mutex
	var copies sync.WaitGroup
	for share := range slices.Chunk(pages, (len(pages)+1)/2) {
		dir := t.TempDir()
		copies.Go(func() {
			read := extractShare(t, path, dir, share)
			mu.Lock()
			defer mu.Unlock()
			for i, s := range read {
				out[share[i].file] = s
			}
		})
	}
	copies.Wait()
	if len(out) != len(pages) {
		t.Fatalf("the program read %d of %d pages", len(out), len(pages))
	}
	return out
}

// extractShare runs one program. Its exit code says that not every page was a
// results page, which is known.
func extractShare(t *testing.T, path, dir string, share []answered) []shown {
	args := []string{"--data", filepath.Join(dir, "data"), "--config", filepath.Join(dir, "notifio.toml"), "extract", "--json"}
	for _, a := range share {
		args = append(args, "--as", a.url, filepath.Join(a.folder, a.file))
	}
	if err := os.WriteFile(filepath.Join(dir, "notifio.toml"), []byte(search("Any", "https://rooms.example/")+chosenBrowser()), 0o600); err != nil {
		t.Error(err)
		return nil
	}
	text, err := json.Marshal(stage{Limits: unhurried()})
	if err != nil {
		t.Error(err)
		return nil
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Env = append(os.Environ(), stageVariable+"="+string(text))
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run()
	var all []shown
	for dec := json.NewDecoder(&stdout); dec.More(); {
		var s shown
		if err := dec.Decode(&s); err != nil {
			t.Errorf("%v\n%s", err, stderr.String())
			return all
		}
		all = append(all, s)
	}
	if len(all) != len(share) {
		t.Errorf("stopped after %d of %d pages: %s", len(all), len(share), stderr.String())
	}
	return all
}

// homes name listings independently of how the program writes their addresses: by
// the key that the portal's definition gives them, or by host, path and query.
type homes struct{ portals []assets.Portal }

func newHomes(t *testing.T) homes {
	t.Helper()
	portals, err := assets.Portals()
	if err != nil {
		t.Fatal(err)
	}
	return homes{portals}
}

// of names one address, and says whether a definition knows it.
func (h homes) of(address string) (name string, defined bool) {
	u, err := url.Parse(address)
	if err != nil {
		return address, false
	}
	for _, p := range h.portals {
		if id, ok := p.ListingID(u); ok {
			return p.Name + ":" + id, true
		}
	}
	name = strings.TrimPrefix(u.Host, "www.") + strings.TrimSuffix(u.Path, "/")
	if u.RawQuery != "" {
		name += "?" + u.RawQuery
	}
	return name, false
}

// all names some addresses.
func (h homes) all(addresses []string) []string {
	var out []string
	for _, a := range addresses {
		name, _ := h.of(a)
		out = append(out, name)
	}
	return out
}

// differ complains of homes that should not be there, or should; a few of many.
func differ(t *testing.T, what string, names []string) {
	t.Helper()
	slices.Sort(names)
	if n := len(names); n > 0 {
		t.Errorf("%d %s: %s", n, what, strings.Join(names[:min(n, 5)], " "))
	}
}

// Every captured page of a real portal: its listings and no others, its paid cards
// as such, and the key that its definition gives.
func TestProgramReadsCapturedPages(t *testing.T) {
	t.Parallel()
	folder := os.Getenv("NOTIFIO_PAGES")
	if folder == "" {
		folder = filepath.Join("..", "shared", "pages")
	}
	pages, known := answersIn(t, folder), newHomes(t)
	read := extractAll(t, pages)
	for _, a := range pages {
		t.Run(a.name(), func(t *testing.T) {
			s := read[a.file]
			if s.Verdict != a.verdict {
				t.Errorf("%s (%s), want %s", s.Verdict, s.Reason, a.verdict)
			}
			ordinary, promoted := map[string]bool{}, map[string]bool{}
			for _, l := range s.Listings {
				name, defined := known.of(l.URL)
				if defined && l.Key != name {
					t.Errorf("%s has the key %q, want %q", l.URL, l.Key, name)
				}
				if l.Promoted {
					promoted[name] = true
				} else {
					ordinary[name] = true
				}
			}
			want := known.all(a.ids(t, ".ids"))
			differ(t, "missing", slices.DeleteFunc(slices.Clone(want), func(name string) bool { return ordinary[name] }))
			paid := known.all(a.ids(t, ".sponsored.ids"))
			differ(t, "not marked as paid", slices.DeleteFunc(paid, func(name string) bool { return promoted[name] || slices.Contains(want, name) }))
			for _, name := range append(known.all(a.ids(t, ".neutral.ids")), want...) {
				delete(ordinary, name)
			}
			differ(t, "not listings", slices.Collect(maps.Keys(ordinary)))
		})
	}
}
