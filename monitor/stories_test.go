package monitor_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// The stories of the design, each under its number and its name.

const (
	urlP = "https://a.example/p"
	urlQ = "https://a.example/q"
	urlR = "https://b.example/r"
)

func TestStory01MailDownPageMovesOn(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.told()
		w.inbox.down()
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.show(urlP, ids(1, 22)...)
		w.cycle()
		w.show(urlP, append(ids(1, 20), 22)...)
		w.cycle()
		w.told()
		w.inbox.up()
		w.pass(time.Hour)
		letters := w.inbox.take()
		if len(letters) != 1 || !slices.Equal(idsOf(letters[0].Alerts), []string{"21", "22"}) {
			t.Fatalf("letters %v", letters)
		}
		for _, a := range letters[0].Alerts {
			if gone := a.Listing.ID == "21"; a.Gone != gone {
				t.Errorf("%s: gone is %v, want %v", a.Listing.ID, a.Gone, gone)
			}
		}
		if got := len(w.desk.take()); got != 2 {
			t.Errorf("%d banners, want one for each listing", got)
		}
		w.pass(24 * time.Hour)
		w.told()
	})
}

func TestStory02SmallPageWithMailDown(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, 1)
		w.start()
		w.cycles(2)
		w.inbox.down()
		for last := 2; last <= 5; last++ {
			w.show(urlP, ids(1, last)...)
			w.cycle()
		}
		w.inbox.up()
		w.pass(time.Hour)
		w.told("2 3 4 5")
	})
}

func TestStory03TwoSearchesOneWithAFilter(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP, maxPrice(1500))
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 20)...)
		w.show(urlQ, ids(1, 20)...)
		w.start()
		w.cycles(2)
		page := results(append(homes(ids(1, 20)...), homeAt(21, 1800))...)
		w.portal.set(urlP, page)
		w.portal.set(urlQ, page)
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 1 {
			t.Fatalf("%d letters", len(letters))
		}
		if got := letters[0].Alerts[0].Searches; !slices.Equal(got, []string{"Q"}) {
			t.Errorf("found by %q", got)
		}
		w.cycles(3)
		w.told()
	})
}

func TestStory04NewSearchThatOverlaps(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.search("Q", urlQ)
		w.show(urlQ, append(ids(1, 5), 21)...)
		w.show(urlP, ids(1, 21)...)
		w.portal.took[urlP] = 10 * time.Second // Q is through before P
		w.settings.Lanes = 1
		w.reload()
		for range 8 { // whichever comes first in the drawn order
			w.cycle()
		}
		w.told("21")
	})
}

func TestStory05BothFindIt(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 20)...)
		w.show(urlQ, ids(5, 25)...)
		w.start()
		w.cycles(2)
		w.show(urlP, append(ids(1, 20), 30)...)
		w.show(urlQ, append(ids(5, 25), 30)...)
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 1 {
			t.Fatalf("%d letters", len(letters))
		}
		names := slices.Sorted(slices.Values(letters[0].Alerts[0].Searches))
		if !slices.Equal(names, []string{"P", "Q"}) {
			t.Errorf("names %q", names)
		}
		w.show(urlP, append(ids(1, 20), 30, 31)...)
		w.cycle()
		w.told("31")
		w.pass(10 * time.Minute)
		w.show(urlQ, append(ids(5, 25), 30, 31)...)
		w.cycles(2)
		w.told()
	})
}

func TestStory06SomebodyElsesHomeIsLet(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		page := func(ns ...int) monitor.Page {
			p := of(160, results(homes(ns...)...))
			p.NewestFirst = true
			return p
		}
		w.portal.set(urlP, page(ids(1, 25)...))
		w.start()
		w.cycles(2)
		next := append([]int{200}, ids(1, 6)...)
		next = append(next, ids(9, 26)...)
		w.portal.set(urlP, page(next...))
		w.cycle()
		w.told("200")
		w.logged("known without an alert: Home 26")
		if adopted := w.row("P").Adopted; len(adopted) != 1 || adopted[0].ID != "26" {
			t.Errorf("adopted %v", adopted)
		}
	})
}

