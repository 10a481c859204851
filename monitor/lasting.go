package monitor

import (
	"maps"
	"slices"
	"time"
)

// worry is something that is wrong now. Most of what goes wrong is over soon and is
// left to the menu; what lasts has one banner, and then one when it is over, however
// often its cause is seen meanwhile.
type worry struct {
	since time.Time // on the wall
	told  bool      // by a banner
	wrote bool      // by email
	concern
}

// concern is what is wrong, in words.
type concern struct {
	begun func(since time.Time) Banner
	over  Banner
	host  string // whose it is; "" for a trouble of Notifio's own
	url   string // of the search whose it is alone

	atOnce bool // the user can end it, so it matters at once
	noMail bool // the banner is enough, or no email would get through
}

// watchTroubles shows a banner for what has lasted, sends an email for what lasts
// on, and both for the end of what was told, and says whether there was any. A pause and a
// sign-in window are no reason: then nothing is known of the sites; nor is it without a
// network, which is the one trouble then.
func (m *Monitor) watchTroubles(now time.Time) bool {
	if m.paused || m.signing != nil {
		return false
	}
	changed := false
	wrong := m.concerns()
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		w := m.worries[key]
		if w == nil {
			w = &worry{since: now}
			m.worries[key] = w
		}
		w.concern = wrong[key]
		if !w.told && (w.atOnce || now.Sub(w.since) >= m.timing.Lasting) {
			w.told, changed = true, true
			m.notice(w.begun(w.since))
		}
		if !w.wrote && !w.noMail && now.Sub(w.since) >= m.timing.LastingMail {
			w.wrote, changed = true, true
			m.write(w.begun(w.since))
		}
	}
	for _, key := range slices.Sorted(maps.Keys(m.worries)) {
		w := m.worries[key]
		if _, still := wrong[key]; still || m.offline && key != offlineKey {
			continue
		}
		if m.cycle != nil && w.host != "" {
			continue // a probe was served, and the next search may be refused in a moment
		}
		if w.told && m.looksAt(w.concern) {
			changed = true
			m.notice(w.over)
			if w.wrote {
				m.write(w.over)
			}
		}
		delete(m.worries, key)
	}
	return changed
}

// looksAt says whether it is known that the concern is over: what the user has
// paused, disabled or deleted has not become better.
func (m *Monitor) looksAt(c concern) bool {
	return c.host == "" || slices.ContainsFunc(m.watches, func(w *watch) bool {
		return m.watched(w) && w.search.Host() == c.host && (c.url == "" || w.search.URL == c.url && !w.signedOut)
	})
}

func (m *Monitor) watched(w *watch) bool { return w.search.Enabled && !m.pausedSearch(w) }

const offlineKey = "offline"

// concerns are all that is wrong now: no network, and nothing else then; or troubles,
// hosts that are being left alone or where the user is signed out, and searches that
// cannot be read though their host answers.
func (m *Monitor) concerns() map[string]concern {
	if m.offline {
		return map[string]concern{offlineKey: {
			noMail: true,
			begun: func(since time.Time) Banner {
				return Banner{Title: "No network since " + clock(since), Body: "Searches are checked as soon as it is back."}
			},
			over: Banner{Title: "Online again", Body: "Searches are checked as before."},
		}}
	}
	all := map[string]concern{}
	for _, t := range m.troubles {
		b := Banner{Title: heading(t.Source), Body: t.Text}
		all[t.Source] = concern{begun: func(time.Time) Banner { return b }, over: Banner{Title: Ended(t.Source)}, noMail: t.Source == "mail"}
	}
	for _, w := range m.watches {
		if !m.watched(w) {
			continue
		}
		if h := m.host(w.search.Host()); h.rec.Held() {
			all["host "+h.rec.Host] = hostConcern(h.rec, w.search.URL)
		}
		key := "signed out " + w.search.Host()
		if _, said := all[key]; w.signedOut && !said {
			all[key] = signedOutConcern(w)
		}
		key = "search " + w.search.URL
		switch {
		case w.alone, w.refused && m.worries[key] != nil: // still, though the host is held for it now
			all[key] = aloneConcern(w)
		case w.failed >= troubleLimit, w.strayed >= troubleLimit:
			all[key] = searchConcern(w)
		}
	}
	return all
}

func hostConcern(rec HostRecord, url string) concern {
	what := " has not answered since "
	if rec.Ladder == RefusalLadder {
		what = " has refused Notifio since "
	}
	return concern{
		host: rec.Host,
		begun: func(since time.Time) Banner {
			return Banner{Title: rec.Host + what + clock(since), URL: url,
				Body: "It is tried again at " + clock(rec.RetryAt) + ", and you need do nothing."}
		},
		over: Banner{Title: rec.Host + " answers again", Body: "Its searches are checked as before."},
	}
}

func searchConcern(w *watch) concern {
	name, url, text := w.search.Name, w.search.URL, w.row.Text
	return concern{
		host: w.search.Host(), url: url,
		begun: func(since time.Time) Banner {
			return Banner{Title: name + " cannot be read since " + clock(since), Body: text, URL: url}
		},
		over: Banner{Title: name + " can be read again", Body: "It is checked as before."},
	}
}

func signedOutConcern(w *watch) concern {
	name, url, host := w.search.Name, w.search.URL, w.search.Host()
	return concern{
		host: host, url: url, atOnce: true, noMail: true,
		begun: func(time.Time) Banner {
			return Banner{Title: "Signed out of " + host, Body: "Sign in again so that Notifio can go on watching " + name + ".", URL: url}
		},
		over: Banner{Title: "Signed in to " + host + " again", Body: "Its searches are checked as before."},
	}
}

func aloneConcern(w *watch) concern {
	name, url, host := w.search.Name, w.search.URL, w.search.Host()
	again := w.pace.RetryAt
	return concern{
		host: host, url: url,
		begun: func(since time.Time) Banner {
			return Banner{Title: host + " has refused " + name + " since " + clock(since), URL: url,
				Body: "Other searches there are served. It is tried again at " + clock(again) + "; if it stays like that, save its address anew."}
		},
		over: Banner{Title: host + " serves " + name + " again", Body: "It is checked as before."},
	}
}

// toldOf notes that a trouble has had its banner already.
func (m *Monitor) toldOf(source string, since time.Time) {
	m.worries[source] = &worry{since: since, told: true, concern: concern{over: Banner{Title: Ended(source)}}}
}
