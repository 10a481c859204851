package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/monitor"
)

// Reply does the steps of a recipe in a page of its own, as monitor.Replier asks,
// and returns a picture of the page as it was last seen, in PNG. Nothing is clicked
// twice. Before the submit it makes sure that the form is the one that the recipe
// was written for: on the recipe's site, every field still holding what was filled
// in, complete by its own rules, and without the proof of success.
func (b *Browser) Reply(ctx context.Context, job monitor.ReplyJob, seal func() error) (result monitor.ReplyResult, picture []byte, err error) {
	e, err := b.running(ctx)
	if err != nil {
		return result, nil, err
	}
	t, err := e.take(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return result, nil, context.Cause(ctx)
		}
		return result, nil, fmt.Errorf("%w: no page could be opened: %s", monitor.ErrBrowser, firstLine(err))
	}
	defer e.put(t)
	f := &form{b: b, e: e, t: t, job: job, seal: seal}
	result, err = f.fill(ctx)
	picture = f.look()
	return result, picture, err
}

// form is a reply under way.
type form struct {
	b      *Browser
	e      *engine
	t      *tab
	job    monitor.ReplyJob
	seal   func() error
	filled []monitor.Step // what the fields should hold
	sealed bool
	shot   []byte // of the form, just before the submit
}

// halt is an error that says why a reply stops here, in words.
type halt struct {
	outcome monitor.ReplyOutcome
	reason  string
}

func (h halt) Error() string { return h.reason }

func stop(format string, args ...any) error {
	return halt{monitor.ReplyStopped, fmt.Sprintf(format, args...)}
}

// fill does all of it. What the page is to blame for is a result, not an error.
func (f *form) fill(ctx context.Context) (monitor.ReplyResult, error) {
	err := f.steps(ctx)
	var h halt
	switch {
	case err == nil && f.job.DryRun:
		return monitor.ReplyResult{Outcome: monitor.ReplyPrepared}, nil
	case err == nil:
		return monitor.ReplyResult{Outcome: monitor.ReplyConfirmed}, nil
	case f.sealed:
		return monitor.ReplyResult{Outcome: monitor.ReplyUnconfirmed, Reason: "no confirmation came: " + firstLine(err)}, nil
	case errors.As(err, &h):
		last := f.t.answer()
		return monitor.ReplyResult{Outcome: h.outcome, Reason: h.reason, Status: last.status, RetryAfter: retryAfter(last.retryAfter, time.Now())}, nil
	case ctx.Err() != nil:
		return monitor.ReplyResult{}, context.Cause(ctx)
	case f.e.isGone() || closed(err):
		return monitor.ReplyResult{}, fmt.Errorf("%w: it ended during a reply", monitor.ErrBrowser)
	}
	return monitor.ReplyResult{}, err
}

func (f *form) steps(ctx context.Context) error {
	steps, page, done := f.job.Steps, f.job.Listing.URL, 0
	if len(steps) > 0 && steps[0].Do == monitor.Goto {
		page, done = steps[0].At, 1
	}
	if err := f.open(ctx, page); err != nil {
		return err
	}
	if err := f.affordable(ctx); err != nil {
		return err
	}
	for i, s := range steps[done:] {
		var err error
		switch s.Do {
		case monitor.Goto:
			err = f.open(ctx, s.At)
		case monitor.Submit:
			err = f.submit(ctx, s)
		default:
			err = f.step(ctx, s)
		}
		var h halt
		switch {
		case errors.As(err, &h):
			return halt{h.outcome, fmt.Sprintf("step %d: %s", done+i+1, h.reason)}
		case err != nil:
			return err
		}
	}
	return nil
}

// open loads a page, and looks whether it is one of the recipe's site that answers
// a person who is signed in.
func (f *form) open(ctx context.Context, address string) error {
	if !f.job.Recipe.Covers(address) {
		return stop("%s is not on %s, which the recipe is for", monitor.HostOf(address), f.job.Recipe.Host)
	}
	v := visit{b: f.b, e: f.e, t: f.t, url: address, caller: ctx, began: time.Now(), search: monitor.Search{URL: address}}
	err := v.load(ctx)
	if err == nil {
		err = f.call(ctx, func() error {
			return f.t.page.WaitForLoadState(playwright.PageWaitForLoadStateOptions{State: playwright.LoadStateDomcontentloaded, Timeout: playwright.Float(0)})
		})
	}
	last := f.t.answer().status
	switch verdict, reason := byStatus(last); {
	case verdict == monitor.Refused:
		return halt{monitor.ReplyRefused, reason}
	case verdict != "":
		return stop("the page %s", reason)
	case errors.Is(err, errLate):
		return stop("the page did not come in time")
	case err != nil && (closed(err) || ctx.Err() != nil):
		return err
	case err != nil:
		return stop("the page did not come: %s", firstLine(err))
	}
	return f.here(ctx)
}