func TestStory07WithoutKnowingTheOrder(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.portal.set(urlP, of(160, results(homes(ids(1, 25)...)...)))
		w.start()
		w.cycles(2)
		next := append([]int{200}, ids(1, 6)...)
		w.portal.set(urlP, of(160, results(homes(append(next, ids(9, 26)...)...)...)))
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 2 {
			t.Fatalf("letters %v", letters)
		}
		for _, a := range letters[0].Alerts {
			want := ""
			if a.Listing.ID == "26" {
				want = "at the end of the page, perhaps not new"
			}
			if a.Doubt != want {
				t.Errorf("%s is marked %q, want %q", a.Listing.ID, a.Doubt, want)
			}
		}
	})
}

func TestStory08FourteenDaysOnPageTwo(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.hourly()
		w.search("P", urlP)
		w.search("Q", urlR)
		first := of(160, results(homes(ids(1, 25)...)...))
		w.portal.set(urlP, first)
		w.portal.set(urlR, of(8, results(homes(ids(101, 108)...)...)))
		w.start()
		w.cycles(2)
		w.portal.set(urlP, of(160, results(homes(append(ids(1, 11), ids(13, 25)...)...)...)))
		w.portal.set(urlR, of(7, results(homes(ids(101, 107)...)...)))
		w.pass(15*24*time.Hour + time.Hour)
		w.portal.set(urlR, of(8, results(homes(ids(101, 108)...)...)))
		w.pass(5 * 24 * time.Hour)
		w.portal.set(urlP, first)
		w.cycles(2)
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 1 {
			t.Fatalf("letters %v", letters)
		}
		if a := letters[0].Alerts[0]; a.Kind != monitor.Back || a.Listing.ID != "108" {
			t.Errorf("told %s %s", a.Kind, a.Listing.ID)
		}
	})
}

// hourly makes a story of weeks affordable: one check an hour, no others.
func (w *world) hourly() {
	w.settings.Interval, w.settings.Jitter = time.Hour, time.Minute
	w.timing.Gap, w.timing.Provisional = 3*time.Hour, 2*time.Hour
	w.timing.Pulse = 10 * time.Minute
	w.timing.Asleep = 20 * time.Minute
}

func TestStory09DisabledForAHoliday(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.hourly()
		w.search("P", urlP)
		w.search("Q", urlR)
		w.show(urlP, ids(1, 20)...)
		w.show(urlR, ids(101, 120)...)
		w.start()
		w.cycles(2)
		w.edit("P", func(s *monitor.Search) { s.Enabled = false })
		w.pass(20 * 24 * time.Hour)
		w.show(urlP, ids(11, 25)...)
		w.edit("P", func(s *monitor.Search) { s.Enabled = true })
		w.cycle()
		if note := w.row("P").Note; note != "Baseline saved" {
			t.Errorf("note %q", note)
		}
		w.told()
		w.show(urlP, ids(11, 26)...)
		w.cycle()
		w.told("26")
	})
}

func TestStory10HalfLoadedFirstCheck(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 5)...)
		w.start()
		w.cycle()
		w.show(urlP, ids(1, 20)...)
		w.cycle()
		w.told()
		if got := len(w.row("P").Adopted); got != 15 {
			t.Errorf("%d adopted, want 15", got)
		}
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.told("21")
	})
}

func TestStory11HalfLoadedPageSettled(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("Funda", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.show(urlP, ids(1, 5)...)
		w.cycle()
		if got := w.row("Funda").Text; got != "page looked half-loaded (1 of 3)" {
			t.Errorf("row says %q", got)
		}
		w.logged("Skipping Funda: only 5 listing(s) vs 20 in baseline (likely partial load)")
		w.cycles(2)
		w.logged("Funda has settled at 5 listing(s), down from 20. Using that as the new baseline")
		if got := w.row("Funda"); got.Note != "Re-based after a smaller page" || got.Listings != 5 {
			t.Errorf("row %+v", got)
		}
		w.show(urlP, ids(1, 20)...)
		w.cycles(2)
		w.told()
	})
}

func TestStory12SettledOnAnotherView(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.show(urlP, ids(31, 38)...)
		w.cycles(3)
		row := w.row("P")
		if row.Note != "Page changed shape, re-based" || len(row.Adopted) != 8 {
			t.Errorf("row %+v", row)
		}
		w.cycles(2)
		w.told()
	})
}

