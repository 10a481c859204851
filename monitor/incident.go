package monitor

import (
	"maps"
	"regexp"
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

// incidents are all that are open, and the troubles of Notifio's own among them.
type incidents struct {
	*common
	open     map[string]incident // by what is wrong
	troubles []Trouble
}

// watch tells of what has lasted and of the end of what was told, and says whether there
// was any. ended says whether an incident that is wrong no more is over, and whether that
// is worth telling.
func (in *incidents) watch(wrong map[string]incident, ended func(key string, i incident) (over, worth bool)) (told bool) {
	now := in.now()
	for _, key := range slices.Sorted(maps.Keys(wrong)) {
		i := wrong[key]
		i.since = now
		if was, known := in.open[key]; known {
			i.since, i.shown, i.mailed = was.since, was.shown, was.mailed
		}
		lasted := now.Sub(i.since)
		if !i.shown && (i.atOnce || lasted >= in.timing.Lasting) {
			i.shown, told = true, true
			in.notice(i.beginning())
		}
		if !i.mailed && !i.noMail && lasted >= in.timing.LastingMail {
			i.mailed, told = true, true
			in.write(i.beginning())
		}
		in.open[key] = i
	}
	for _, key := range slices.Sorted(maps.Keys(in.open)) {
		if _, still := wrong[key]; still {
			continue
		}
		i := in.open[key]
		over, worth := ended(key, i)
		if !over {
			continue
		}
		delete(in.open, key)
		if !i.shown || !worth {
			continue
		}
		told = true
		in.notice(i.end())
		if i.mailed {
			in.write(i.end())
		}
	}
	return told
}

// report begins, changes or ends a trouble. It is logged when it begins and when
// it ends; loudly means with a banner at its beginning, while others have one only
// when they last. A download that gets on is the same trouble still; another mistake
// in the configuration is another one.
func (in *incidents) report(source, text string, loudly bool) {
	i := slices.IndexFunc(in.troubles, func(t Trouble) bool { return t.Source == source })
	switch {
	case text == "" && i < 0:
	case text == "":
		in.log.Info(Ended(source))
		in.troubles = slices.Delete(slices.Clone(in.troubles), i, i+1)
	case i >= 0 && in.troubles[i].Text == text:
	default:
		t, before := Trouble{Source: source, Text: text, Since: in.now()}, ""
		if i >= 0 {
			t.Since, before = in.troubles[i].Since, in.troubles[i].Text
			in.troubles = slices.Delete(slices.Clone(in.troubles), i, i+1)
		}
		in.troubles = append(in.troubles, t)
		if source != "browser" || i < 0 || worthALine(before, text) {
			in.log.Warn(text, "trouble", source)
		}
		if loudly && (i < 0 || source == "configuration") {
			in.notice(Banner{Title: heading(source), Body: text})
			in.open[source] = incident{since: t.Since, shown: true, over: Ended(source)}
		}
	}
}

var (
	figures = regexp.MustCompile(`\d+`)
	percent = regexp.MustCompile(`(\d*)\d %`)
)

// worthALine says whether a trouble has become another one, or has come a good way
// further: a download tells each per cent, or each few seconds, and the log is to have
// one line for each tenth of it.
func worthALine(before, after string) bool {
	if figures.ReplaceAllString(before, "") != figures.ReplaceAllString(after, "") {
		return true
	}
	was, is := percent.FindStringSubmatch(before), percent.FindStringSubmatch(after)
	return was != nil && is != nil && was[1] != is[1]
}

// watchIncidents keeps the incidents up to date. A pause and a sign-in window are no reason
// to: then nothing is known of the sites; nor is it without a network, which is the one
// trouble then. What the user has paused, disabled or deleted has not become better.
func (m *Monitor) watchIncidents() (told bool) {
	if m.paused || m.signing != nil {
		return false
	}
	return m.incidents.watch(m.wrong(), func(key string, i incident) (over, worth bool) {
		if m.offline && key != offlineKey || m.cycle != nil && i.host != "" {
			return false, false // a probe was served, and the next search may be refused in a moment
		}
		return true, i.host == "" || slices.ContainsFunc(m.watches, func(w *watch) bool {
			return m.watched(w) && w.search.Host() == i.host && (i.search == "" || w.search.URL == i.search && !w.signedOut)
		})
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
	for _, t := range m.incidents.troubles {
		all[t.Source] = incident{what: heading(t.Source), text: t.Text, undated: true, noMail: t.Source == "mail", over: Ended(t.Source)}
	}
	for _, w := range m.watches {
		if !m.watched(w) {
			continue
		}
		name, url, h := w.search.Name, w.search.URL, m.book.host(w.search.Host())
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
		_, known := m.incidents.open["search "+url]
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
