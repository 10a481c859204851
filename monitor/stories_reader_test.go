package monitor_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

// Stories 35, 40 to 42 and 47: what is asked of the reader, of cards that say more
// than a price, and of addresses.

// heard is what the emails since the last call tell, each as "kind id" and its mark.
func (w *world) heard() []string {
	var all []string
	for _, l := range w.inbox.take() {
		for _, a := range l.Alerts {
			all = append(all, strings.TrimSpace(fmt.Sprintf("%s %s %s", a.Kind, a.Listing.ID, a.Doubt)))
		}
	}
	slices.Sort(all)
	return all
}

func (w *world) hears(want ...string) {
	w.t.Helper()
	slices.Sort(want)
	if got := w.heard(); !slices.Equal(got, want) {
		w.t.Fatalf("told %q, want %q\n%s", got, want, w.lines.tail())
	}
}

// readBy is a page as a version of the reader has read it.
func readBy(version string, p monitor.Page) monitor.Page { p.Reader = version; return p }

// changed is home n with something about it that is not ordinary.
func changed(n int, edit func(*monitor.Listing)) monitor.Listing {
	l := home(n)
	edit(&l)
	return l
}

func words(text string) func(*monitor.Listing) {
	return func(l *monitor.Listing) { l.Text = l.Title + "\n" + l.Address + "\n" + text }
}

func let(l *monitor.Listing) { l.Let = true }

func requires(word string) func(*monitor.Search) {
	return func(s *monitor.Search) { s.Filter.Require = []string{word} }
}

func excludes(word string) func(*monitor.Search) {
	return func(s *monitor.Search) { s.Filter.Exclude = []string{word} }
}

// beforeUpdate starts P on 25 homes as the first round read them: six under other
// addresses, and two with a deposit, beyond the limit, for the rent.
func beforeUpdate(w *world, edit ...func(*monitor.Search)) (old, now []monitor.Listing) {
	w.search("P", urlP, append(edit, maxPrice(2000))...)
	for n := 1; n <= 25; n++ {
		l := changed(n, words("Balcony"))
		was := home(n)
		if n <= 6 {
			was.Key, was.Canonical = fmt.Sprintf("site.example/x?home=%d", n), fmt.Sprintf("site.example/x?home=%d", n)
			l.Aliases = []string{was.Canonical}
		}
		if n == 7 || n == 8 {
			was.Price.Amount = 3000
		}
		old, now = append(old, was), append(now, l)
	}
	w.portal.set(urlP, results(old...))
	w.start()
	w.cycles(2)
	w.restart()
	return old, now
}

func TestStory35TheUpdate(t *testing.T) {
	t.Run("eight cards more, and one that is new", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			_, now := beforeUpdate(w)
			for n := 26; n <= 33; n++ {
				now = append(now, changed(n, words("Balcony")))
			}
			now = append([]monitor.Listing{home(50)}, now...)
			w.portal.set(urlP, readBy("2", results(now...)))
			w.cycle()
			want := []string{"new 50 perhaps not new"}
			for n := 26; n <= 33; n++ {
				want = append(want, fmt.Sprintf("new %d perhaps not new", n))
			}
			w.hears(want...)

			now[1].Price.Amount *= 0.9 // number 1, which had another address
			w.portal.set(urlP, readBy("2", results(append([]monitor.Listing{home(51)}, now...)...)))
			w.cycle()
			w.hears("new 51", "price drop 1")
		})
	})
	t.Run("twelve cards more are known and named", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			_, now := beforeUpdate(w)
			w.portal.set(urlP, readBy("2", results(append(now, homes(ids(26, 37)...)...)...)))
			w.cycles(2)
			w.hears()
			w.logged("known without an alert: Home 37")
		})
	})
	t.Run("words that only the new version reads let nothing through", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			_, now := beforeUpdate(w, requires("balcony"))
			w.portal.set(urlP, readBy("2", results(now...)))
			w.cycle()
			w.hears()
			w.portal.set(urlP, readBy("2", results(append(now, home(26), changed(27, words("Balcony")))...)))
			w.cycle()
			w.hears("new 27")
		})
	})
	t.Run("a home of before that was away for the first check", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			_, now := beforeUpdate(w, requires("balcony"))
			w.portal.set(urlP, readBy("2", results(now[1:]...)))
			w.cycle()
			w.portal.set(urlP, readBy("2", results(now...)))
			w.cycles(2)
			w.hears()
		})
	})
	t.Run("a label that only the old version read", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.portal.set(urlP, readBy("1", results(append(homes(ids(1, 9)...), changed(10, let))...)))
			w.start()
			w.cycles(2)
			w.portal.set(urlP, readBy("2", results(homes(ids(1, 10)...)...)))
			w.cycles(3)
			w.hears()
		})
	})
	t.Run("half of what was read was none of it", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			_, now := beforeUpdate(w)
			w.portal.set(urlP, readBy("2", results(append([]monitor.Listing{home(40)}, now[:8]...)...)))
			w.cycles(2)
			w.hears()
			w.cycle()
			w.hears("new 40 perhaps not new")
		})
	})
}