// here makes sure that the page is still on the recipe's site, and no login page.
func (f *form) here(ctx context.Context) error {
	if at := f.t.page.URL(); !f.job.Recipe.Covers(at) {
		return stop("the page went on to another site, %s", monitor.HostOf(at))
	}
	login, err := f.count(ctx, "input[type=password]:visible")
	if err != nil {
		return err
	}
	if login > 0 {
		return stop("a login page came: sign in again, with Sign in… in the menu")
	}
	return nil
}

// step does one step that sends nothing.
func (f *form) step(ctx context.Context, s monitor.Step) error {
	if err := f.one(ctx, s); err != nil {
		return err
	}
	field := f.t.page.Locator(s.At)
	late := playwright.Float(float64(f.job.Patience.Milliseconds()))
	err := f.call(ctx, func() error {
		switch s.Do {
		case monitor.Click:
			return field.Click(playwright.LocatorClickOptions{Timeout: late})
		case monitor.Fill:
			return field.Fill(s.With, playwright.LocatorFillOptions{Timeout: late})
		case monitor.Select:
			_, err := field.SelectOption(playwright.SelectOptionValues{ValuesOrLabels: &[]string{s.With}}, playwright.LocatorSelectOptionOptions{Timeout: late})
			return err
		case monitor.Check:
			return field.Check(playwright.LocatorCheckOptions{Timeout: late})
		}
		return nil
	})
	if err != nil {
		return f.missing(ctx, s, err)
	}
	if s.Do == monitor.Fill {
		f.filled = append(f.filled, s)
	}
	return f.here(ctx)
}

// one waits until exactly one thing on the page is what a step is for.
func (f *form) one(ctx context.Context, s monitor.Step) error {
	err := f.call(ctx, func() error {
		return f.t.page.Locator(s.At).WaitFor(playwright.LocatorWaitForOptions{
			State: playwright.WaitForSelectorStateVisible, Timeout: playwright.Float(float64(f.job.Patience.Milliseconds())),
		})
	})
	if err != nil {
		return f.missing(ctx, s, err)
	}
	return nil
}

// missing says what a step did not find. A login page that came in its place says more.
func (f *form) missing(ctx context.Context, s monitor.Step, err error) error {
	if closed(err) || ctx.Err() != nil {
		return err
	}
	if verdict, reason := byStatus(f.t.answer().status); verdict == monitor.Refused {
		return halt{monitor.ReplyRefused, reason}
	}
	if why := f.here(ctx); why != nil {
		return why
	}
	switch n, _ := f.count(ctx, s.At); {
	case strings.Contains(err.Error(), "strict mode"):
		return stop("%s %s: there are %d of it, so the form may have changed", s.Do, s.At, n)
	case n == 0:
		return stop("%s %s: it is not on the page, so the form may have changed", s.Do, s.At)
	}
	return stop("%s %s: it cannot be used: %s", s.Do, s.At, firstLine(err))
}

// affordable holds the rent on the listing's own page against the search's filter:
// it may have changed since the results were read.
func (f *form) affordable(ctx context.Context) error {
	if f.job.Recipe.Price == "" || f.job.MaxPrice <= 0 {
		return nil
	}
	shown := monitor.Step{Do: monitor.Wait, At: f.job.Recipe.Price}
	if err := f.one(ctx, shown); err != nil {
		return err
	}
	text, err := f.text(ctx, `(e) => e.innerText`, shown.At)
	if err != nil {
		return f.missing(ctx, shown, err)
	}
	price, read := parsePrice(text, place{})
	if monthly, known := price.Monthly(); read && known && monthly > f.job.MaxPrice {
		return stop("the rent is %s now, over the filter's %g", price.Text, f.job.MaxPrice)
	}
	return nil
}

