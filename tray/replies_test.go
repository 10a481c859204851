package tray

import (
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// find is the visible item whose label begins so.
func find(items []Item, label string) *Item {
	for i := range items {
		if items[i].Visible && strings.HasPrefix(items[i].Label, label) {
			return &items[i]
		}
	}
	return nil
}

func TestAskedRepliesAreInTheMenu(t *testing.T) {
	v := sample(noon)
	if find(Menu(v, noon, Offer{}).Items, "Reply to") != nil {
		t.Error("nothing is asked, and the menu asks")
	}
	for _, n := range []string{"1", "2", "3", "4"} {
		v.Asks = append(v.Asks, monitor.ReplyRow{Key: "k" + n, Title: "Home " + n, URL: "https://x.example/" + n, At: noon})
	}
	items := Menu(v, noon, Offer{}).Items
	first := find(items, "Reply to Home 1?")
	if first == nil || find(items, "Reply to Home 3?") == nil || find(items, "Reply to Home 4?") != nil {
		t.Fatalf("%q", shownLines(items))
	}
	for label, want := range map[string]Action{"Send": {SendReply, "k1"}, "Skip": {SkipReply, "k1"}, "Open page": {Open, "https://x.example/1"}} {
		if it := find(first.Children, label); it == nil || it.Do != want {
			t.Errorf("%s: %+v", label, it)
		}
	}
}

func TestRepliesSayWhatCameOfThem(t *testing.T) {
	v := sample(noon)
	if find(Menu(v, noon, Offer{}).Items, "Replies") != nil {
		t.Error("there is a list of nothing")
	}
	v.Replies = []monitor.ReplyRow{
		{Key: "a", Title: "Home 1", URL: "https://x.example/1", At: noon.Add(-time.Minute), Event: monitor.ReplySent},
		{Key: "b", Title: "Home 2", URL: "https://x.example/2", At: noon, Event: monitor.ReplySkipped, Note: "the daily limit of 5 is reached"},
		{Key: "c", Title: "Home 3", At: noon, Event: monitor.ReplyAbout},
	}
	list := find(Menu(v, noon, Offer{}).Items, "Replies")
	for _, want := range []string{"Sent at 11:59: Home 1", "Not sent at 12:00: Home 2 (the daily limit of 5 is reached)", "Perhaps sent at 12:00: Home 3"} {
		if find(list.Children, want) == nil {
			t.Errorf("no %q in %q", want, shownLines(list.Children))
		}
	}
	if find(list.Children, "Allow") != nil {
		t.Error("there is nothing to allow")
	}
	v.Replies, v.RepliesStopped = nil, true
	if it := find(find(Menu(v, noon, Offer{}).Items, "Replies").Children, "Allow replies again"); it == nil || it.Do.Verb != AllowReplies {
		t.Errorf("%+v", it)
	}
}

func TestPhasesThatSearchesWaitFor(t *testing.T) {
	v := sample(noon)
	for phase, want := range map[monitor.Phase]string{monitor.SigningIn: "Signing in…", monitor.Replying: "Replying…"} {
		v.Phase = phase
		m := Menu(v, noon, Offer{})
		if m.Items[0].Label != want {
			t.Errorf("%s: %q", phase, m.Items[0].Label)
		}
		if check := find(m.Items, "Check now"); check.Enabled != (phase == monitor.Replying) {
			t.Errorf("%s: Check now is enabled: %v", phase, check.Enabled)
		}
	}
}