func TestStory13Impatience(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.show(urlP, ids(1, 8)...)
		w.cycle()
		for range 4 {
			w.mon.CheckNow()
			w.cycle() // the floor lets one through every five seconds
		}
		if got := w.row("P").Text; got != "page looked half-loaded (1 of 3)" {
			t.Errorf("row says %q", got)
		}
	})
}

func TestStory14BlockInBetweenDoesNotSettleIt(t *testing.T) {
	half, whole := results(homes(ids(1, 8)...)...), results(homes(ids(1, 20)...)...)
	for name, story := range map[string]struct {
		pages []monitor.Page
		want  int // listings in the baseline at the end
	}{
		"refused and failed in between": {[]monitor.Page{half, refused(0), half, timeout(), half}, 8},
		"a normal one in between":       {[]monitor.Page{half, whole, half, half}, 20},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP)
				w.portal.set(urlP, whole)
				w.start()
				w.cycles(2)
				for _, page := range story.pages {
					w.portal.set(urlP, page)
					w.untilAsked()
				}
				if got := w.row("P").Listings; got != story.want {
					t.Errorf("baseline of %d, want %d", got, story.want)
				}
			})
		})
	}
}

// untilAsked waits for the next cycle that asks the portal for anything.
func (w *world) untilAsked() {
	w.t.Helper()
	w.portal.asked()
	for range 100 {
		w.cycle()
		if len(w.portal.asked()) > 0 {
			return
		}
	}
	w.t.Fatal("no request in 100 cycles")
}

func TestStory15StudentCityInAugust(t *testing.T) {
	for name, story := range map[string]struct {
		first, then []int
		told        int
	}{
		"3 of 4 on a small page": {ids(1, 4), append(ids(21, 23), 1), 3},
		"15 of 20":               {ids(1, 20), append(ids(31, 45), ids(1, 5)...), 15},
		"16 of 20":               {ids(1, 20), append(ids(31, 46), ids(1, 4)...), 0},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP)
				w.show(urlP, story.first...)
				w.start()
				w.cycles(2)
				w.show(urlP, story.then...)
				w.cycles(2)
				told := 0
				for _, l := range w.inbox.take() {
					told += len(l.Alerts)
				}
				if told != story.told {
					t.Errorf("told %d, want %d", told, story.told)
				}
				if named := strings.Count(w.lines.text(), "known without an alert"); story.told == 0 && named != 16 {
					t.Errorf("%d named in the log, want 16", named)
				}
			})
		})
	}
}

// night brings the world to the morning: asleep for eight hours with the given
// page, which is what the first check after waking sees.
func (w *world) night(before, after monitor.Page) {
	w.search("P", urlP)
	w.portal.set(urlP, before)
	w.start()
	w.cycles(2)
	w.portal.set(urlP, after)
	w.sleepFor(8 * time.Hour)
	w.cycle()
}

func TestStory16Night(t *testing.T) {
	before := results(homes(ids(1, 25)...)...)
	morning := results(homes(append(ids(101, 122), ids(1, 3)...)...)...)
	t.Run("told after a second look", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.night(before, morning)
			w.told()
			w.show(urlP, append(ids(101, 122), 1, 2, 4)...) // shares 24 of 25
			w.cycle()
			letters := w.inbox.take()
			if len(letters) != 1 || len(letters[0].Alerts) != 22 {
				t.Fatalf("letters %v\n%s", letters, w.lines.tail())
			}
			if away := letters[0].Alerts[0].Away; away < 8*time.Hour || away > 8*time.Hour+2*time.Minute {
				t.Errorf("away for %v", away)
			}
			if got := w.desk.take(); len(got) != 1 {
				t.Errorf("banners %q, want one that counts", got)
			}
		})
	})
	t.Run("another page at the second look", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.night(before, morning)
			w.show(urlP, ids(201, 225)...)
			w.cycles(2)
			w.told()
			if note := w.row("P").Note; note != "Page changed shape, re-based" {
				t.Errorf("note %q", note)
			}
		})
	})
	t.Run("signed out", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.night(before, signedOut())
			w.told()
			if row := w.row("P"); row.State != monitor.RowSignedOut || row.RetryAt.Sub(w.wall()) > 10*time.Minute {
				t.Errorf("row %+v", row)
			}
		})
	})
	t.Run("another host", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.night(before, strayed())
			w.cycle()
			w.told()
		})
	})
	t.Run("results of another host", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			moved := morning
			moved.FinalURL = "https://elsewhere.example/p"
			w.night(before, moved)
			w.cycles(2)
			w.told()
		})
	})
}

