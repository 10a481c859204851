package monitor_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Pages that are called newest-first and are not.

const mixedUp = "P: is its page sorted by newest?"

// shows lets a page of 160 results show these homes in this order, for one check.
func (w *world) shows(ns []int, edit ...func([]monitor.Listing)) {
	w.t.Helper()
	ls := homes(ns...)
	for _, e := range edit {
		e(ls)
	}
	w.portal.set(urlP, of(160, results(ls...)))
	w.untilAsked()
}

// between puts a home into the middle of a page.
func between(page []int, n int) []int { return slices.Insert(slices.Clone(page), len(page)/2, n) }

func TestPageThatIsNotNewestFirstIsNamedOnce(t *testing.T) {
	for name, says := range map[string]func(*monitor.Search){
		"take newest_first out": newestFirst,
		"newest_first = false":  func(*monitor.Search) {},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP, says)
				page := ids(1, 20)
				byDefinition := func(ls []monitor.Listing) {
					p := of(160, results(ls...))
					p.NewestFirst = true
					w.portal.set(urlP, p)
				}
				show := func(ns []int) {
					byDefinition(homes(ns...))
					w.untilAsked()
				}
				byDefinition(homes(page...))
				w.start()
				w.cycles(2)
				var said []string
				for n := 101; n <= 110; n++ {
					page = between(page, n)
					show(page)
					for _, title := range w.desk.take() {
						if title == mixedUp {
							said = append(said, strconv.Itoa(n))
						}
					}
					if n == 104 {
						w.restart()
						w.cycle()
					}
				}
				if !slices.Equal(said, []string{"103"}) {
					t.Errorf("named at %q, want once, at the third", said)
				}
				w.logged(name)
				w.logged("sort it by newest")
			})
		})
	}
}

func TestPageThatIsNewestFirstIsLeftInPeace(t *testing.T) {
	top := func(page []int, n int) []int { return append([]int{n}, page...) }
	for name, story := range map[string]func(w *world, page []int) []int{
		"on top": func(w *world, page []int) []int {
			for n := 101; n <= 106; n++ {
				page = top(page, n)
				w.shows(page)
			}
			return page
		},
		"now and then in the middle": func(w *world, page []int) []int {
			for n := 101; n <= 109; n++ {
				if n%3 == 0 {
					page = top(page, n)
				} else {
					page = between(page, n)
				}
				w.shows(page)
			}
			return page
		},
		"moved up at the end": func(w *world, page []int) []int {
			for n := 101; n <= 106; n++ {
				page = append(slices.Clone(page[1:]), n)
				w.shows(page)
			}
			return page
		},
		"older ones that come back to their place": func(w *world, page []int) []int {
			for n := 101; n <= 106; n++ {
				page = between(page, n)
				w.shows(page, func(ls []monitor.Listing) {
					for i := range ls {
						if ls[i].ID == strconv.Itoa(n) {
							ls[i].Published = w.wall().Add(-48 * time.Hour)
						}
					}
				})
			}
			return page
		},
		"known ones that are pushed to the top": func(w *world, page []int) []int {
			for n := 101; n <= 106; n++ {
				last := page[len(page)-1]
				page = append([]int{last, n}, page[:len(page)-1]...)
				w.shows(page)
			}
			return page
		},
		"paid cards that are ordinary now": func(w *world, page []int) []int {
			for n := 101; n <= 106; n++ {
				paid := func(ls []monitor.Listing) { ls[0].Promoted = true }
				w.shows(top(page, n), paid)
				page = between(page, n)
				w.shows(page)
			}
			return page
		},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP, newestFirst)
				page := ids(1, 20)
				w.portal.set(urlP, of(160, results(homes(page...)...)))
				w.start()
				w.cycles(2)
				page = story(w, page)
				if slices.Contains(w.desk.take(), mixedUp) {
					t.Fatal("named")
				}
				for n := 201; n <= 203; n++ { // and would be
					page = between(page, n)
					w.shows(page)
				}
				if !slices.Contains(w.desk.take(), mixedUp) {
					t.Error("not named when it should be")
				}
			})
		})
	}
}

// Nobody has said that this page is newest-first.
func TestPageOfNoKnownOrderIsLeftInPeace(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		page := ids(1, 20)
		w.portal.set(urlP, of(160, results(homes(page...)...)))
		w.start()
		w.cycles(2)
		for n := 101; n <= 106; n++ {
			page = between(page, n)
			w.shows(page)
		}
		if slices.Contains(w.desk.take(), mixedUp) || strings.Contains(w.row("P").Note, "newest") {
			t.Error("named")
		}
	})
}
