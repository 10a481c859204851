package monitor

import "regexp"

// recognise finds what the search knows under another address: a site may change the
// form of its links, and the long number in them stays. Nothing is recognised whose
// old address is on the page as well, nor by a number that two listings of the page
// or two known ones share. What is known under another name is renamed in the baseline,
// so that no guard takes the same homes for others.
func (s *sight) recognise() {
	there, shown := identsOf(s.listings), map[string]int{}
	for _, l := range s.listings {
		shown[l.ID]++
	}
	renamed := map[string]Listing{} // by the key on record
	for _, l := range s.listings {
		same := s.memo.SameID[l.ID]
		if s.isUnknown(l) && len(same) == 1 && isLongID(l.ID) && shown[l.ID] == 1 &&
			!there.has(Listing{Key: same[0].Key, Canonical: same[0].Canonical}) {
			s.memo.Known[l.Key] = same[0]
			s.memo.Alerts[l.Key] = s.memo.Alerts[same[0].Key]
		}
		if k, known := s.memo.Known[l.Key]; known && !there.keys[k.Key] {
			renamed[k.Key] = l
		}
	}
	baseline := make([]Listing, len(s.rec.Baseline))
	for i, l := range s.rec.Baseline {
		if now, known := renamed[l.Key]; known {
			l.Key, l.Canonical = now.Key, now.Canonical
		}
		baseline[i] = l
	}
	s.rec.Baseline = baseline
}

var (
	digits    = regexp.MustCompile(`^\d{6,}$`)
	uuid      = regexp.MustCompile(`(?i)^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$`)
	longToken = regexp.MustCompile(`^[0-9A-Za-z]{8,}$`)
	digit     = regexp.MustCompile(`\d`)
)

// isLongID says whether an id is long enough to be nobody else's: six digits, a UUID,
// or eight letters with digits among them.
func isLongID(id string) bool {
	return digits.MatchString(id) || uuid.MatchString(id) || longToken.MatchString(id) && digit.MatchString(id)
}
