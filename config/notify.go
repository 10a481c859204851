package config

import (
	"time"
	_ "time/tzdata" // Windows has no zones of its own by these names
)

func (c *checker) notify(doc map[string]any) Notify {
	t := c.single(doc, "notify")
	n := Notify{Banner: t.flag("banner", true)}
	n.Quiet.Zone = time.Local
	if s, given := t.text("quiet_zone"); given {
		n.Quiet.Zone = t.zone(s)
	}
	from, hasFrom := t.clock("quiet_from")
	to, hasTo := t.clock("quiet_to")
	switch {
	case hasFrom && hasTo && from == to:
		t.wrongAt("quiet_to", "quiet_from and quiet_to are the same: write two different times, or remove both for no quiet hours")
	case hasFrom && hasTo:
		n.Quiet.From, n.Quiet.To = from, to
	case hasFrom && !t.has("quiet_to"):
		t.alone("quiet_from", "quiet_to")
	case hasTo && !t.has("quiet_from"):
		t.alone("quiet_to", "quiet_from")
	case t.has("quiet_zone") && !t.has("quiet_from") && !t.has("quiet_to"):
		t.warn(t.line("quiet_zone"), "%s quiet_zone does nothing without quiet_from and quiet_to", t.label)
	}
	return n
}

func (t table) alone(key, other string) {
	if !t.partial {
		t.wrongAt(key, "%s stands alone: write %s as well, like %s", key, other, tables["notify"][other])
	}
}

// clock is a time of day, in minutes after midnight.
func (t table) clock(key string) (int, bool) {
	s, given := t.text(key)
	if !given {
		return 0, false
	}
	at, err := time.Parse("15:04", s)
	if err != nil {
		t.wrongAt(key, "%s %s is not a time of day: write it like %s", key, quote(s), tables["notify"][key])
		return 0, false
	}
	return at.Hour()*60 + at.Minute(), true
}

// zone takes the names of the IANA database, which know summer time, and "Local".
func (t table) zone(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "" {
		t.wrongAt("quiet_zone", "quiet_zone %s is not a time zone: write it like %s, or remove the line for this machine's own", quote(name), tables["notify"]["quiet_zone"])
		return time.Local
	}
	return zone
}

// told warns where less is told than most people want, so that nobody waits for an
// email that was switched off long ago.
func (c *checker) told(conf Config) {
	if conf.Mail == nil || !conf.Mail.HasFolder || conf.Mail.Folder != "" {
		return
	}
	line := c.lines[path("").key("mail").key("folder")]
	if conf.Notify.Banner {
		c.warn(line, "[mail] folder is empty, so a new listing is told by a banner and in the menu, and by no email: remove the line to keep emails on this machine")
		return
	}
	c.warn(line, "[mail] folder is empty and [notify] banner is false, so only the menu tells of a new listing: remove one of them")
}