func TestStory17ZeroIsAnAnswer(t *testing.T) {
	t.Run("empty at first", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.portal.set(urlP, empty())
			w.start()
			w.cycle()
			w.show(urlP, 1, 2, 3, 4)
			w.cycle()
			w.told("1 2 3 4")
		})
	})
	t.Run("empty later", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, 9)
			w.start()
			w.cycles(2)
			w.portal.set(urlP, empty())
			w.cycle()
			w.show(urlP, 1, 2, 3, 4)
			w.cycle()
			w.told("1 2 3 4")
		})
	})
	t.Run("from one to five", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, 1)
			w.start()
			w.cycles(2)
			w.show(urlP, ids(1, 5)...)
			w.cycle()
			w.told("2 3 4 5")
		})
	})
	t.Run("a page that says nothing is not empty", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, ids(1, 20)...)
			w.start()
			w.cycles(2)
			w.portal.set(urlP, strayed())
			w.cycles(5)
			w.show(urlP, ids(1, 21)...)
			w.pass(6 * time.Minute)
			w.told("21")
		})
	})
}

func TestStory18Price(t *testing.T) {
	at := func(price float64) monitor.Page {
		return results(append(homes(ids(1, 20)...), homeAt(21, price))...)
	}
	t.Run("a drop is told", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, ids(1, 20)...)
			w.start()
			w.cycles(2)
			w.portal.set(urlP, at(1500))
			w.cycle()
			w.told("21")
			w.portal.set(urlP, at(1400))
			w.cycle()
			letters := w.inbox.take()
			if len(letters) != 1 {
				t.Fatalf("%d letters", len(letters))
			}
			a := letters[0].Alerts[0]
			if a.Kind != monitor.PriceDrop || a.Was.Amount != 1500 || a.Listing.Price.Amount != 1400 {
				t.Errorf("told %+v", a)
			}
			w.cycles(3)
			w.told()
		})
	})
	t.Run("a drop while it is pending", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, ids(1, 20)...)
			w.start()
			w.cycles(2)
			w.inbox.down()
			w.portal.set(urlP, at(1500))
			w.cycle()
			w.portal.set(urlP, at(1400))
			w.cycle()
			w.inbox.up()
			w.pass(time.Hour)
			letters := w.inbox.take()
			if len(letters) != 1 || len(letters[0].Alerts) != 1 {
				t.Fatalf("letters %v", letters)
			}
			a := letters[0].Alerts[0]
			if a.Kind != monitor.New || a.Was.Amount != 1500 || a.Listing.Price.Amount != 1400 {
				t.Errorf("told %+v", a)
			}
		})
	})
	t.Run("another view of every price", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.show(urlP, ids(1, 20)...)
			w.start()
			w.cycles(2)
			var cheap []monitor.Listing
			for _, l := range homes(ids(1, 20)...) {
				l.Price.Amount *= 0.88
				cheap = append(cheap, l)
			}
			w.portal.set(urlP, results(cheap...))
			w.cycles(2)
			w.show(urlP, ids(1, 20)...)
			w.cycles(2)
			w.told()
		})
	})
	t.Run("another period", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			weekly := homeAt(21, 415)
			weekly.Price.Period = monitor.Week
			w.search("P", urlP)
			w.portal.set(urlP, results(append(homes(1, 2), weekly)...))
			w.start()
			w.cycles(2)
			w.portal.set(urlP, results(append(homes(1, 2), homeAt(21, 1800))...))
			w.cycle()
			w.portal.set(urlP, results(append(homes(1, 2), weekly)...))
			w.cycle()
			w.told()
		})
	})
}

