package monitor

import (
	"fmt"
	"time"
)

// The numbers of the guards.
const (
	// halfLoadedFrom keeps the half-loaded guard away from small searches, where
	// going from three results to one is ordinary.
	halfLoadedFrom = 4
	// halfLoadedLimit agreeing checks, a minute and a half of the page insisting,
	// and the smaller page is the page.
	halfLoadedLimit = 3
	// shapeFrom keeps the changed-shape guard away from small pages, where a high
	// share of new listings means little.
	shapeFrom = 3
	// shapeGrowth is how many listings may join a baseline that is still all there.
	shapeGrowth = 10
	// provisionalGrowth is how many listings may join a first baseline as news.
	provisionalGrowth = 3
	// perhapsLimit is how many listings are told at once that may have been there
	// before; more are another page, or another reading of it.
	perhapsLimit = 10
	// hiddenChecks accepted checks in a row without the word, and a home that was let,
	// or kept back for that word, is free: a card may be without it for a moment.
	hiddenChecks = 2
	// hiddenFrom homes that become free at once, and over half of all that were not,
	// are another view of the page.
	hiddenFrom = 3
)

// ruling is what a guard says of a page.
type ruling struct {
	refuse  bool // nothing of the page is written or told
	look    bool // it is kept as a first look, for the next page to agree with
	unknown fate
	// For the row, for under it, and for the activity log; "" where there is nothing to say.
	text, note, log string
}

// fate is what becomes of listings that nobody knew.
type fate int

const (
	compared  fate = iota // told, but where they may have moved up from the next page
	caughtUp              // told, and so is what only the first look has shown
	perhaps               // told as perhaps not new
	adopted               // known from now on, and named
	baselined             // known from now on: there was nothing to compare them with
)

// diffs says whether a change in a listing that was known is news as well. Else what the
// page shows of it is believed without a word.
func (f fate) diffs() bool { return f == compared || f == caughtUp }

type guard struct {
	name  string
	knows func(s sight) bool
	rules func(s sight) ruling
}

// guards are asked in this order. The first that knows the page rules on it.
var guards = []guard{
	{"first page where there was no results page before", func(s sight) bool {
		// A portal may say that there is nothing yet in a language that we do not read.
		return s.first() && s.rec.FinalURL != "" && s.rec.FinalURL == s.page.FinalURL && len(s.unknown) <= perhapsLimit
	}, func(s sight) ruling { return s.saved(perhaps) }},

	{"first page", sight.first, func(s sight) ruling { return s.saved(baselined) }},

	{"smaller page", func(s sight) bool { return s.half && s.rec.Half < halfLoadedLimit }, func(s sight) ruling {
		return ruling{refuse: true,
			text: fmt.Sprintf("page looked half-loaded (%d of %d)", s.rec.Half, halfLoadedLimit), note: noteHalf,
			log: fmt.Sprintf("Skipping %s: only %d listing(s) vs %d in baseline (likely partial load)", s.search.Name, len(s.listings), len(s.rec.Baseline))}
	}},

	{"first page that was half a page", func(s sight) bool {
		return !s.half && s.rec.Provisional && s.away() <= s.timing.Provisional && len(s.unknown) > provisionalGrowth
	}, func(s sight) ruling {
		return ruling{unknown: adopted, note: noteBaseline,
			log: fmt.Sprintf("%s: the first look had missed %d listing(s). Added to the baseline without an alert", s.search.Name, len(s.unknown))}
	}},

	{"another reader sees more than perhapsLimit", func(s sight) bool { return s.reread() && len(s.unknown) > perhapsLimit },
		func(s sight) ruling { return s.readAnew(adopted) }},

	{"another reader", sight.reread, func(s sight) ruling { return s.readAnew(perhaps) }},

	{"second look that agrees with the first", func(s sight) bool { return s.rec.Look != nil && s.confirms(*s.rec.Look) },
		func(s sight) ruling {
			return ruling{unknown: caughtUp, note: "Caught up after " + roughly(s.away()),
				log: fmt.Sprintf("%s: caught up after %s without a check", s.search.Name, roughly(s.away()))}
		}},

	{"unfamiliar page after a gap", func(s sight) bool {
		return s.unfamiliar() && s.away() > s.timing.Gap && (s.rec.Look == nil || s.now.Sub(s.rec.Look.At) > s.timing.Gap)
	}, func(s sight) ruling {
		return ruling{refuse: true, look: true, text: "much is new after a long gap, looking again", note: noteGap,
			log: fmt.Sprintf("%s: %d of %d listings are new after %s without a check. Looking again before telling",
				s.search.Name, len(s.unknown), len(s.listings), roughly(s.away()))}
	}},

	{"unfamiliar page", sight.unfamiliar, func(s sight) ruling {
		return ruling{unknown: adopted, text: "page changed shape, re-based", note: noteShape,
			log: fmt.Sprintf("%s: page changed shape, %d of %d listings are unknown. Re-based without an alert",
				s.search.Name, len(s.unknown), len(s.listings))}
	}},

	{"smaller page for good, most of it unknown", func(s sight) bool { return s.half && len(s.unknown)*2 > len(s.listings) },
		func(s sight) ruling { return s.smaller(ruling{unknown: adopted}) }},

	{"any other", func(sight) bool { return true }, func(s sight) ruling { return s.smaller(ruling{unknown: compared}) }},
}

