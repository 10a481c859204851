package store

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

func TestLoadTakesOpenAlertsAndTheTenNewestOthers(t *testing.T) {
	dir := t.TempDir()
	s := openQuietly(t, dir).Store
	var c monitor.Change
	for i := range 30 {
		c.Alerts = append(c.Alerts, monitor.Alert{ID: fmt.Sprintf("%02d", i), Found: noon.UTC().Add(-time.Duration(i) * time.Minute)})
		if i%2 == 0 {
			c.Deliveries = append(c.Deliveries, told(c.Alerts[i].ID)...)
		}
		c.Bannered = append(c.Bannered, c.Alerts[i].ID)
	}
	save(t, s, c)
	s.Close()
	var got []string
	for _, a := range openQuietly(t, dir).Memory.Alerts {
		got = append(got, a.ID)
	}
	want := strings.Fields("01 03 05 07 09 11 13 15 17 19 20 21 22 23 24 25 26 27 28 29")
	same(t, "alerts", got, want)
}

func TestRecallByKeyOrCanonical(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	known := func(search, key, canonical string, minute int) monitor.Known {
		return monitor.Known{Search: search, Key: key, Canonical: canonical, At: noon.UTC().Add(time.Duration(minute) * time.Minute)}
	}
	byKey, older, newer := known("p", "k1", "h/1", 0), known("p", "old2", "h/2", 1), known("p", "new2", "h/2", 2)
	save(t, s, monitor.Change{
		Known: []monitor.Known{byKey, older, newer, known("p", "bare", "", 3), known("q", "k9", "h/9", 4)},
		Alerts: []monitor.Alert{
			{ID: "a1", Found: noon.Add(2), Listing: monitor.Listing{Key: "k1", Canonical: "h/1"}},
			{ID: "a0", Found: noon.Add(1), Listing: monitor.Listing{Key: "other", Canonical: "h/1"}},
			{ID: "a2", Found: noon.Add(3), Listing: monitor.Listing{Key: "k7"}},
		},
		Deliveries: told("a0", "a1", "a2"),
	})
	for _, c := range []struct {
		why    string
		asked  monitor.Listing
		known  *monitor.Known
		alerts []string
	}{
		{"by key", monitor.Listing{Key: "k1"}, &byKey, []string{"a1"}},
		{"by key before canonical", monitor.Listing{Key: "k1", Canonical: "h/2"}, &byKey, []string{"a1"}},
		{"by canonical, the newest", monitor.Listing{Key: "better", Canonical: "h/2"}, &newer, nil},
		{"alerts by either, the oldest first", monitor.Listing{Key: "k1", Canonical: "h/1"}, &byKey, []string{"a0", "a1"}},
		{"no canonical is not a canonical", monitor.Listing{Key: "nobody"}, nil, nil},
		{"another search knows it", monitor.Listing{Key: "k9", Canonical: "h/9"}, nil, nil},
		{"an alert is everybody's", monitor.Listing{Key: "k7"}, nil, []string{"a2"}},
	} {
		r := recall(t, s, "p", c.asked)
		want := monitor.Recollection{Known: map[string]monitor.Known{}, Alerts: map[string][]string{}, Open: map[string]monitor.Alert{}, SameID: map[string][]monitor.Known{}}
		if c.known != nil {
			want.Known[c.asked.Key] = *c.known
		}
		if c.alerts != nil {
			want.Alerts[c.asked.Key] = c.alerts
		}
		same(t, c.why, r, want)
	}
	if r := recall(t, s, "never heard of", monitor.Listing{Key: "k1"}); len(r.Known) > 0 {
		t.Errorf("an unknown search knows %v", r.Known)
	}
}

func TestRecallByAliasAndByNumber(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	old := monitor.Known{Search: "p", Key: "h/1?ref=x", Canonical: "h/1?ref=x", ID: "88001234"}
	twin := monitor.Known{Search: "q", Key: "h/9", Canonical: "h/9", ID: "88001234"}
	save(t, s, monitor.Change{Known: []monitor.Known{old, twin},
		Alerts: []monitor.Alert{{ID: "a", Listing: monitor.Listing{Key: old.Key, Canonical: old.Canonical}}}})
	byAlias := monitor.Listing{Key: "site:1", Canonical: "h/1", Aliases: []string{"h/never", old.Canonical}}
	r := recall(t, s, "p", byAlias, byAlias)
	same(t, "known by an alias", r.Known, map[string]monitor.Known{"site:1": old})
	same(t, "alerts by an alias", r.Alerts, map[string][]string{"site:1": {"a"}})
	byNumber := monitor.Listing{Key: "h/a/88001234", Canonical: "h/a/88001234", ID: "88001234"}
	r = recall(t, s, "p", byNumber, byNumber, monitor.Listing{Key: "no number"})
	if len(r.Known) > 0 {
		t.Errorf("a number alone makes nothing known: %v", r.Known)
	}
	same(t, "known under the number", r.SameID, map[string][]monitor.Known{"88001234": {old}})
	if r := recall(t, s, "p", monitor.Listing{Key: old.Key, ID: old.ID}); len(r.SameID) > 0 {
		t.Errorf("what is known is not looked for by its number: %v", r.SameID)
	}
}

func TestLookUpsUseAnIndex(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	small := map[string]bool{"destination": true, "message": true, "search": true, "json_each": true, "listing": true, "CONSTANT": true}
	partial := map[string]bool{"delivery USING INDEX delivery_pending": true, "alert USING INDEX alert_unseen": true}
	texts := slices.Clone(statements)
	for _, rows := range old {
		texts = append(texts, rows.drop)
	}
	for _, text := range texts {
		args := make([]any, strings.Count(text, "?"))
		rows, err := s.disk.db.Query("EXPLAIN QUERY PLAN "+text, args...)
		if err != nil {
			t.Fatal(err)
		}
		for rows.Next() {
			var id, parent, unused int
			var detail string
			if err := rows.Scan(&id, &parent, &unused, &detail); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(detail, "SCAN") && !small[strings.Fields(detail)[1]] && !partial[strings.TrimPrefix(detail, "SCAN ")] {
				t.Errorf("%s\nreads a whole table: %s", text, detail)
			}
		}
		rows.Close()
	}
}