// The definition of one site changes: its searches alone are read anew.
func TestStory35OneDefinitionChanges(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.portal.set(urlP, readBy("1", results(homes(ids(1, 10)...)...)))
		w.portal.set(urlR, readBy("1", results(homes(ids(101, 110)...)...)))
		w.start()
		w.cycles(2)
		cheaper := func(from, to int) []monitor.Listing { // by 10 %, the last of them
			ls := homes(ids(from, to)...)
			ls[len(ls)-1].Price.Amount *= 0.9
			return ls
		}
		w.portal.set(urlP, readBy("2", results(cheaper(1, 10)...)))
		w.portal.set(urlR, readBy("1", results(cheaper(101, 110)...)))
		w.cycles(2)
		w.hears("price drop 110")
	})
}

func TestStory40LetThenFree(t *testing.T) {
	show := func(w *world, marked ...monitor.Listing) {
		w.portal.set(urlP, results(append(homes(ids(1, 20)...), marked...)...))
	}
	t.Run("it was never told", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			show(w)
			w.start()
			w.cycles(2)
			show(w, changed(21, let))
			w.cycles(2)
			w.hears()
			show(w, home(21))
			w.cycle()
			show(w, changed(21, let)) // it was without its label for a moment
			w.cycle()
			show(w, home(21))
			w.cycle()
			w.hears()
			w.restart()
			w.cycle()
			w.hears("new 21")
			w.cycles(2)
			w.hears()
		})
	})
	t.Run("it was told before", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			show(w)
			w.start()
			w.cycles(2)
			show(w, home(21))
			w.cycle()
			w.hears("new 21")
			show(w, changed(21, func(l *monitor.Listing) { l.Let, l.Price.Amount = true, 900 }))
			w.cycles(2)
			w.hears()
			show(w, home(21))
			w.cycles(2)
			w.hears("back 21")
		})
	})
	t.Run("eight lose the word at once", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			var marked []monitor.Listing
			for n := 21; n <= 28; n++ {
				marked = append(marked, changed(n, let))
			}
			show(w, marked...)
			w.start()
			w.cycles(2)
			show(w, homes(ids(21, 28)...)...)
			w.cycles(3)
			w.hears()
			w.logged("known without an alert: Home 28")
		})
	})
	t.Run("three of eight are free", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			var marked []monitor.Listing
			for n := 21; n <= 28; n++ {
				marked = append(marked, changed(n, let))
			}
			show(w, marked...)
			w.start()
			w.cycles(2)
			for n := 21; n <= 23; n++ {
				marked[n-21] = home(n)
			}
			show(w, marked...)
			w.cycles(2)
			w.hears("new 21", "new 22", "new 23")
		})
	})
	t.Run("its filter still stands against it", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, maxPrice(1200))
			show(w)
			w.start()
			w.cycles(2)
			dear := changed(21, func(l *monitor.Listing) { l.Let, l.Price.Amount = true, 1500 })
			show(w, dear)
			w.cycle()
			dear.Let = false
			show(w, dear)
			w.cycles(3)
			w.hears()
			show(w, home(21))
			w.cycle()
			w.hears("new 21")
		})
	})
}

