//go:build linux

package tray

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/monitor"
)

func TestIconAppearsWhenThePanelDoes(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	p := startProgram(t, d.Env()...)
	p.show(sample(time.Now()))
	p.expectLog("no panel with a tray")
	d.StartWatcher()
	p.expectLog("no place for icons yet")
	d.RegisterHost()
	d.AwaitIcon()
	d.AwaitItem("Watching 4 searches")
	p.expectLog("The icon is in the tray.")
	p.quit()
}

func TestIconReturnsWithThePanel(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	p.show(sample(time.Now()))
	d.AwaitIcon()
	for range 3 {
		d.StopPanel()
		d.StartPanel()
		d.AwaitIcon()
		d.AwaitItem("Watching 4 searches")
		d.Click("Check now")
		p.expect("check now")
	}
	p.quit()
}

func TestIconReturnsWithTheBus(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	v := sample(time.Now())
	p.show(v)
	d.AwaitIcon()
	d.StopBus()
	v.Phase = monitor.Paused
	p.show(v) // while there is nobody to show it to
	p.expectLog("does not answer")
	d.StartBus()
	d.StartPanel()
	d.AwaitIcon()
	d.AwaitItem("Paused")
	d.Click("Resume")
	p.expect("resume")
	p.quit()
}

func TestQuitIsQuickWhateverTheBusDoes(t *testing.T) {
	t.Parallel()
	within := func(name string, p *running) {
		t.Helper()
		if took := p.quit(); took > 2*time.Second { // a second, and what a busy machine adds
			t.Errorf("%s: quit took %v", name, took)
		}
	}
	p := startProgram(t, "DBUS_SESSION_BUS_ADDRESS=unix:path=/nowhere/bus")
	p.show(sample(time.Now()))
	p.expectLog("does not answer")
	within("no bus", p)

	d := desktop.Start(t)
	p = startProgram(t, d.Env()...)
	p.expectLog("no panel")
	within("no panel", p)

	d.StartPanel()
	p = startProgram(t, d.Env()...)
	p.show(sample(time.Now()))
	d.AwaitIcon()
	d.StopBus()
	within("bus gone", p)
}

// What portals and files write cannot break the menu.
func TestHostileTextLeavesTheMenuWhole(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	v := sample(time.Now())
	for _, evil := range []string{"a\x00b", "\xff\xfe", "\u202eabc", "_x_&_y_", "<b>\n</b>", strings.Repeat("🏠", 500)} {
		v.Rows[0].Name, v.Rows[0].Text, v.Recent[0].Listing.Address = evil, evil, evil
		p.show(v)
	}
	v.Rows[0].Name = "Rooms_and_more"
	p.show(v)
	d.AwaitIcon()
	d.AwaitItem("Rooms_and_more — 🏠")
	d.Click("Quit")
	p.expect("quit")
	p.quit()
}

// Every label that is sent costs the panel three messages. A thousand views in
// which nothing changes cost none, and a countdown moves once in five seconds.
func TestOnlyChangedLabelsAreSent(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	v := sample(time.Now())
	v.NextCheck = time.Now().Add(90 * time.Second)
	p.show(v)
	d.AwaitIcon()
	d.AwaitItem("Watching 4 searches")
	d.AwaitMenu("submenus", func(m desktop.Node) bool { return m.Find("Pause for", "1 hour") != nil })
	d.Forget()
	for range 1000 {
		v.At = v.At.Add(time.Millisecond)
		p.show(v)
	}
	countdown := func(c desktop.LabelChange) bool { return strings.HasPrefix(c.Label, "Watching") }
	d.Await("three steps of the countdown", func() bool {
		return len(slices.DeleteFunc(d.LabelChanges(), func(c desktop.LabelChange) bool { return !countdown(c) })) >= 3
	})
	last := map[int32]time.Time{}
	for _, c := range d.LabelChanges() {
		if at, again := last[c.Item]; again && c.At.Sub(at) < step/2 {
			t.Errorf("%q came %v after the label before it", c.Label, c.At.Sub(at))
		}
		last[c.Item] = c.At
	}
	if n := d.Signals()["NewIcon"]; n != 0 {
		t.Errorf("the icon was sent %d times without a change", n)
	}
	if n := d.Signals()["LayoutUpdated"]; n > 12 {
		t.Errorf("the menu was announced %d times in three steps", n)
	}
	p.quit()
}

func TestIconIsSentOnceForEachState(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	v := sample(time.Now())
	v.Unseen, v.Rows = 0, v.Rows[:1]
	p.show(v)
	d.AwaitIcon()
	d.AwaitItem("Watching 1 search")
	d.Forget()
	seen := map[string]bool{fmt.Sprint(d.Property("IconPixmap")): true}
	for i, change := range []func(){
		func() { v.Phase = monitor.Checking },
		func() { v.Unseen = 1 },
		func() { v.Unseen, v.Phase = 0, monitor.Paused },
		func() { v.Phase = monitor.Offline },
	} {
		change()
		p.show(v)
		p.show(v)
		d.Await("another icon", func() bool { return d.Signals()["NewIcon"] == i+1 })
		seen[fmt.Sprint(d.Property("IconPixmap"))] = true
	}
	if len(seen) != 5 {
		t.Errorf("%d different icons for five states", len(seen))
	}
	p.quit()
}

// soak is how long the program is shown another view every quarter of a second. It
// is short by default: what twenty minutes of states cost is counted in
// TestTwentyMinutesOfStatesCostLittle, and here the panel and the memory of a whole
// process are looked at.
var soak = flag.Duration("soak", 20*time.Second, "how long TestStatesWithoutEnd goes on")

func TestStatesWithoutEnd(t *testing.T) {
	t.Parallel()
	d := desktop.Start(t)
	d.StartPanel()
	p := startProgram(t, d.Env()...)
	p.show(turbulent(0, time.Now()))
	d.AwaitIcon()
	d.AwaitItem("Watching 14 searches")
	steps := time.NewTicker(250 * time.Millisecond)
	defer steps.Stop()
	begun, warm := time.Now(), 0
	end := begun.Add(*soak)
	for n := 0; time.Now().Before(end); n++ {
		p.show(turbulent(n, time.Now()))
		<-steps.C
		if time.Until(end) > *soak*9/10 {
			warm = p.memory()
		}
	}
	// A busy machine hears of a label late and of the next one in time, so it is their
	// number that shows the pace.
	most := int(time.Since(begun)/step) + 2
	labels := map[int32]int{}
	for _, c := range d.LabelChanges() {
		labels[c.Item]++
		if labels[c.Item] == most+1 {
			t.Errorf("the item %q was labelled more than %d times in %v", c.Label, most, *soak)
		}
	}
	if grown := p.memory() - warm; grown > 8<<10 {
		t.Errorf("the program grew from %d kB by %d kB in %v", warm, grown, *soak)
	}
	p.quit()
}

// memory is what the program holds of its own at present, in kB.
func (r *running) memory() int {
	r.t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
	if err != nil {
		r.t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(text), "RssAnon:")
	var kilobytes int
	if _, err := fmt.Sscan(after, &kilobytes); err != nil {
		r.t.Fatal(err)
	}
	return kilobytes
}
