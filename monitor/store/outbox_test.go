package store

import (
	"maps"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// pendings are the destinations that alerts are pending for, by ID.
func pendings(t *testing.T, s *Store) map[string][]string {
	t.Helper()
	box, err := s.Outbox(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, a := range box.Alerts {
		out[a.ID] = a.Pending
	}
	return out
}

func address(t *testing.T, s *Store, destinations ...string) {
	t.Helper()
	if err := s.Address(t.Context(), destinations); err != nil {
		t.Fatal(err)
	}
}

// A ledger that noted who was told, and not who was to be, is for whoever is there now.
func TestWhoWasToldIsTakenOver(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, fileName)
	firstRound(t, path)
	db, err := connect(dsn(path, url.Values{}))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec(`INSERT INTO alert VALUES
		('my done', 'h/1', '', 1, 1, 0, '{"ID":"my done","Told":{"ana":"2026-12-01T10:00:00.5Z","ben":"2026-12-01T11:00:00+01:00"},"Bannered":true,"Seen":true}'),
		('my half', 'h/2', '', 0, 2, 0, '{"ID":"my half","Told":{"ana":"2026-12-01T10:00:00Z"},"Bannered":true}'),
		('my open', 'h/3', '', 0, 3, 0, '{"ID":"my open","Told":null}')`); err != nil {
		t.Fatal(err)
	}
	db.Close()
	s := openQuietly(t, dir).Store
	mine := func() map[string][]string {
		all := pendings(t, s)
		maps.DeleteFunc(all, func(id string, _ []string) bool { return !strings.HasPrefix(id, "my") })
		return all
	}
	same(t, "pending before", mine(), map[string][]string{"my done": nil, "my half": {""}, "my open": {""}})
	address(t, s, "ana", "ben")
	same(t, "pending", mine(), map[string][]string{"my done": nil, "my half": {"ben"}, "my open": {"ana", "ben"}})
	done, err := s.Alerts(t.Context(), []string{"my done"})
	if a := done["my done"]; err != nil || !a.Bannered || !a.Seen || !a.Told["ben"].Equal(time.Date(2026, 12, 1, 10, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v, %v", a, err)
	}
}

func TestDestinationsThatComeAndGo(t *testing.T) {
	s := openQuietly(t, t.TempDir()).Store
	alert := func(id string) { save(t, s, monitor.Change{Alerts: []monitor.Alert{{ID: id}}}) }
	address(t, s, "ana", "ben")
	alert("both")
	alert("one")
	save(t, s, monitor.Change{Deliveries: []monitor.Delivery{{Alert: "one", Destination: "ana", Told: noon}},
		Messages: []monitor.Message{{ID: "m", Destination: "ben", Alerts: []string{"both"}}}})
	address(t, s) // no good file
	address(t, s, "ana", "ben", "cleo")
	same(t, "one more", pendings(t, s), map[string][]string{"both": {"ana", "ben"}, "one": {"ben"}})
	address(t, s, "ana", "cleo")
	same(t, "ben is gone", pendings(t, s), map[string][]string{"both": {"ana"}, "one": nil})
	if box, _ := s.Outbox(t.Context()); len(box.Messages) != 0 {
		t.Errorf("messages %+v", box.Messages)
	}
	address(t, s, "cleo")
	same(t, "nobody is left", pendings(t, s), map[string][]string{"both": {"cleo"}, "one": nil})
	alert("both") // again, as it is changed
	same(t, "the same again", pendings(t, s), map[string][]string{"both": {"cleo"}, "one": nil})
}
