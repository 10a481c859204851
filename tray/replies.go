package tray

import (
	"time"

	"notifio.app/notifio/monitor"
)

// asks are the replies that wait for a click, the oldest first, each with its own
// submenu; what does not fit comes up when those before it are decided.
func asks(v monitor.View, now time.Time) []Item {
	items := make([]Item, maxAsks)
	for i := range maxAsks {
		var r monitor.ReplyRow
		if i < len(v.Asks) {
			r = v.Asks[i]
		}
		send, skip, open := button("Send", SendReply), button("Skip", SkipReply), button("Open page", Open)
		send.Do.Arg, skip.Do.Arg, open.Do.Arg = r.Key, r.Key, r.URL
		items[i] = Item{
			Label: "Reply to " + clean(r.Title, textRunes) + "?", State: r.Key, Visible: i < len(v.Asks), Enabled: true,
			Children: []Item{line("Found at " + clock(r.At, now)), send, skip, open},
		}
	}
	return items
}

// replies is the submenu of what was sent, and why the rest was not.
func replies(v monitor.View, now time.Time) Item {
	kids := make([]Item, maxReplies, maxReplies+1)
	for i, r := range v.Replies {
		if i == maxReplies {
			break
		}
		kids[i] = Item{
			Label: replyLabel(r, now), Visible: true, Enabled: r.URL != "",
			Do: Action{Open, r.URL}, State: r.Key + string(r.Event),
		}
	}
	allow := button("Allow replies again", AllowReplies)
	allow.Visible = v.RepliesStopped
	return Item{
		Label: "Replies", State: "Replies", Enabled: true, Children: append(kids, allow),
		Visible: len(v.Replies) > 0 || v.RepliesStopped,
	}
}

// came are the words for what came of a reply.
var came = map[monitor.ReplyEvent]string{
	monitor.ReplyAbout: "Perhaps sent", monitor.ReplySent: "Sent", monitor.ReplyTried: "Dry run",
	monitor.ReplyFailed: "Failed", monitor.ReplySkipped: "Not sent",
}

func replyLabel(r monitor.ReplyRow, now time.Time) string {
	label := came[r.Event] + " at " + clock(r.At, now) + ": " + clean(r.Title, textRunes)
	if note := clean(r.Note, troubleRunes); note != "" {
		label += " (" + note + ")"
	}
	return label
}