func TestStory19FilterEdited(t *testing.T) {
	t.Run("a known listing passes the new limit", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, maxPrice(1500))
			w.portal.set(urlP, results(append(homes(1, 2), homeAt(21, 1800))...))
			w.start()
			w.cycles(2)
			w.edit("P", maxPrice(1800))
			w.cycle()
			w.told()
			if adopted := w.row("P").Adopted; len(adopted) != 1 || adopted[0].ID != "21" {
				t.Errorf("shown: %v", adopted)
			}
		})
	})
	t.Run("a listing falls below the limit", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, maxPrice(1500))
			w.portal.set(urlP, results(append(homes(1, 2), homeAt(21, 1510))...))
			w.start()
			w.cycles(2)
			w.portal.set(urlP, results(append(homes(1, 2), homeAt(21, 1495))...))
			w.cycle()
			w.told("21")
		})
	})
}

// five puts five searches on one host.
func (w *world) five() []string {
	var urls []string
	for _, name := range []string{"A", "B", "C", "D", "E"} {
		url := "https://a.example/" + strings.ToLower(name)
		w.search(name, url)
		w.show(url, ids(1, 10)...)
		urls = append(urls, url)
	}
	return urls
}

func (w *world) all(urls []string, page monitor.Page) {
	for _, url := range urls {
		w.portal.set(url, page)
	}
}

func TestStory20FiveSearchesRefused(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.timing.LadderJitter = 0
		urls := w.five()
		w.start()
		w.cycles(2)
		w.all(urls, refused(0))
		w.portal.asked()
		w.cycle()
		first := w.portal.asked()
		if len(first) != 1 {
			t.Fatalf("asked %q, want one request", first)
		}
		seen := map[string]bool{}
		wait := []time.Duration{time.Minute, 2 * time.Minute, 5 * time.Minute, 5 * time.Minute, 5 * time.Minute}
		for i, page := range []monitor.Page{refused(0), refused(0), timeout(), strayed()} {
			retry := w.sameRetry(urls)
			if left := retry.Sub(w.wall()); left > wait[i] || left < wait[i]-2*time.Second {
				t.Errorf("wait %d is %v, want %v", i, left, wait[i])
			}
			w.all(urls, page)
			w.untilProbe(&seen)
			if now := w.wall(); now.Before(retry) {
				t.Errorf("asked at %v, before %v", now, retry)
			}
		}
		if len(seen) != 4 {
			t.Errorf("probed by %v, want four different searches", seen)
		}
		w.all(urls, results(homes(ids(1, 11)...)...))
		w.portal.asked()
		w.cycle()
		for len(w.portal.at("")) == 0 {
			w.cycle()
		}
		if got := w.portal.asked(); len(got) != 5 {
			t.Errorf("asked %q, want the probe and the four others", got)
		}
		w.logged("Recovered 1 site(s), checking 4 held search(es)")
		w.told("11")
	})
}

// sameRetry fails unless all searches show the same retry time, in the future.
func (w *world) sameRetry(urls []string) time.Time {
	w.t.Helper()
	v := w.view()
	for _, r := range v.Rows {
		if !r.RetryAt.Equal(v.Rows[0].RetryAt) || r.RetryAt.IsZero() {
			w.t.Errorf("%s shows %v, %s shows %v", r.Name, r.RetryAt, v.Rows[0].Name, v.Rows[0].RetryAt)
		}
	}
	return v.Rows[0].RetryAt
}

// untilProbe waits for the cycle with the next request, which must be one alone.
func (w *world) untilProbe(seen *map[string]bool) {
	w.t.Helper()
	for range 100 {
		w.cycle()
		asked := w.portal.asked()
		if len(asked) > 1 {
			w.t.Fatalf("asked %q, want one request", asked)
		}
		if len(asked) == 1 {
			(*seen)[asked[0]] = true
			return
		}
	}
	w.t.Fatal("no probe")
}

