package tray

import (
	"bufio"
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"time"

	"notifio.app/notifio/monitor"
)

// A story in the terminal, from the first view to the end of a trouble.
func TestTerminalTellsChanges(t *testing.T) {
	s := said{since: noon.Add(-10 * time.Minute)}
	var out []string
	tell := func(at time.Duration, v monitor.View) { out = append(out, s.lines(v, noon.Add(at))...) }
	v := sample(noon)
	tell(0, v)
	tell(30*time.Second, v) // nothing has changed
	v = sample(noon)
	v.Phase, v.Total = monitor.Checking, 4
	v.Rows[0].State = monitor.RowChecking
	tell(time.Minute, v) // checking is not news
	v = sample(noon)
	v.Rows[0].Text, v.Rows[1].State, v.Rows[1].RetryAt = "22 listings", monitor.RowFine, time.Time{}
	v.Rows[1].Text = "18 listings"
	fresh := monitor.Alert{ID: "a22", Found: noon, Doubt: "at the end of the page, perhaps not new",
		Listing: monitor.Listing{Title: "Attic\x1b[31m", Address: "Singel 1", URL: "https://x.example/22", Price: monitor.Price{Text: "€ 900"}}}
	v.Recent = append([]monitor.Alert{fresh}, v.Recent...)
	v.Troubles = []monitor.Trouble{{Source: "mail", Text: "smtp.example.com does not answer"}}
	tell(2*time.Minute, v)
	v.Troubles, v.Phase = nil, monitor.Paused
	tell(3*time.Minute, v)
	v.Phase = monitor.Offline
	tell(4*time.Minute, v)
	v.Phase = monitor.Watching
	tell(5*time.Minute, v)
	golden(t, "terminal", strings.Join(out, "\n")+"\n")
}

func TestTerminalCountsWhatItCannotShow(t *testing.T) {
	s := said{since: noon}
	s.lines(monitor.View{}, noon)
	v := crowded()
	v.Recent, v.Unseen = v.Recent[:maxRecent], 14
	if out := strings.Join(s.lines(v, noon), "\n"); !strings.Contains(out, "And 4 other new listings") {
		t.Errorf("ten of fourteen new listings told:\n%s", out)
	}
}

// What a guard makes known without an alert is named once.
func TestTerminalNamesWhatIsAdopted(t *testing.T) {
	s := said{since: noon}
	row := monitor.Row{Name: "Centrum", URL: "https://x.example/", State: monitor.RowFine, Text: "20 listings",
		Note: "Page changed shape, re-based", AdoptedAt: noon.Add(time.Minute)}
	for n := range 12 {
		row.Adopted = append(row.Adopted, monitor.Listing{Title: "Attic\x1b[31m " + strconv.Itoa(n), URL: "https://x.example/home/" + strconv.Itoa(n)})
	}
	v := monitor.View{Phase: monitor.Watching, Rows: []monitor.Row{row}}
	out := strings.Join(append(s.lines(v, noon), s.lines(v, noon)...), "\n")
	for _, want := range []string{"Centrum: Page changed shape, re-based: 12 homes are known now without an alert", "Attic [31m 9 · https://x.example/home/9", "and 2 more"} {
		if strings.Count(out, want) != 1 {
			t.Errorf("not once %q in\n%s", want, out)
		}
	}
}

func TestTerminalSaysWhyAndWhere(t *testing.T) {
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	term := NewTerminal(w, TerminalOptions{Reason: "no panel is running", MailFolder: "/data/mail"})
	go func() { done <- term.Run(ctx) }()
	in := bufio.NewScanner(r)
	for _, want := range []string{"Ctrl-C", "no panel is running.", "/data/mail"} {
		if !in.Scan() || !strings.Contains(in.Text(), want) {
			t.Fatalf("line %q, want one about %q", in.Text(), want)
		}
	}
	term.Show(sample(noon))
	if !in.Scan() || !strings.Contains(in.Text(), "Watching 4 searches") {
		t.Errorf("line %q, want the searches", in.Text())
	}
	go io.Copy(io.Discard, r)
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A terminal that nobody reads holds up nothing but itself.
func TestTerminalThatIsStuckDoesNotBlockShow(t *testing.T) {
	r, w := io.Pipe() // nobody reads
	term := NewTerminal(w, TerminalOptions{})
	done := make(chan error, 1)
	go func() { done <- term.Run(t.Context()) }()
	for range 100 {
		term.Show(sample(noon))
	}
	r.CloseWithError(errors.New("terminal is gone"))
	if err := <-done; err == nil || !strings.Contains(err.Error(), "terminal is gone") {
		t.Errorf("ended with %v, want the error of the terminal", err)
	}
}
