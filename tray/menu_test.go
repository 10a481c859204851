package tray

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares got with a file below testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name+".golden")
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != strings.ReplaceAll(string(want), "\r\n", "\n") {
		t.Errorf("%s differs; got\n%s\nrun `go test ./tray -update` when that is meant", path, got)
	}
}

// describe writes a model as a person would sketch it.
func describe(m Model) string {
	return fmt.Sprintf("icon: %s\ntip:  %s\n%s\n", m.Icon, m.Tooltip, strings.Join(shownLines(m.Items), "\n"))
}

// shownLines is what a person sees with every submenu open: disabled items in
// brackets, separators as a dash.
func shownLines(items []Item) []string {
	var out []string
	for _, it := range items {
		switch {
		case !it.Visible:
			continue
		case it.Separator:
			out = append(out, "-")
		case it.Enabled:
			out = append(out, it.Label)
		default:
			out = append(out, "("+it.Label+")")
		}
		if it.Checked {
			out[len(out)-1] = "✓ " + out[len(out)-1]
		}
		for _, l := range shownLines(it.Children) {
			out = append(out, "  "+l)
		}
	}
	return out
}

func TestMenus(t *testing.T) {
	with := func(change func(*monitor.View)) monitor.View {
		v := sample(noon)
		change(&v)
		return v
	}
	full := Offer{Mail: true, SignIn: true, Report: true, Login: true, AtLogin: true, Version: "1.2.3"}
	for name, c := range map[string]struct {
		v monitor.View
		o Offer
	}{
		"watching": {with(func(*monitor.View) {}), full},
		"starting": {monitor.View{}, Offer{}},
		"checking": {with(func(v *monitor.View) {
			v.Phase, v.Done, v.Total, v.Unseen = monitor.Checking, 2, 5, 0
			v.Rows = v.Rows[:1]
		}), full},
		"paused":  {with(func(v *monitor.View) { v.Phase, v.Unseen, v.NextCheck = monitor.Paused, 0, time.Time{} }), full},
		"offline": {with(func(v *monitor.View) { v.Phase, v.Unseen = monitor.Offline, 0 }), full},
		"troubles": {with(func(v *monitor.View) {
			v.Unseen = 0
			v.Troubles = []monitor.Trouble{
				{Source: "configuration", Text: `notifio.toml:14: search "Centrum": interval "5s" is shorter than 30s`},
				{Source: "mail", Text: "smtp.example.com refused the password: Gmail needs an app password"},
			}
		}), Offer{}},
		"hostile": {hostile(), full},
		"crowded": {crowded(), full},
	} {
		t.Run(name, func(t *testing.T) { golden(t, "menu-"+name, describe(Menu(c.v, noon, c.o))) })
	}
}

// hostile is a view in which portals and files wrote what they should not.
func hostile() monitor.View {
	evil := "\x00\xff\u202eevil\r\n_&_<b>\x1b[0m" + strings.Repeat("long ", 60)
	return monitor.View{
		Phase: monitor.Watching, NextCheck: noon.Add(-time.Hour),
		Rows: []monitor.Row{{Name: evil, Text: evil, URL: "javascript:alert(1)", State: monitor.RowFine, Note: evil, NoteAt: noon,
			Checked: noon, AdoptedAt: noon, Adopted: []monitor.Listing{{Title: evil}, {Address: evil, URL: "file:///etc/passwd"}, {}}}},
		Deliveries: monitor.Deliveries{Recent: []monitor.Alert{
			{Listing: monitor.Listing{Title: evil, Address: evil, Price: monitor.Price{Text: evil}}, Found: noon.Add(time.Hour)}}},
		Troubles: []monitor.Trouble{{Source: "disk", Text: evil}, {Text: ""}},
	}
}

// crowded has more of everything than there is room for.
func crowded() monitor.View {
	v := monitor.View{Phase: monitor.Watching, NextCheck: noon.Add(30 * time.Second)}
	for i := range 20 {
		r := monitor.Row{Name: fmt.Sprintf("Search %d", i+1), Text: "20 listings", State: monitor.RowFine, URL: fmt.Sprintf("https://h%d.example/", i)}
		if i%3 == 2 {
			r.State = monitor.RowDisabled
		}
		v.Rows = append(v.Rows, r)
		v.Recent = append(v.Recent, monitor.Alert{ID: fmt.Sprint(i), Found: noon, Listing: monitor.Listing{Title: fmt.Sprintf("Home %d", i), URL: "https://h.example/"}})
		v.Troubles = append(v.Troubles, monitor.Trouble{Source: fmt.Sprint(i), Text: fmt.Sprintf("Trouble %d", i)})
	}
	return v
}

