package tray

import (
	"strconv"
	"time"

	"notifio.app/notifio/assets"
	"notifio.app/notifio/monitor"
)

// Verb is what a click on a menu item asks for.
type Verb string

// The verbs. Those with an argument have it in Action.Arg.
const (
	Nothing       Verb = ""
	CheckNow      Verb = "check now"
	Pause         Verb = "pause"
	PauseHour     Verb = "pause for an hour"
	PauseTomorrow Verb = "pause until tomorrow"
	Resume        Verb = "resume"
	PauseSearch   Verb = "pause search"  // Arg: Row.URL
	ResumeSearch  Verb = "resume search" // Arg: Row.URL
	EditSearches  Verb = "edit searches"
	OpenLog       Verb = "open log"
	Report        Verb = "report"
	TestMail      Verb = "test mail"
	SetUpMail     Verb = "set up mail"
	MarkSeen      Verb = "mark seen"
	Open          Verb = "open"       // Arg: a URL
	SignIn        Verb = "sign in"    // Arg: a host
	SendReply     Verb = "send reply" // Arg: ReplyRow.Key
	SkipReply     Verb = "skip reply" // Arg: ReplyRow.Key
	AllowReplies  Verb = "allow replies"
	StartAtLogin  Verb = "start at login"
	StopAtLogin   Verb = "do not start at login"
	Quit          Verb = "quit"
)

// Action is a verb with its argument.
type Action struct {
	Verb Verb
	Arg  string
}

// Item is one line of the menu.
type Item struct {
	Label     string // cleaned, not yet escaped for a system
	Separator bool   // a line; always visible, without a label
	Visible   bool
	Enabled   bool
	Checkbox  bool // has a mark when it is Checked; never changes
	Checked   bool
	Do        Action
	// State is what the label is about, without its countdown: a change of it is
	// shown at once, a change of the label alone waits for the next step.
	State string
	// Group names the items whose labels only move together, so that what they have
	// in common, like a countdown, never differs; "" moves alone.
	Group    string
	Children []Item
}

// Model is everything that is shown. The number, order and nesting of its items
// are always the same, so that a menu is built once and then only relabelled.
type Model struct {
	Icon    assets.Icon
	Tooltip string // one line, at most 127 UTF-16 units
	Items   []Item
}

// Offer is what Notifio can do at this moment, beyond what the view says.
type Offer struct {
	Mail    bool   // email is set up
	SignIn  bool   // a sign-in window can be opened
	Report  bool   // a report can be made
	Login   bool   // this system can start Notifio at login
	AtLogin bool   // and does
	Version string // for About; may be empty
}

// The pools of items.
const (
	maxTroubles = 3
	maxRecent   = 10
	maxAdopted  = 5
	maxAsks     = 3
	maxReplies  = 10
)

// Menu is what to show of v at the time now, whose zone is the user's.
func Menu(v monitor.View, now time.Time, o Offer) Model {
	items := []Item{{Label: headline(v, now), Visible: true, State: string(v.Phase)}}
	items = append(items, troubles(v.Troubles, o)...)
	items = append(items, separator())
	items = append(items, rows(v, now, o)...)
	items = append(items, separator())
	items = append(items, asks(v, now)...)
	items = append(items, newListings(v, now), replies(v, now))
	items = append(items, control(v)...)
	items = append(items, separator())
	items = append(items, upkeep(o)...)
	items = append(items, atLogin(o), separator(), about(o), button("Quit", Quit))
	return Model{Icon: icon(v), Tooltip: tooltip(v, now), Items: items}
}

func separator() Item { return Item{Separator: true, Visible: true} }

// button is an item that is always there and always works.
func button(label string, verb Verb) Item {
	return Item{Label: label, Visible: true, Enabled: true, Do: Action{Verb: verb}, State: label}
}

// line is an item that only says something.
func line(label string) Item {
	return Item{Label: label, Visible: label != "", State: label}
}

// troubles are one line each, and a click leads to where it can be mended.
func troubles(all []monitor.Trouble, o Offer) []Item {
	items := make([]Item, maxTroubles)
	for i, t := range all {
		if i == maxTroubles {
			break
		}
		label := clean(t.Text, troubleRunes)
		items[i] = Item{Label: label, State: label, Visible: label != "", Enabled: true, Do: Action{Verb: remedy(t, o)}}
	}
	return items
}

func remedy(t monitor.Trouble, o Offer) Verb {
	switch {
	case t.Source == "mail" && !o.Mail:
		return SetUpMail
	case t.Source == "mail", t.Source == "configuration":
		return EditSearches
	}
	return OpenLog
}