func TestStory41NothingYet(t *testing.T) {
	nothing := strayed()
	nothing.FinalURL = urlP
	t.Run("the first homes", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.portal.set(urlP, nothing)
			w.start()
			w.cycle()
			w.restart()
			w.show(urlP, 1, 2)
			w.cycle()
			w.hears("new 1 perhaps not new", "new 2 perhaps not new")
			w.show(urlP, 1, 2, 3)
			w.cycle()
			w.hears("new 3")
		})
	})
	t.Run("a page full of them is a baseline", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.portal.set(urlP, nothing)
			w.start()
			w.cycle()
			w.show(urlP, ids(1, 11)...)
			w.cycles(2)
			w.hears()
		})
	})
	t.Run("it was another address", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			elsewhere := nothing
			elsewhere.FinalURL = "https://a.example/"
			w.portal.set(urlP, elsewhere)
			w.start()
			w.cycle()
			w.show(urlP, 1, 2)
			w.cycles(2)
			w.hears()
		})
	})
}

func TestStory42SentElsewhere(t *testing.T) {
	const saved = "https://a.example/p?city=utrecht"
	in(t, func(t *testing.T, w *world) {
		w.search("P", saved)
		w.show(saved, ids(1, 20)...)
		w.start()
		w.cycles(2)
		if got := w.portal.lastAsked(saved).Landed; got != saved {
			t.Errorf("landed %q, want the address of the last accepted page", got)
		}
		w.restart()
		w.cycle()
		if got := w.portal.lastAsked(saved).Landed; got != saved {
			t.Errorf("landed %q after a restart", got)
		}
		w.portal.set(saved, monitor.Page{Verdict: monitor.NotResults, Reason: "sent to a.example/p, without city=utrecht", FinalURL: "https://a.example/p"})
		w.cycle()
		if got := w.row("P").Text; !strings.Contains(got, "without city=utrecht") {
			t.Errorf("the row says %q", got)
		}
		w.show(saved, ids(1, 21)...)
		w.cycle()
		w.hears("new 21")
		if got := w.portal.lastAsked(saved).Landed; got != saved {
			t.Errorf("landed %q after a page that was not accepted", got)
		}
	})
}

// What the site drops from the address at a first check is a baseline all the same, and
// is said once.
func TestStory42DroppedAtTheFirstCheck(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		p := results(homes(ids(1, 20)...)...)
		p.Dropped = []string{"city=utrecht"}
		w.portal.set(urlP, p)
		w.start()
		w.cycle()
		if got := w.row("P").Note; got != "The site dropped city=utrecht from the address" {
			t.Errorf("note %q", got)
		}
		w.cycles(3)
		if got := w.desk.take(); !slices.Equal(got, []string{"P: look whether this is your search"}) {
			t.Errorf("banners %q", got)
		}
		if got := w.portal.lastAsked(urlP).Landed; got != urlP {
			t.Errorf("landed %q", got)
		}
		w.hears()
	})
}