// saved is the ruling on the first page of a search, or of a view. Zero is an answer:
// only a page with listings may be half a page.
func (s sight) saved(f fate) ruling {
	said := "baseline saved, " + count(len(s.listings))
	return ruling{unknown: f, text: said, note: noteBaseline, log: s.search.Name + ": " + said}
}

// readAnew is the ruling on a page that another version of the reader has read: what has
// changed may be the reading. So prices, marks and what the filter says of them are
// believed without a word, and what is unknown may always have been there.
func (s sight) readAnew(f fate) ruling {
	r := ruling{unknown: f}
	if len(s.unknown) > 0 {
		r.note = noteReader
		r.log = fmt.Sprintf("%s: read by another version than before, which sees %s more", s.search.Name, count(len(s.unknown)))
	}
	return s.smaller(r)
}

// smaller says of a page that has stayed small that it did.
func (s sight) smaller(r ruling) ruling {
	if s.half {
		r.text, r.note = "re-based after a smaller page", noteSmaller
		r.log = fmt.Sprintf("%s has settled at %d listing(s), down from %d. Using that as the new baseline",
			s.search.Name, len(s.listings), len(s.rec.Baseline))
	}
	return r
}

func (s sight) first() bool { return s.rec.AcceptedAt.IsZero() }

func (s sight) away() time.Duration { return s.now.Sub(s.rec.AcceptedAt) }

// reread says whether the page was read by another version of the reader than the
// one before it, or by the first that says which one it is.
func (s sight) reread() bool {
	return !s.first() && s.page.Reader != "" && s.page.Reader != s.rec.Reader
}

// unfamiliar says whether a page is complete, and not the one that was watched.
func (s sight) unfamiliar() bool {
	return mostlyUnknown(len(s.listings), len(s.unknown)) &&
		!(len(s.unknown) <= shapeGrowth && len(missing(s.rec.Baseline, s.listings)) == 0)
}

// confirms says whether this page is the one of the first look, and the one that
// was last accepted.
func (s sight) confirms(first Look) bool {
	return HostOf(s.page.FinalURL) == HostOf(s.rec.FinalURL) &&
		(s.rec.LinkPattern == "" || s.page.LinkPattern == s.rec.LinkPattern) && // an empty page shows none
		same(first.Listings, s.listings)
}

// mostlyUnknown says whether a page is complete but unfamiliar: more than three
// listings, at least 80 % of them unknown. A burst in a student city stays below.
func mostlyUnknown(listings, unknown int) bool {
	return listings > shapeFrom && unknown*5 >= listings*4
}

// halfLoaded says whether a page lost more than half of what it held.
func halfLoaded(baseline, current int) bool {
	return baseline >= halfLoadedFrom && current*2 < baseline
}

// same says whether two looks at a page share 80 % of the larger one.
func same(a, b []Listing) bool {
	return (len(b)-len(missing(b, a)))*5 >= max(len(a), len(b))*4
}