// submit is the click that sends, once all that can be known before it is good.
func (f *form) submit(ctx context.Context, s monitor.Step) error {
	if err := f.ready(ctx, s); err != nil {
		return err
	}
	f.shot = f.look()
	if f.job.DryRun {
		return nil
	}
	if err := f.seal(); err != nil {
		return err
	}
	f.sealed = true
	late := playwright.Float(float64(f.job.Patience.Milliseconds()))
	// From here on nothing is cut short: whoever waits wants to know what came of it.
	ctx = context.WithoutCancel(ctx)
	// A click that the driver says was late may have been made: only the proof counts.
	_ = f.call(ctx, func() error { return f.t.page.Locator(s.At).Click(playwright.LocatorClickOptions{Timeout: late}) })
	return f.call(ctx, func() error {
		return f.t.page.Locator(f.job.Recipe.Success).First().WaitFor(playwright.LocatorWaitForOptions{State: playwright.WaitForSelectorStateVisible, Timeout: late})
	})
}

// complete says of a form what it would do on submit: where it leads, and whether
// its own rules are met.
const complete = `(button) => {
	const form = button.form || button.closest('form');
	return form ? [form.checkValidity(), button.formAction && button.hasAttribute('formaction') ? button.formAction : form.action] : [true, ''];
}`

// ready makes sure that the submit would send what the recipe means.
func (f *form) ready(ctx context.Context, s monitor.Step) error {
	if err := f.one(ctx, s); err != nil {
		return err
	}
	if n, err := f.count(ctx, f.job.Recipe.Success); err != nil {
		return err
	} else if n > 0 {
		return stop("%s is on the page before anything was sent: there may have been a reply already", f.job.Recipe.Success)
	}
	for _, field := range f.filled {
		held, err := f.text(ctx, `(e) => 'value' in e ? e.value : e.innerText`, field.At)
		if err != nil {
			return f.missing(ctx, field, err)
		}
		if strings.Join(strings.Fields(held), " ") != strings.Join(strings.Fields(field.With), " ") {
			return stop("the page has changed what was filled into %s", field.At)
		}
	}
	late := playwright.Float(float64(f.job.Patience.Milliseconds()))
	button := f.t.page.Locator(s.At)
	// A trial makes all the tests of a click and does not click.
	if err := f.call(ctx, func() error {
		return button.Click(playwright.LocatorClickOptions{Trial: playwright.Bool(true), Timeout: late})
	}); err != nil {
		return f.missing(ctx, s, err)
	}
	asking, cancel := limit(ctx, f.job.Patience)
	defer cancel()
	value, err := within(asking, f.e.gone, nil, func() (any, error) { return button.Evaluate(complete, nil) })
	if err != nil {
		return f.missing(ctx, s, err)
	}
	pair, _ := value.([]any)
	if len(pair) == 2 && pair[0] == false {
		return stop("the form wants more than the recipe fills in, so it may have changed")
	}
	if len(pair) == 2 {
		if to, _ := pair[1].(string); to != "" && !strings.HasPrefix(to, "javascript:") && !f.job.Recipe.Covers(to) {
			return stop("the form leads to another site, %s", monitor.HostOf(to))
		}
	}
	return f.here(ctx)
}

func (f *form) text(ctx context.Context, script, selector string) (string, error) {
	ctx, cancel := limit(ctx, f.job.Patience)
	defer cancel()
	value, err := within(ctx, f.e.gone, nil, func() (any, error) { return f.t.page.Locator(selector).Evaluate(script, nil) })
	text, _ := value.(string)
	return text, err
}

// count is how many visible things a selector finds.
func (f *form) count(ctx context.Context, selector string) (int, error) {
	ctx, cancel := limit(ctx, f.job.Patience)
	defer cancel()
	return within(ctx, f.e.gone, nil, func() (int, error) {
		return f.t.page.Locator(selector).Filter(playwright.LocatorFilterOptions{Visible: playwright.Bool(true)}).Count()
	})
}

// call makes one call to the driver, which has a deadline of its own; ours is later.
func (f *form) call(ctx context.Context, call func() error) error {
	ctx, cancel := limit(ctx, f.job.Patience+f.b.limits.PageClose)
	defer cancel()
	return do(ctx, f.e.gone, call)
}

// look takes a picture of the page; nil when there is none to be had.
func (f *form) look() []byte {
	if f.job.DryRun && f.shot != nil {
		return f.shot
	}
	ctx, cancel := limit(context.Background(), f.b.limits.NewPage)
	defer cancel()
	picture, err := within(ctx, f.e.gone, nil, func() ([]byte, error) { return f.t.page.Screenshot() })
	if err != nil {
		return f.shot
	}
	return picture
}
