package monitor

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"text/template"
	"time"
)

// Recipe says how the form of one site is filled in and sent for the user.
type Recipe struct {
	Name       string // unique
	Host       string // as HostOf gives it; names below it count as well
	Message    string // a text/template over Fields
	Steps      []Step // the last one, and only that, is a Submit
	Success    string // a selector of what is shown once the message is sent, and not before
	Price      string // a selector of the rent on the listing's own page; "": it is not looked at
	DelayLeast time.Duration
	DelayMost  time.Duration // drawn uniformly, from when the listing was told
	DailyLimit int           // replies in one day of the user's zone
	Mode       ReplyMode
}

// ReplyMode is how far a recipe goes.
type ReplyMode string

// The modes.
const (
	DryRun ReplyMode = "dry-run" // all but the submit
	Ask    ReplyMode = "ask"     // each one waits for a click in the menu
	Send   ReplyMode = "send"
)

// StepKind is what a step does.
type StepKind string

// The kinds of steps.
const (
	Goto   StepKind = "goto"
	Click  StepKind = "click"
	Fill   StepKind = "fill"
	Select StepKind = "select"
	Check  StepKind = "check"
	Wait   StepKind = "wait"
	Submit StepKind = "submit"
)

// Step is one step of a recipe.
type Step struct {
	Do StepKind
	At string // a selector; of Goto an address, a template over Fields
	// With is what is filled in or selected, a template over Fields; "" for the others.
	With string
}

// Fields are what the templates of a recipe can use. What is not known is empty.
type Fields struct {
	URL, ID, Title, Address string
	Price                   string // as shown
	Area                    string // m², without the unit
	Rooms                   string
	Search                  string // its name
	Message                 string // in steps only
}

// Covers says whether an address is on the recipe's site.
func (r Recipe) Covers(url string) bool {
	host := HostOf(url)
	return host == r.Host || strings.HasSuffix(host, "."+r.Host)
}

// Compose fills in the templates: it returns the message, and the steps as they are
// to be done. The error names the template that is wrong.
func (r Recipe) Compose(l Listing, search string) (message string, steps []Step, err error) {
	f := Fields{
		URL: l.URL, ID: l.ID, Title: l.Title, Address: l.Address, Price: l.Price.Text,
		Area: amount(l.AreaM2), Rooms: amount(l.Rooms), Search: search,
	}
	if message, err = fillIn(r.Message, f); err != nil {
		return "", nil, fmt.Errorf("message: %w", err)
	}
	message = strings.TrimSpace(message)
	f.Message = message
	for i, s := range r.Steps {
		if s.Do == Goto {
			s.At, err = fillIn(s.At, f)
		} else {
			s.With, err = fillIn(s.With, f)
		}
		if err != nil {
			return "", nil, fmt.Errorf("step %d: %w", i+1, err)
		}
		steps = append(steps, s)
	}
	return message, steps, nil
}

func amount(f float64) string {
	if f <= 0 {
		return ""
	}
	return fmt.Sprintf("%g", f)
}

// fillIn runs one template. Its errors have no name of a template before them.
func fillIn(text string, f Fields) (string, error) {
	t, err := template.New("").Parse(text)
	if err == nil {
		var out strings.Builder
		if err = t.Execute(&out, f); err == nil {
			return out.String(), nil
		}
	}
	_, cause, found := strings.Cut(err.Error(), ">: ")
	if !found {
		cause = strings.TrimPrefix(err.Error(), "template: ")
	}
	return "", fmt.Errorf("%s", cause)
}

// print tells one state of a recipe from another: what it failed at before an edit
// does not count after it.
func (r Recipe) print() string {
	r.Mode, r.DailyLimit = "", 0 // these do not mend it
	sum := sha256.Sum256(fmt.Appendf(nil, "%q", fmt.Sprint(r)))
	return hex.EncodeToString(sum[:6])
}
