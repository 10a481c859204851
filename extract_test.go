package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// savedPage is a results page of a site that has no definition.
const savedPage = `<!doctype html><title>Rooms in Utrecht</title><h1>4 rooms in Utrecht</h1><ul>
<li><a href="/rent/utrecht/room-100231">Bright room on Kade 1</a> <span>€ 900 p.m.</span> <span>18 m²</span></li>
<li><a href="/rent/utrecht/room-100232">Attic on Kade 2</a> <span>€ 750 p.m.</span> <span>14 m²</span></li>
<li><a href="/rent/utrecht/room-100233">Basement on Kade 3</a> <span>€ 640 p.m.</span> <span>20 m²</span></li>
<li><a href="/rent/utrecht/room-100234">Studio on Kade 4</a> <span>€ 1.200 p.m.</span> <span>31 m²</span></li></ul>`

func TestExtractReadsASavedPage(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "page.html")
	if err := os.WriteFile(file, []byte(savedPage), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{"--data", filepath.Join(dir, "data"), "--config", filepath.Join(dir, "none.toml"), "extract"}
	var out, errs bytes.Buffer
	code := run(context.Background(), append(args, "--json", "--as", "https://rooms.example/rent/utrecht", file), system{stdout: &out, stderr: &errs})
	var got struct {
		URL, Portal, Verdict, Reason string
		Listings                     []struct {
			Key, URL string
			Price    struct {
				Amount           float64
				Currency, Period string
			}
			Area float64 `json:"area_m2"`
		}
	}
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatalf("%v in %s %s", err, out.String(), errs.String())
	}
	if code != exitFine || got.Verdict != "results" || got.Portal != "generic" || len(got.Listings) != 4 {
		t.Fatalf("exit %d, %+v", code, got)
	}
	last := got.Listings[3]
	if last.URL != "https://rooms.example/rent/utrecht/room-100234" || last.Price.Amount != 1200 ||
		last.Price.Currency != "EUR" || last.Price.Period != "month" || last.Area != 31 {
		t.Errorf("last listing %+v", last)
	}
	if _, err := os.Stat(filepath.Join(dir, "none.toml")); err == nil {
		t.Error("a look at a page is no reason to write a configuration")
	}

	out.Reset()
	code = run(context.Background(), append(args, "--link", "/nothing/like/this", "--as", "https://rooms.example/rent/utrecht", file), system{stdout: &out, stderr: &errs})
	if code != exitTrouble || !strings.Contains(out.String(), "link = '") {
		t.Errorf("exit %d, without a hint: %s", code, out.String())
	}
}

// Somebody who has chosen a browser in the file has one that works; extract takes
// that one, and no other.
func TestExtractReadsInTheConfiguredBrowser(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{`executable = "/nowhere/chromium"`, `endpoint = "http://127.0.0.1:1"`} {
		file := filepath.Join(dir, "notifio.toml")
		if err := os.WriteFile(file, []byte(search("Rooms", "http://rooms.localhost:1/")+"[browser]\n"+text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		got := invoke(t, system{}, "--config", file, "--data", filepath.Join(dir, "data"), "extract", "http://rooms.localhost:1/")
		if got.code != exitTrouble || got.out != "" || got.err == "" {
			t.Errorf("%s: exit %d, %q", text, got.code, got.err)
		}
	}
}

func TestExtractSaysWhatItTakes(t *testing.T) {
	for _, args := range [][]string{
		{"extract"}, {"extract", "a", "b"}, {"extract", "--nonsense", "https://a.example/"}, {"extract", "ftp://a.example/"},
		{"extract", "--link", "(", "https://a.example/"}, {"extract", "--as", "demo:amsterdam", "file.html"}, {"extract", "https://"},
		{"extract", "https://a.example/", "https://b.example/"}, {"extract", "--as", "https://a.example/", "a.html", "https://b.example/"},
	} {
		var errs bytes.Buffer
		code := run(context.Background(), append([]string{"--data", t.TempDir()}, args...), system{stdout: &errs, stderr: &errs})
		if code != exitUsage || strings.Count(errs.String(), "\n") != 1 {
			t.Errorf("%q: exit %d, %q", args, code, errs.String())
		}
	}
}
