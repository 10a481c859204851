package monitor_test

import (
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// Stories 10 to 19: pages that are not what they seem.

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
	t.Run("a listing falls below the limit while another word is excluded", func(t *testing.T) {
		in(t, func(t *testing.T, w *world) {
			w.search("P", urlP, maxPrice(1500))
			w.portal.set(urlP, results(append(homes(1, 2), homeAt(21, 1510))...))
			w.start()
			w.cycles(2)
			w.portal.set(urlP, results(append(homes(1, 2), homeAt(21, 1495))...))
			w.edit("P", excludes("parking"))
			w.cycle()
			w.told("21")
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

// An accepted page without homes has no link pattern, which does not keep the next one
// from being recognised as the same.
func TestStory46AGapAnEmptyPageTwelveHomes(t *testing.T) {
	in(t, func(t *testing.T, w *world) {
		w.search("P", urlP)
		w.portal.set(urlP, empty())
		w.start()
		w.cycles(2)
		w.sleepFor(time.Hour)
		w.show(urlP, ids(1, 12)...)
		w.cycle()
		w.told()
		w.cycle()
		w.told("1 2 3 4 5 6 7 8 9 10 11 12")
		w.logged("Looking again before telling")
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
