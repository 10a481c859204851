package main

import (
	"strings"
	"testing"

	"notifio.app/notifio/monitor"
)

func TestSearchThatIsMeantByAWord(t *testing.T) {
	t.Parallel()
	rows := []monitor.Row{
		{Name: "Demo", URL: "demo:amsterdam", Host: "demo", State: monitor.RowFine},
		{Name: "Off", URL: "https://a.example/0", Host: "a.example", State: monitor.RowDisabled},
		{Name: "One", URL: "https://www.a.example/1", Host: "a.example", State: monitor.RowFine},
		{Name: "Two", URL: "https://a.example/2", Host: "a.example", State: monitor.RowSignedOut},
		{Name: "Three", URL: "https://b.example/3", Host: "b.example", State: monitor.RowFailed},
	}
	for _, c := range []struct{ word, want string }{
		{"a.example", "Two"}, {"www.A.example", "Two"}, {"https://a.example/1", "Two"},
		{"one", "One"}, {"Off", "Off"}, {" three ", "Three"}, {"b.example", "Three"},
		{"c.example", ""}, {"demo", ""}, {"", ""},
	} {
		row, err := chosen(rows, c.word)
		if row.Name != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q: %q, %v", c.word, row.Name, err)
		}
		if err != nil && !strings.Contains(err.Error(), "Three (b.example)") {
			t.Errorf("%q: %v does not say which there are", c.word, err)
		}
	}
	if _, err := chosen(rows[:1], "demo"); err == nil || !strings.Contains(err.Error(), "Edit searches") {
		t.Errorf("with the demo alone: %v", err)
	}
}

func TestSignInTakesOneWord(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, args := range [][]string{{}, {"a", "b"}, {"--all"}} {
		got := invoke(t, system{}, append([]string{"--data", dir, "sign-in"}, args...)...)
		if got.code != exitUsage || !strings.Contains(got.err, "one host") {
			t.Errorf("%q: exit %d, %q", args, got.code, got.err)
		}
	}
}