func TestStory21Blip(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.five()
		w.start()
		w.cycles(2)
		w.all(urls, timeout())
		w.portal.asked()
		w.cycle()
		if got := w.portal.asked(); len(got) != 2 {
			t.Errorf("asked %q, want two and the rest later", got)
		}
		w.all(urls, results(homes(ids(1, 10)...)...))
		w.cycle()
		if got := w.portal.asked(); len(got) != 5 {
			t.Errorf("asked %q, want all five", got)
		}
		for _, r := range w.view().Rows {
			if !r.RetryAt.IsZero() {
				t.Errorf("%s waits until %v", r.Name, r.RetryAt)
			}
		}
		w.all(urls, timeout()) // forgotten: again two before any wait
		w.cycle()
		if r := w.view().Rows[0]; !r.RetryAt.IsZero() {
			t.Errorf("one bad cycle makes the host wait until %v", r.RetryAt)
		}
		w.cycle()
		w.sameRetry(urls)
	})
}

func TestStory22NoNetwork(t *testing.T) {
	t.Run("all hosts", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.search("R", urlR)
			w.show(urlP, ids(1, 10)...)
			w.show(urlR, ids(11, 20)...)
			w.start()
			w.cycles(2)
			w.all([]string{urlP, urlR}, unreachable())
			w.cycles(6)
			v := w.view()
			if v.Phase != monitor.Offline || !v.Rows[0].RetryAt.IsZero() || v.Rows[0].State != monitor.RowOffline {
				t.Errorf("phase %s, row %+v", v.Phase, v.Rows[0])
			}
			if got := w.desk.take(); len(got) != 0 {
				t.Errorf("banners %q", got)
			}
			w.show(urlP, ids(1, 11)...)
			w.show(urlR, ids(11, 20)...)
			w.cycle()
			w.told("11")
			if got := w.view().Phase; got != monitor.Watching {
				t.Errorf("phase %s", got)
			}
		})
	})
	t.Run("one host refuses connections", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP)
			w.search("R", urlR)
			w.show(urlP, ids(1, 10)...)
			w.show(urlR, ids(11, 20)...)
			w.start()
			w.cycles(2)
			w.portal.set(urlP, monitor.Page{Verdict: monitor.Failed, Reason: "connection refused"})
			w.cycles(2)
			if v := w.view(); v.Phase == monitor.Offline || v.Rows[0].RetryAt.IsZero() {
				t.Errorf("phase %s, row %+v", v.Phase, v.Rows[0])
			}
		})
	})
	for name, lookup := range map[string]error{"one host and no mail server either": errors.New("no such host"), "one host, but the mail server resolves": nil} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.lookup = func(context.Context) error { return lookup }
				w.search("P", urlP)
				w.show(urlP, ids(1, 10)...)
				w.start()
				w.cycles(2)
				w.portal.set(urlP, unreachable())
				w.cycles(3)
				if got, want := w.view().Phase == monitor.Offline, lookup != nil; got != want {
					t.Errorf("offline is %v, want %v", got, want)
				}
			})
		})
	}
}

func TestStory23OneDeadHost(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("A", urlP)
		w.search("B", urlR)
		w.show(urlP, ids(1, 10)...)
		w.show(urlR, ids(11, 20)...)
		w.start()
		w.cycles(2)
		w.portal.took[urlP] = 28 * time.Second
		w.portal.set(urlP, timeout())
		w.show(urlR, ids(11, 21)...)
		w.portal.asked()
		for len(w.portal.at(urlR)) == 0 {
			time.Sleep(100 * time.Millisecond)
		}
		w.pass(11500 * time.Millisecond) // its second of loading, and the mail's ten
		w.told("21")
		if got := w.desk.take(); len(got) != 1 {
			t.Errorf("banners %q", got)
		}
		if got := w.view().Phase; got != monitor.Checking {
			t.Errorf("phase %s, want the dead host still being waited for", got)
		}
	})
}

func TestStory24SignedOutOvernight(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 25)...)
		w.start()
		w.cycles(2)
		w.portal.set(urlP, signedOut())
		w.portal.asked()
		w.pass(6 * time.Hour)
		if got := len(w.portal.asked()); got < 30 || got > 37 {
			t.Errorf("%d checks in six hours, want one every ten minutes", got)
		}
		if got := w.desk.take(); len(got) != 1 {
			t.Errorf("banners %q, want one", got)
		}
		if row := w.row("P"); row.Text != "signed out: sign in again" {
			t.Errorf("row %+v", row)
		}
		w.show(urlP, append(ids(101, 122), ids(1, 3)...)...)
		w.mon.SessionRenewed("a.example")
		w.pass(7 * time.Second)
		if got := len(w.portal.at(urlP)); got != 1 {
			t.Errorf("%d checks at once, want one", got)
		}
		w.pass(40 * time.Second)
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 22 {
			t.Fatalf("letters %v", letters)
		}
	})
}

