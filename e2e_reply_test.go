//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/internal/fake/desktop"
	"notifio.app/notifio/internal/fake/portal"
)

// replyFile is a configuration of one search with a recipe.
func (w *world) replyFile(s *portal.Search, mode, more string) string {
	text := strings.Replace(w.file("1s", wanted{"Rooms", s.URL()}), "\n\n", "\nreply = \"site\"\n\n", 1)
	return text + fmt.Sprintf(`
[[reply]]
name = "site"
host = "a.localhost"
message = "I would like to see {{.Title}} at {{.Address}}."
steps = [{ fill = "#message", with = "{{.Message}}" }, { submit = "#send" }]
success = "text=Your message was sent"
delay = "0s-0s"
mode = %q
%s`, mode, more)
}

// replyWorld watches twenty rooms that can be written to.
func replyWorld(t *testing.T, mode, more string) (*world, *portal.Search, *portal.Host, *program) {
	w := newWorld(t)
	w.timing.ReplyPatience = 5 * time.Second
	host := w.portal.Host("a").Contact("message")
	rooms := w.rooms("a", 20)
	w.configure(w.replyFile(rooms, mode, more))
	p := w.watching(1)
	w.asked("a", 2) // the second check confirms the baseline
	return w, rooms, host, p
}

func (w *world) pictures() []string {
	all, _ := filepath.Glob(filepath.Join(w.data(), "replies", "*.png"))
	return all
}

func (w *world) journal() string {
	text, _ := os.ReadFile(filepath.Join(w.data(), "replies.jsonl"))
	return string(text)
}

func TestReplyIsSentAfterItsAlert(t *testing.T) {
	w, rooms, host, p := replyWorld(t, "send", "")
	rooms.ShowRange(21, 1)
	got := host.AwaitWritten(t.Context(), 1)
	if got[0].Text != "I would like to see Home 21 at Elm Street 21." || !strings.HasSuffix(rooms.Link(21), got[0].Path) {
		t.Errorf("it says %+v", got)
	}
	if len(w.desk.Banners()) == 0 {
		t.Error("the reply came before the banner")
	}
	p.awaitLog("Replied to", 1)
	w.desk.AwaitItem("Replies", "Sent at")
	w.asked("a", 3)
	if n := len(host.Written()); n != 1 {
		t.Errorf("%d messages", n)
	}
	code, out := w.run("reply", "--list")
	if code != exitFine || !strings.Contains(out, "sent") || !strings.Contains(out, rooms.Link(21)) || !strings.Contains(out, "I would like to see Home 21") {
		t.Errorf("exit %d: %s", code, out)
	}
}

func TestReplyAsksAndTheUserDecides(t *testing.T) {
	w, rooms, host, p := replyWorld(t, "ask", "")
	rooms.ShowRange(22, 1)
	w.desk.AwaitItem("Reply to € 1000 per month · Elm Street 21?")
	w.desk.Click("Reply to € 1000 per month · Elm Street 21?", "Skip")
	w.desk.Click("Reply to € 1000 per month · Elm Street 22?", "Send")
	got := host.AwaitWritten(t.Context(), 1)
	p.awaitLog("Replied to", 1)
	if len(host.Written()) != 1 || !strings.HasSuffix(rooms.Link(22), got[0].Path) {
		t.Errorf("written %+v", host.Written())
	}
}

func TestDryRunKeepsAPictureAndSendsNothing(t *testing.T) {
	w, rooms, host, p := replyWorld(t, "dry-run", "")
	rooms.ShowRange(21, 1)
	p.awaitLog("A reply was filled in and not sent", 1)
	if n := len(w.pictures()); n != 1 {
		t.Errorf("%d pictures", n)
	}
	code, out := w.run("reply", "--dry-run", rooms.Link(21)) // by the program that runs
	all := w.pictures()
	if code != exitFine || len(all) != 2 || !strings.Contains(out, all[1]) {
		t.Errorf("exit %d: %s, %v", code, out, all)
	}
	w.desk.Click("Quit")
	p.exit()
	code, out = w.run("reply", "--dry-run", rooms.Link(20)) // by itself
	if code != exitFine || len(w.pictures()) != 3 {
		t.Errorf("exit %d: %s", code, out)
	}
	host.Contact("renamed")
	if code, out = w.run("reply", "--dry-run", rooms.Link(20)); code != exitTrouble || !strings.Contains(out, "#message") {
		t.Errorf("a changed form: exit %d: %s", code, out)
	}
	if code, out = w.run("reply", "--dry-run", "http://b.localhost/1"); code != exitTrouble || !strings.Contains(out, "b.localhost") {
		t.Errorf("another host: exit %d: %s", code, out)
	}
	if n := len(host.Written()); n != 0 {
		t.Errorf("%d messages", n)
	}
}