func TestStory47WhatThePageHidesForAMoment(t *testing.T) {
	show := func(w *world, more ...monitor.Listing) {
		w.portal.set(urlP, results(append(homes(ids(1, 10)...), more...)...))
	}
	t.Run("an excluded home without its title", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, excludes("home 21"))
			show(w, changed(21, words("")))
			w.start()
			w.cycles(2)
			show(w, changed(21, func(l *monitor.Listing) { l.Title = "" }))
			w.cycles(3)
			w.hears()
		})
	})
	t.Run("an excluded home without its text", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, excludes("Onder optie"))
			show(w, changed(21, words("onder optie")))
			w.start()
			w.cycles(2)
			show(w, home(21))
			w.cycle()
			show(w, changed(21, words("onder optie")))
			w.cycle()
			w.hears()
			show(w, changed(21, words("")))
			w.cycles(2)
			w.hears("new 21")
		})
	})
	t.Run("a required word a check later", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, requires("balkon"))
			show(w)
			w.start()
			w.cycles(2)
			show(w, home(21))
			w.cycle()
			w.hears()
			show(w, changed(21, words("mit Balkon")))
			w.cycle()
			w.hears("new 21")
			show(w, home(21)) // and away again, with a lower price
			w.cycle()
			show(w, changed(21, func(l *monitor.Listing) { l.Price.Amount = 900 }))
			w.cycle()
			w.hears()
			show(w, changed(21, func(l *monitor.Listing) { words("mit Balkon")(l); l.Price.Amount = 900 }))
			w.cycle()
			w.hears("price drop 21")
		})
	})
	t.Run("an address a check later", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, requires("street 21"))
			show(w)
			w.start()
			w.cycles(2)
			show(w, changed(21, func(l *monitor.Listing) { l.Address = "" }))
			w.cycle()
			w.hears()
			show(w, home(21))
			w.cycle()
			w.hears("new 21")
		})
	})
	t.Run("an address, just when the filter was edited", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, requires("street 21"))
			show(w)
			w.start()
			w.cycles(2)
			show(w, changed(21, func(l *monitor.Listing) { l.Address = "" }))
			w.cycle()
			w.hears()
			show(w, home(21))
			w.edit("P", maxPrice(5000))
			w.cycle()
			w.hears("new 21")
		})
	})
	t.Run("a word that both had, when the filter was edited", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, excludes("onder optie"))
			show(w)
			w.start()
			w.cycles(2)
			show(w, changed(21, words("onder optie, met balkon")))
			w.cycle()
			w.edit("P", func(s *monitor.Search) { s.Filter.Exclude, s.Filter.Require = nil, []string{"balkon"} })
			w.cycles(3)
			w.hears()
		})
	})
	t.Run("it becomes cheap enough, and another search has told it", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, maxPrice(1500))
			w.search("R", urlR)
			show(w)
			w.show(urlR, ids(1, 10)...)
			w.start()
			w.cycles(2)
			show(w, homeAt(21, 1800))
			w.portal.set(urlR, results(append(homes(ids(1, 10)...), homeAt(21, 1800))...))
			w.cycles(2)
			w.hears("new 21")
			w.edit("R", func(s *monitor.Search) { s.Enabled = false })
			show(w, homeAt(21, 1400))
			w.cycle()
			w.hears("price drop 21")
		})
	})
	t.Run("a doubtful price hides nothing and moves nothing", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, maxPrice(1500))
			show(w)
			w.start()
			w.cycles(2)
			doubtful := func(l *monitor.Listing) { l.Price.Amount, l.Price.Unsure = 3000, true }
			show(w, changed(21, doubtful), homeAt(22, 1600))
			w.cycle()
			w.hears("new 21")
			w.portal.set(urlP, results(append(homes(ids(1, 10)...), home(21), changed(22, func(l *monitor.Listing) { l.Price.Amount, l.Price.Unsure = 300, true }))...))
			w.cycle()
			w.hears()
		})
	})
}

// The form of a portal's addresses changes and its long numbers stay.
func TestNewAddressesWithOldNumbersAreKnown(t *testing.T) {
	page := func(form string, ns ...int) []monitor.Listing {
		var ls []monitor.Listing
		for _, n := range ns {
			l := home(n)
			l.ID = fmt.Sprint(88000000 + n)
			l.Canonical = "site.example/" + form + "/" + l.ID
			l.Key, l.URL = l.Canonical, "https://"+l.Canonical
			ls = append(ls, l)
		}
		return ls
	}
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.portal.set(urlP, results(page("a", ids(1, 20)...)...))
		w.start()
		w.cycles(2)
		for round, form := range []string{"b", "c"} {
			news := 21 + round
			moved := page(form, append([]int{news}, ids(1, news-1)...)...)
			w.portal.set(urlP, results(moved...))
			w.cycle()
			w.hears(fmt.Sprintf("new %d", 88000000+news))
			if note := w.row("P").Note; note == "Page changed shape, re-based" {
				t.Errorf("note %q", note)
			}
			w.restart()
			moved[3].Price.Amount *= 0.9
			w.portal.set(urlP, results(moved...))
			w.cycle()
			w.hears("price drop " + moved[3].ID)
		}
		// The old address stands beside the new one: two homes with one number.
		twins := append(page("c", ids(1, 22)...), page("d", 5)...)
		w.portal.set(urlP, results(twins...))
		w.cycle()
		w.hears("new 88000005")
	})
}