func TestStory25YesterdaysBackup(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		if err := w.ledger.Backup(context.Background(), w.wall()); err != nil {
			t.Fatal(err)
		}
		w.pass(20 * time.Hour)
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.told("21")
		w.damage = func() {
			if err := os.Truncate(filepath.Join(w.dir, "notifio.db"), 5000); err != nil {
				t.Fatal(err)
			}
			os.Remove(filepath.Join(w.dir, "notifio.db-wal"))
		}
		w.restart()
		w.show(urlP, ids(1, 22)...)
		w.cycles(3)
		var told []string
		for _, l := range w.inbox.take() {
			told = append(told, idsOf(l.Alerts)...)
		}
		if !slices.Contains(told, "22") || slices.Contains(told, "20") {
			t.Errorf("told %q: 22 is news, 20 is known from the backup, 21 may come twice", told)
		}
	})
}

func TestStory26ClockSetBack(t *testing.T) {
	for name, story := range map[string]struct {
		asked, most time.Duration
	}{
		"during a minute":                  {0, 67 * time.Second},
		"during an hour that it asked for": {time.Hour, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			in(t, func(t *testing.T, w *world) {
				w.search("P", urlP)
				w.show(urlP, ids(1, 10)...)
				w.start()
				w.cycles(2)
				w.portal.set(urlP, refused(story.asked))
				w.cycle()
				w.sleepFor(-2 * time.Hour)
				w.pass(2 * time.Second)
				if left := w.row("P").RetryAt.Sub(w.wall()); left > story.most {
					t.Errorf("waits %v more, want at most %v", left, story.most)
				}
				w.show(urlP, ids(1, 11)...)
				w.pass(story.most + 45*time.Second)
				w.told("11")
			})
		})
	}
}

func TestStory27BetterKnowledge(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		unnamed := func(l monitor.Listing) monitor.Listing { l.Key, l.ID = l.Canonical, ""; return l }
		var before []monitor.Listing
		for _, l := range homes(ids(1, 20)...) {
			before = append(before, unnamed(l))
		}
		w.portal.set(urlP, results(before...))
		w.start()
		w.cycles(2)
		w.restart()
		w.show(urlP, ids(1, 20)...)
		w.cycles(2)
		w.told()
		w.portal.set(urlP, results(before...)) // and back to the old version
		w.cycles(2)
		w.told()
		w.show(urlP, ids(1, 21)...)
		w.cycle()
		w.told("21")
	})
}

func TestStory28Promoted(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		paid := func(n int) monitor.Listing { l := home(n); l.Promoted = true; return l }
		w.search("P", urlP)
		w.portal.set(urlP, results(append(homes(ids(1, 10)...), paid(50), paid(51))...))
		w.start()
		w.cycles(2)
		w.portal.set(urlP, results(append(homes(ids(1, 10)...), paid(50), paid(51), paid(52))...))
		w.cycles(2)
		w.told()
		w.portal.set(urlP, results(append(homes(append(ids(1, 10), 51)...), paid(50))...))
		w.cycle()
		w.told("51")
	})
}

func TestStory29GoneAtTheSecondLook(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.night(results(homes(ids(1, 25)...)...), results(homes(append(ids(101, 122), ids(1, 3)...)...)...))
		w.show(urlP, append(ids(102, 122), ids(1, 4)...)...)
		w.cycle()
		letters := w.inbox.take()
		if len(letters) != 1 || len(letters[0].Alerts) != 22 {
			t.Fatalf("letters %v", letters)
		}
		for _, a := range letters[0].Alerts {
			if gone := a.Listing.ID == "101"; a.Gone != gone {
				t.Errorf("%s: gone is %v", a.Listing.ID, a.Gone)
			}
		}
		w.cycles(2)
		w.told()
	})
}