func TestTenNewRoomsAndALimitOfThreeReplies(t *testing.T) {
	w, rooms, host, p := replyWorld(t, "send", "daily_limit = 3\n")
	rooms.ShowRange(30, 1)
	p.awaitLog("the daily limit of 3 is reached", 7)
	w.asked("a", 2)
	if n := len(host.Written()); n != 3 {
		t.Errorf("%d messages, want three", n)
	}
}

// Killed between the click and the confirmation: it is not sent again.
func TestKillBetweenClickAndConfirmationSendsOnce(t *testing.T) {
	w, rooms, host, p := replyWorld(t, "send", "")
	host.AnswerMessages(portal.Hang)
	w.timing.ReplyPatience = time.Minute
	rooms.ShowRange(21, 1)
	host.AwaitWritten(t.Context(), 1)
	p.kill()
	host.AnswerMessages(portal.Status(200))
	if j := w.journal(); !strings.Contains(j, `"about"`) {
		t.Errorf("the journal says %s", j)
	}
	w.start()
	w.asked("a", 4)
	w.row("Rooms", "21 listings")
	if n := len(host.Written()); n != 1 {
		t.Errorf("%d messages, want one", n)
	}
	w.desk.AwaitItem("Replies", "Perhaps sent at")
}

// The field is renamed: nothing is sent, the user is told with the link, and after
// three times the recipe is off.
func TestChangedFormSwitchesTheRecipeOff(t *testing.T) {
	w, rooms, host, p := replyWorld(t, "send", "")
	host.Contact("note")
	rooms.ShowRange(23, 1)
	p.awaitLog("#message: it is not on the page", 3)
	w.desk.AwaitItem("Replies with site are switched off after 3 failures")
	if n := len(w.pictures()); n != 3 {
		t.Errorf("%d pictures", n)
	}
	host.Contact("message")
	rooms.ShowRange(24, 1)
	p.awaitLog("the recipe is switched off", 1)
	if n := len(host.Written()); n != 0 {
		t.Errorf("%d messages", n)
	}
	w.desk.Click("Replies", "Allow replies again")
	rooms.ShowRange(25, 1)
	if got := host.AwaitWritten(t.Context(), 1); !strings.HasSuffix(rooms.Link(25), got[0].Path) {
		t.Errorf("written %+v", got)
	}
}

// A confirmation that never comes counts as sent, and is shown as what it is.
func TestConfirmationThatNeverComesIsNotSentAgain(t *testing.T) {
	w, rooms, host, p := replyWorld(t, "send", "")
	host.AnswerMessages(portal.Hang)
	rooms.ShowRange(21, 1)
	p.awaitLog("no confirmation came", 1)
	w.asked("a", 3)
	if n := len(host.Written()); n != 1 {
		t.Errorf("%d messages, want one", n)
	}
	if !slices.ContainsFunc(w.desk.Banners(), func(b desktop.Banner) bool { return strings.HasPrefix(b.Title, "Perhaps no reply to") }) {
		t.Errorf("banners %+v", w.desk.Banners())
	}
}

// The host refuses the room's page: it is left alone, and the reply follows when it
// serves again.
func TestReplyIsPutOffWhileTheHostRefuses(t *testing.T) {
	_, rooms, host, p := replyWorld(t, "send", "")
	host.AnswerRooms(portal.Refused("2"))
	rooms.ShowRange(21, 1)
	p.awaitLog("refused a reply. Leaving it alone", 1)
	if n := len(host.Written()); n != 0 {
		t.Errorf("%d messages", n)
	}
	host.ServeRooms()
	host.AwaitWritten(t.Context(), 1)
	p.awaitLog("Replied to", 1)
}
