package monitor

import (
	"maps"
	"slices"
	"time"
)

// incident is something that is wrong, from its beginning to its end. Most of what goes
// wrong is over soon and is left to the menu; what lasts has one banner, one email when it
// lasts on, and the same at its end, however often its cause is seen meanwhile.
type incident struct {
	since         time.Time // on the wall
	shown, mailed bool

	what, text, url string
	undated         bool // what is said without since when
	over, after     string

	host   string // whose it is; "" for a trouble of Notifio's own
	search string // address of the one whose it is alone
	atOnce bool   // the user can end it, so it matters at once
	noMail bool   // the banner is enough, or no email would get through
}

func (i incident) beginning() Banner {
	b := Banner{Title: i.what, Body: i.text, URL: i.url}
	if !i.undated {
		b.Title += " since " + clock(i.since)
	}
	return b
}

func (i incident) end() Banner { return Banner{Title: i.over, Body: i.after} }

// watchIncidents tells of what has lasted and of the end of what was told, and says
// whether there was any. A pause and a sign-in window are no reason: then nothing is known
// of the sites; nor is it without a network, which is the one trouble then.
func (m *Monitor) watchIncidents(now time.Time) (told bool) {
	if m.paused || m.signing != nil {
		return false
	}
	wrong := m.wrong()
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		i := wrong[key]
		i.since = now
		if was, known := m.incidents[key]; known {
			i.since, i.shown, i.mailed = was.since, was.shown, was.mailed
		}
		lasted := now.Sub(i.since)
		if !i.shown && (i.atOnce || lasted >= m.timing.Lasting) {
			i.shown, told = true, true
			m.notice(i.beginning())
		}
		if !i.mailed && !i.noMail && lasted >= m.timing.LastingMail {
			i.mailed, told = true, true
			m.write(i.beginning())
		}
		m.incidents[key] = i
	}
	for _, key := range slices.Sorted(maps.Keys(m.incidents)) {
		i := m.incidents[key]
		_, still := wrong[key]
		switch {
		case still, m.offline && key != offlineKey:
			continue
		case m.cycle != nil && i.host != "":
			continue // a probe was served, and the next search may be refused in a moment
		}
		delete(m.incidents, key)
		if !i.shown || !m.looksAt(i) {
			continue
		}
		told = true
		m.notice(i.end())
		if i.mailed {
			m.write(i.end())
		}
	}
	return told
}

// looksAt says whether it is known that an incident is over: what the user has
// paused, disabled or deleted has not become better.
func (m *Monitor) looksAt(i incident) bool {
	return i.host == "" || slices.ContainsFunc(m.watches, func(w *watch) bool {
		return m.watched(w) && w.search.Host() == i.host && (i.search == "" || w.search.URL == i.search && !w.signedOut)
	})
}

func (m *Monitor) watched(w *watch) bool { return w.search.Enabled && !m.pausedSearch(w) }

const offlineKey = "offline"

// wrong is all that is wrong now: no network, and nothing else then; or troubles, hosts
// that are being left alone or where the user is signed out, and searches that cannot be
// read though their host answers.
func (m *Monitor) wrong() map[string]incident {
	if m.offline {
		return map[string]incident{offlineKey: {
			what: "No network", text: "Searches are checked as soon as it is back.", noMail: true,
			over: "Online again", after: "Searches are checked as before.",
		}}
	}
	all := map[string]incident{}
	for _, t := range m.troubles {
		all[t.Source] = incident{what: heading(t.Source), text: t.Text, undated: true, noMail: t.Source == "mail", over: Ended(t.Source)}
	}
	for _, w := range m.watches {
		if !m.watched(w) {
			continue
		}
		name, url, h := w.search.Name, w.search.URL, m.host(w.search.Host())
		host := h.rec.Host
		if h.rec.Held() {
			does := " has not answered"
			if h.rec.Ladder == RefusalLadder {
				does = " has refused Notifio"
			}
			all["host "+host] = incident{
				host: host, url: url, what: host + does,
				text: "It is tried again at " + clock(h.rec.RetryAt) + ", and you need do nothing.",
				over: host + " answers again", after: "Its searches are checked as before.",
			}
		}
		if _, said := all["signed out "+host]; w.signedOut && !said {
			all["signed out "+host] = incident{
				host: host, search: url, url: url, atOnce: true, noMail: true, undated: true,
				what: "Signed out of " + host, text: "Sign in again so that Notifio can go on watching " + name + ".",
				over: "Signed in to " + host + " again", after: "Its searches are checked as before.",
			}
		}
		own := incident{host: host, search: url, url: url, after: "It is checked as before."}
		_, known := m.incidents["search "+url]
		switch {
		case w.alone, w.refused && known: // still, though the host is held for it now
			own.what, own.over = host+" has refused "+name, host+" serves "+name+" again"
			own.text = "Other searches there are served. It is tried again at " + clock(w.pace.RetryAt) + "; if it stays like that, save its address anew."
		case w.failed >= troubleLimit, w.strayed >= troubleLimit:
			own.what, own.over, own.text = name+" cannot be read", name+" can be read again", w.row.Text
		default:
			continue
		}
		all["search "+url] = own
	}
	return all
}