func TestStory30OneBadSearch(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		urls := w.five()
		w.start()
		w.cycles(2)
		w.portal.set(urls[2], timeout())
		w.cycles(3)
		if left := w.row("C").RetryAt.Sub(w.wall()); left <= 4*time.Minute || left > 5*time.Minute {
			t.Errorf("C waits %v, want its own pace of 5 min", left)
		}
		w.portal.asked()
		w.cycle()
		if got := w.portal.asked(); len(got) != 4 || slices.Contains(got, urls[2]) {
			t.Errorf("asked %q, want the four others", got)
		}
		for _, name := range []string{"A", "B", "D", "E"} {
			if r := w.row(name); !r.RetryAt.IsZero() {
				t.Errorf("%s waits until %v", name, r.RetryAt)
			}
		}
	})
}

func TestStory31Quota(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.show(urlP, ids(1, 20)...)
		w.start()
		w.cycles(2)
		w.inbox.failing(&monitor.DeliveryError{Refusal: monitor.Temporary, Err: errors.New("550 5.4.5 daily sending quota exceeded")})
		for n := 21; n <= 26; n++ {
			w.show(urlP, ids(1, n)...)
			w.pass(2 * time.Hour)
		}
		w.told()
		w.inbox.up()
		w.pass(31 * time.Minute)
		w.told("21 22 23 24 25 26")
		w.pass(2 * time.Hour)
		w.told()
	})
}

func TestStory32OneHomeOneTenant(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		page := func(n int) monitor.Page {
			p := of(1, results(home(n)))
			p.NewestFirst = true
			return p
		}
		w.search("P", urlP)
		w.portal.set(urlP, page(1))
		w.start()
		w.cycles(2)
		w.portal.set(urlP, page(2))
		w.cycle()
		w.told("2")
	})
}

func TestStory33Pause(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("Q", urlQ)
		w.show(urlP, ids(1, 10)...)
		w.show(urlQ, ids(1, 10)...)
		w.start()
		w.cycles(2)
		w.inbox.down()
		w.show(urlP, ids(1, 11)...)
		w.cycle()
		w.portal.took[urlP], w.portal.took[urlQ] = 20*time.Second, 20*time.Second
		w.portal.asked()
		for len(w.portal.at("")) == 0 {
			time.Sleep(time.Second)
		}
		w.mon.Pause(time.Time{})
		w.pass(time.Second)
		if got := w.view().Phase; got != monitor.Paused {
			t.Errorf("phase %s", got)
		}
		w.portal.mu.Lock()
		for host, n := range w.portal.inFlight {
			if n > 0 {
				t.Errorf("%d checks of %s still running", n, host)
			}
		}
		w.portal.mu.Unlock()
		w.portal.asked()
		w.inbox.up()
		w.pass(time.Hour)
		w.told("11")
		if got := w.portal.asked(); len(got) > 0 {
			t.Errorf("asked %q while paused", got)
		}
		w.mon.Resume()
		w.pass(time.Minute)
		if got := w.portal.asked(); len(got) == 0 {
			t.Error("nothing asked after resuming")
		}
	})
}

func TestStory34EditInTheMiddleOfACycle(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.search("R", urlR)
		w.show(urlP, ids(1, 10)...)
		w.show(urlR, ids(11, 20)...)
		w.start()
		w.cycles(2)
		w.inbox.down()
		w.show(urlP, ids(1, 30)...)
		w.show(urlP, append(ids(1, 10), 31)...)
		w.cycle()
		w.portal.took[urlP] = 20 * time.Second
		w.show(urlP, append(ids(1, 10), 31, 32)...)
		w.portal.asked()
		for len(w.portal.at(urlP)) == 0 {
			time.Sleep(time.Second)
		}
		w.settings.Searches = w.settings.Searches[1:]
		w.search("N", "https://c.example/n")
		w.show("https://c.example/n", 41, 42)
		w.reload()
		w.cycle()
		w.portal.asked()
		w.cycle()
		if got := w.portal.asked(); !slices.Contains(got, "https://c.example/n") || slices.Contains(got, urlP) {
			t.Errorf("asked %q", got)
		}
		w.inbox.up()
		w.pass(time.Hour)
		w.told("31")
	})
}