// The system's menu is built once: another number or nesting of items would mix up
// labels and clicks.
func TestMenuAlwaysHasTheSameShape(t *testing.T) {
	var shape func(items []Item) string
	shape = func(items []Item) string {
		var b strings.Builder
		for _, it := range items {
			fmt.Fprintf(&b, "%v(%s)", it.Separator, shape(it.Children))
		}
		return b.String()
	}
	want := shape(Menu(monitor.View{}, noon, Offer{}).Items)
	for _, v := range []monitor.View{sample(noon), hostile(), crowded()} {
		for _, o := range []Offer{{}, {Mail: true, SignIn: true, Login: true, Version: "1"}} {
			if got := shape(Menu(v, noon, o).Items); got != want {
				t.Errorf("another shape for a view with %d rows", len(v.Rows))
			}
		}
	}
}

// Every visible label is fit for a panel, whatever the portals wrote.
func TestEveryLabelIsClean(t *testing.T) {
	for _, it := range flatten(Menu(hostile(), noon, Offer{}).Items) {
		if it.Visible && (it.Label != clean(it.Label, 160) || it.Label == "" && !it.Separator) {
			t.Errorf("label %q is not clean", it.Label)
		}
	}
}

func TestIconShowsWhatMattersMost(t *testing.T) {
	refused := []monitor.Row{{State: monitor.RowRefused}}
	for _, c := range []struct {
		name string
		v    monitor.View
		want assets.Icon
	}{
		{"starting", monitor.View{}, assets.IconWatching},
		{"watching", monitor.View{Phase: monitor.Watching}, assets.IconWatching},
		{"checking", monitor.View{Phase: monitor.Checking}, assets.IconChecking},
		{"news while checking", monitor.View{Phase: monitor.Checking, Deliveries: monitor.Deliveries{Unseen: 1}}, assets.IconNews},
		{"news in a pause", monitor.View{Phase: monitor.Paused, Deliveries: monitor.Deliveries{Unseen: 1}}, assets.IconNews},
		{"paused with trouble", monitor.View{Phase: monitor.Paused, Rows: refused}, assets.IconPaused},
		{"refused", monitor.View{Phase: monitor.Checking, Rows: refused}, assets.IconTrouble},
		{"first failure is passing", monitor.View{Phase: monitor.Watching, Rows: []monitor.Row{{State: monitor.RowFailed}}}, assets.IconWatching},
		{"lasting failure", monitor.View{Phase: monitor.Watching, Rows: []monitor.Row{{State: monitor.RowFailed, RetryAt: noon}}}, assets.IconTrouble},
		{"half-loaded page is passing", monitor.View{Phase: monitor.Watching, Rows: []monitor.Row{{State: monitor.RowDoubt}}}, assets.IconWatching},
		{"one search paused", monitor.View{Phase: monitor.Watching, Rows: []monitor.Row{{State: monitor.RowPaused}, {State: monitor.RowFine}}}, assets.IconWatching},
		{"each search paused", monitor.View{Phase: monitor.Watching, Rows: []monitor.Row{{State: monitor.RowPaused}, {State: monitor.RowDisabled}}}, assets.IconPaused},
		{"offline", monitor.View{Phase: monitor.Offline}, assets.IconTrouble},
		{"mail refused", monitor.View{Phase: monitor.Watching, Troubles: make([]monitor.Trouble, 1)}, assets.IconTrouble},
	} {
		if got := icon(c.v); got != c.want {
			t.Errorf("%s: icon %s, want %s", c.name, got, c.want)
		}
	}
}

// All searches of a host wait for the same moment and say so in the same words.
func TestCountdownsOfAHostAgree(t *testing.T) {
	v := sample(noon)
	var ends []string
	for _, r := range v.Rows {
		if r.Host == "example.net" {
			label := rowLabel(r, v.Phase, noon)
			ends = append(ends, label[strings.LastIndex(label, ", "):])
		}
	}
	if len(ends) != 2 || len(slices.Compact(ends)) != 1 {
		t.Errorf("countdowns of one host: %q", ends)
	}
}
