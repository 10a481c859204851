//go:build linux

package tray

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/monitor"
)

// A text that is no UTF-8, or holds a NUL, would end the connection to the desktop:
// every banner arrives, the last one as well.
func TestEveryTextArrivesAtTheDesktop(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications()
	n, _, _ := notifierOn(t, d)
	deadly := []string{"\x00", "\xff\xfe\xed\xa0\x80", strings.Repeat("🏠\x00", 3000)}
	for _, evil := range deadly {
		n.Notify(monitor.Banner{Title: "Home " + evil, Body: evil, URL: "https://x.example/" + evil})
	}
	n.Notify(monitor.Banner{Title: "the last one"})
	all := d.AwaitBanners(len(deadly) + 1)
	if last := all[len(all)-1]; len(all) != len(deadly)+1 || last.Title != "the last one" {
		t.Errorf("%d banners, the last one %+v", len(all), last)
	}
	for _, b := range all {
		plain(t, "title", b.Title)
	}
}

// A service that reads markup shows what the page wrote, and no element of it.
func TestMarkupOfEveryTextIsText(t *testing.T) {
	for _, evil := range evilTexts {
		b := tidy(monitor.Banner{Title: evil, Body: evil})
		var read struct {
			Text string `xml:",chardata"`
			Tags []struct {
				XMLName xml.Name
			} `xml:",any"`
		}
		if err := xml.Unmarshal([]byte("<body>"+escapeMarkup(b.Body)+"</body>"), &read); err != nil || read.Text != b.Body || len(read.Tags) > 0 {
			t.Errorf("markup of %.100q reads as %.100q, %v", b.Body, read.Text, err)
		}
	}
}

// The answer to a banner comes too late: it was shown all the same, and is not shown
// a second time.
func TestBannerWithALateAnswerIsShownOnce(t *testing.T) {
	d := desktop.Start(t)
	d.StartNotifications()
	n, log, _ := notifierOn(t, d)
	n.Notify(monitor.Banner{Title: "first"})
	d.AwaitBanners(1)
	d.HangNotifications(true)
	n.Notify(monitor.Banner{Title: "second"})
	awaitLog(t, log, "does not answer")
	d.HangNotifications(false)
	d.AwaitBanners(2)
	n.Notify(monitor.Banner{Title: "third"})
	var titles []string
	for _, b := range d.AwaitBanners(3) {
		titles = append(titles, b.Title)
	}
	if !slices.Equal(titles, []string{"first", "second", "third"}) {
		t.Errorf("shown %q", titles)
	}
}

// A panel that reads one level of the menu only still has everything that cannot wait.
func TestMenuWithoutItsSubmenus(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	p.show(sample(time.Now()))
	d.AwaitIcon()
	d.AwaitItem("Watching 4 searches")
	labels := strings.Join(firstLevel(t, d.Address()), "\n")
	for _, want := range []string{"Watching 4 searches", "Check now", "Pause", "Edit searches", "Activity log", "Quit", "Centrum — 23 listings", "New listings (2)"} {
		if !strings.Contains(labels, want) {
			t.Errorf("no %q in\n%s", want, labels)
		}
	}
	p.quit()
}

// firstLevel are the labels of a menu on the bus that is asked for its first level.
func firstLevel(t *testing.T, address string) (labels []string) {
	t.Helper()
	conn, err := dbus.Connect(address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var names []string
	if err := conn.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names); err != nil {
		t.Fatal(err)
	}
	type node struct {
		ID       int32
		Props    map[string]dbus.Variant
		Children []dbus.Variant
	}
	for _, name := range names {
		if !strings.HasPrefix(name, "org.kde.StatusNotifierItem") {
			continue
		}
		var revision uint32
		var root node
		err := conn.Object(name, "/StatusNotifierItem/menu").
			Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(1), []string{}).Store(&revision, &root)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range root.Children {
			var child node
			if err := dbus.Store([]any{v.Value()}, &child); err != nil {
				t.Fatal(err)
			}
			if len(child.Children) > 0 {
				t.Errorf("%v has children although they were not asked for", child.Props["label"])
			}
			label, _ := child.Props["label"].Value().(string)
			labels = append(labels, label)
		}
	}
	return labels
}