// newListings is the submenu of what was found last.
func newListings(v monitor.View, now time.Time) Item {
	kids := make([]Item, maxRecent, maxRecent+1)
	for i, a := range v.Recent {
		if i == maxRecent {
			break
		}
		kids[i] = Item{
			Label: news(a, now), Visible: true, Enabled: a.Listing.URL != "",
			Do: Action{Open, a.Listing.URL}, State: a.ID,
		}
	}
	seen := button("Mark all as seen", MarkSeen)
	seen.Enabled = v.Unseen > 0
	label := "New listings"
	switch {
	case len(v.Recent) == 0:
		label = "No new listings yet"
	case v.Unseen > 0:
		label += " (" + strconv.Itoa(v.Unseen) + ")"
	}
	return Item{Label: label, State: label, Visible: true, Enabled: len(v.Recent) > 0, Children: append(kids, seen)}
}

// control are the items that steer the loop.
func control(v monitor.View) []Item {
	paused := v.Phase == monitor.Paused
	check := button("Check now", CheckNow)
	check.Enabled = v.Phase == monitor.Watching || v.Phase == monitor.Replying || v.Phase == monitor.Offline
	pause, pauseFor, resume := button("Pause", Pause), button("Pause for", Nothing), button("Resume", Resume)
	pause.Visible, pauseFor.Visible, resume.Visible = !paused, !paused, paused
	pauseFor.Children = []Item{button("1 hour", PauseHour), button("Until tomorrow, 7:00", PauseTomorrow)}
	return []Item{check, pause, pauseFor, resume}
}

// tomorrow is when a pause until tomorrow ends: seven in the morning of the next
// calendar day, where now is.
func tomorrow(now time.Time) time.Time {
	y, m, d := now.Date()
	return time.Date(y, m, d+1, 7, 0, 0, 0, now.Location())
}

// upkeep are the items that open files and try the mail.
func upkeep(o Offer) []Item {
	report := button("Report…", Report)
	report.Visible = o.Report
	setUp, test := button("Set up email…", SetUpMail), button("Send a test email", TestMail)
	setUp.Visible, test.Visible = !o.Mail, o.Mail
	return []Item{button("Edit searches…", EditSearches), button("Activity log…", OpenLog), report, setUp, test}
}

// atLogin shows what the system will do, and a click asks for the opposite.
func atLogin(o Offer) Item {
	it := button("Start at login", StartAtLogin)
	it.Checkbox, it.Checked, it.Visible = true, o.AtLogin, o.Login
	if o.AtLogin {
		it.Do.Verb = StopAtLogin
	}
	return it
}

func about(o Offer) Item {
	name := joinNonEmpty(" ", "Notifio", clean(o.Version, nameRunes))
	return Item{Label: "About", State: "About", Visible: true, Enabled: true, Children: []Item{
		line(name), line("Tells you about new listings within the minute"),
	}}
}

// icon is the state in one picture. News comes first and stays until it is seen;
// a pause is the user's wish and hides what would be trouble without it.
func icon(v monitor.View) assets.Icon {
	switch {
	case v.Unseen > 0:
		return assets.IconNews
	case v.Phase == monitor.Paused, allPaused(v.Rows):
		return assets.IconPaused
	case v.Phase == monitor.Offline, len(v.Troubles) > 0, ailing(v.Rows) > 0:
		return assets.IconTrouble
	case v.Phase == monitor.Checking:
		return assets.IconChecking
	}
	return assets.IconWatching
}

// ailing counts the searches in trouble that lasts. A failure without a wait is
// the first one, which is forgotten when the next check is clean.
func ailing(rows []monitor.Row) int {
	n := 0
	for _, r := range rows {
		if waits(r.State) && (r.State != monitor.RowFailed || !r.RetryAt.IsZero()) {
			n++
		}
	}
	return n
}

// tooltip says the same as icon and header, in one line.
func tooltip(v monitor.View, now time.Time) string {
	parts := []string{headline(v, now)}
	if v.Unseen > 0 {
		parts = append(parts, strconv.Itoa(v.Unseen)+" new")
	}
	if len(v.Troubles) > 0 {
		parts = append(parts, clean(v.Troubles[0].Text, textRunes))
	} else if n := ailing(v.Rows); n > 0 {
		parts = append(parts, count(n, "search", "searches")+" in trouble")
	}
	return fitTooltip("Notifio: "+joinNonEmpty(" · ", parts...), "")
}
