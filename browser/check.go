package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mxschmitt/playwright-go"

	"notifio.app/notifio/monitor"
)

// Check loads one search and reads it, as monitor.Checker asks: the page, or an
// error when there is no verdict because ctx ended or because the browser, and
// not the host, is in trouble (then it wraps monitor.ErrBrowser).
func (b *Browser) Check(ctx context.Context, s monitor.Search) (monitor.Page, error) {
	began := time.Now()
	address, err := b.address(s.URL)
	if err != nil {
		return monitor.Page{}, err
	}
	hard, cancel := limit(ctx, b.limits.Check)
	defer cancel()
	e, err := b.running(hard)
	if err != nil {
		return monitor.Page{}, err
	}
	v := visit{b: b, e: e, search: s, url: address, caller: ctx, began: began}
	page, err := v.run(hard)
	if err != nil {
		return monitor.Page{}, err
	}
	page.Took = time.Since(began)
	return page, nil
}

// address is the URL that is really requested.
func (b *Browser) address(url string) (string, error) {
	if !strings.HasPrefix(url, "demo:") {
		return url, nil
	}
	if b.options.Demo == nil {
		return "", fmt.Errorf("%w: the demo portal is not running", monitor.ErrBrowser)
	}
	return b.options.Demo(url), nil
}

// visit is one check under way, in a page of its own.
type visit struct {
	b      *Browser
	e      *engine
	t      *tab
	search monitor.Search
	url    string
	caller context.Context // ends by Pause and Quit; the limits of ours do not show in it
	began  time.Time       // of the whole check
	asked  time.Time       // when the page was requested
}

// run takes a page, loads and reads it, and gives it back whatever happens. A
// page that was late is closed before run returns, because only then is it known
// whether the page is to blame or the browser.
func (v *visit) run(ctx context.Context) (monitor.Page, error) {
	var err error
	if v.t, err = v.e.take(ctx); err == nil {
		if err = v.e.arm(ctx, v.t); err != nil {
			v.e.put(v.t)
		}
	}
	if err != nil {
		return v.noPage(err)
	}
	page, err := v.look(ctx)
	if errors.Is(err, errLate) && v.caller.Err() == nil {
		gone := v.e.drop(v.t)
		v.e.work.Go(v.e.refill)
		if gone != nil {
			return monitor.Page{}, fmt.Errorf("%w: it did not answer any more and was ended", monitor.ErrBrowser)
		}
		if v.hurried() {
			return monitor.Page{}, fmt.Errorf("%w: it took too long to start", monitor.ErrBrowser)
		}
		return monitor.Page{Verdict: monitor.Failed, Reason: err.Error()}, nil
	}
	v.e.put(v.t)
	if err != nil {
		return v.settle(err)
	}
	return page, nil
}

// late is errLate with the words of the step that was late.
type late struct{ text string }

func (l late) Error() string { return l.text }
func (l late) Unwrap() error { return errLate }

// noPage says what it means that no page could be opened.
func (v *visit) noPage(err error) (monitor.Page, error) {
	if v.caller.Err() != nil {
		return monitor.Page{}, context.Cause(v.caller)
	}
	if !v.e.isGone() && v.e.alive(v.caller) != nil && v.caller.Err() == nil {
		v.e.condemn()
	}
	return monitor.Page{}, fmt.Errorf("%w: no page could be opened: %s", monitor.ErrBrowser, firstLine(err))
}

// settle turns an error of the driver into a verdict, or into an error that is
// not the host's.
func (v *visit) settle(err error) (monitor.Page, error) {
	if v.caller.Err() != nil {
		return monitor.Page{}, context.Cause(v.caller)
	}
	failed := func(reason string) (monitor.Page, error) {
		return monitor.Page{Verdict: monitor.Failed, Reason: reason, Status: v.t.answer().status}, nil
	}
	if passed(v.t.crashed) && !v.e.isGone() {
		return failed("the page crashed")
	}
	if closed(err) {
		if v.e.isGone() || v.e.alive(v.caller) != nil {
			if v.caller.Err() != nil {
				return monitor.Page{}, context.Cause(v.caller)
			}
			v.e.give()
			return monitor.Page{}, fmt.Errorf("%w: it ended during the check", monitor.ErrBrowser)
		}
		if passed(v.t.crashed) {
			return failed("the page crashed")
		}
		return failed("the page closed itself")
	}
	return failed("the page could not be read: " + firstLine(err))
}

// look loads the page and reads it.
func (v *visit) look(ctx context.Context) (monitor.Page, error) {
	if err := v.load(ctx); err != nil {
		if page, ok := explain(err.Error()); ok {
			return v.refusal(page), nil
		}
		return monitor.Page{}, err
	}
	l, err := v.read(ctx)
	if errors.Is(err, errCircle) {
		page, _ := explain(err.Error())
		return v.refusal(page), nil
	}
	if err != nil {
		return monitor.Page{}, err
	}
	judging, cancel := limit(ctx, v.left(v.b.limits.Read))
	defer cancel()
	l.Done = judging.Done()
	page, err := within(judging, v.e.gone, nil, func() (monitor.Page, error) { return v.answered(l), nil })
	if errors.Is(err, errLate) {
		return monitor.Page{}, late{"the page is too big to be read within " + v.since()}
	}
	return page, err
}

// answered lets the reader judge, and adds what it cannot know better.
func (v *visit) answered(l loaded) monitor.Page {
	page := v.b.reader.read(l)
	page.Status, page.RetryAfter = l.Status, l.RetryAfter
	if page.FinalURL == "" {
		page.FinalURL = l.FinalURL
	}
	return page
}

// refusal gives a failed navigation the status of its answer. Chromium shows an
// error page of its own for an error status with an empty body, which is how
// many a portal refuses: then the reader has the last word, on an empty document.
func (v *visit) refusal(page monitor.Page) monitor.Page {
	last := v.t.answer()
	page.Status = last.status
	page.RetryAfter = retryAfter(last.retryAfter, time.Now())
	page.FinalURL = v.url
	if last.status < 400 || page.Verdict != monitor.Failed {
		return page
	}
	return v.answered(loaded{
		Search: v.search, URL: v.url, FinalURL: v.url, Status: last.status, RetryAfter: page.RetryAfter,
		Raw: json.RawMessage(emptyDocument), At: time.Now(),
	})
}

// emptyDocument is what the script would return for a document with nothing in it.
const emptyDocument = `{"settled":true}`

// load requests the page and waits for the beginning of its document.
func (v *visit) load(ctx context.Context) error {
	v.asked = time.Now()
	ctx, cancel := limit(ctx, v.left(v.b.limits.Answer))
	defer cancel()
	_, err := within(ctx, v.e.gone, nil, func() (playwright.Response, error) {
		return v.t.page.Goto(v.url, playwright.PageGotoOptions{
			WaitUntil: playwright.WaitUntilStateCommit,
			Timeout:   playwright.Float(0), // ours holds
		})
	})
	if errors.Is(err, errLate) {
		return late{"the site did not answer within " + v.since()}
	}
	// A driver that lost its renderer can report a navigation that never was.
	if err == nil && v.t.answer().status == 0 {
		return errors.New("no document came")
	}
	return err
}

// since is how long ago the page was requested, in words.
func (v *visit) since() string {
	return fmt.Sprintf("%.0f s", time.Since(v.asked).Seconds())
}

// end is when a limit that counts from the request is over. A check that had to wait
// for its browser has less, so that it is over in time all the same.
func (v *visit) end(l time.Duration) time.Time {
	limits := v.b.limits
	end := v.began.Add(limits.Check - limits.PageClose - limits.Alive - (limits.Read - l))
	if own := v.asked.Add(l); own.Before(end) {
		return own
	}
	return end
}

func (v *visit) left(l time.Duration) time.Duration { return time.Until(v.end(l)) }

// hurried says whether so much time went into starting the browser that the host
// cannot be blamed for being late: it had no more than half of its time.
func (v *visit) hurried() bool {
	answer := v.b.limits.Answer
	return v.end(answer).Sub(v.asked) <= answer/2
}

// reading is evaluated as soon as the document has begun: it waits in the page until
// the document is parsed, at most parse_ms, and then lets the extraction script settle
// and read. It says whether the document was late.
const reading = `async (options) => {
	const began = performance.now();
	if (document.readyState === 'loading') {
		await new Promise((go) => {
			document.addEventListener('DOMContentLoaded', go, { once: true });
			setTimeout(go, options.parse_ms);
		});
	}
	const late = document.readyState === 'loading';
	const left = late ? 0 : options.read_ms - (performance.now() - began);
	const script = %s;
	return (late ? 'late' : '') + await script({ ...options, settle_ms: Math.max(0, Math.min(options.settle_ms, left)) });
}`

// read evaluates the script, again when the page goes on to another document, and
// when it had asked its site for more.
func (v *visit) read(ctx context.Context) (loaded, error) {
	limits := v.b.limits
	ctx, cancel := limit(ctx, v.left(limits.Read))
	defer cancel()
	alive, crash := context.WithCancelCause(ctx)
	defer crash(nil)
	go func() { // a call to a renderer that has died does not come back
		select {
		case <-v.t.crashed:
			crash(errors.New("the page crashed"))
		case <-alive.Done():
		}
	}()
	settle, end := limit(ctx, settleMS*time.Millisecond)
	defer end()
	until, _ := settle.Deadline()
	for hop := 0; hop <= limits.Redirects; {
		options := v.b.reader.options(v.search, v.url)
		options["settle_ms"] = max(1, time.Until(until).Milliseconds())
		options["parse_ms"] = max(0, v.left(limits.Answer).Milliseconds())
		options["read_ms"] = max(0, v.left(limits.Read-limits.Late).Milliseconds())
		value, err := within(alive, v.e.gone, nil, func() (string, error) { return v.t.wire.evaluate(v.b.script, options) })
		switch {
		case err == nil && v.more(settle):
			continue
		case err == nil:
			return v.loaded(value, settle.Err() != nil)
		case errors.Is(err, errTooLarge):
			return loaded{}, late{err.Error()}
		case errors.Is(err, errLate) && hop > 0:
			return loaded{}, late{"the page kept going on to another one for " + v.since()}
		case errors.Is(err, errLate):
			return loaded{}, late{"the page was too busy to be read within " + v.since()}
		case !wentOn(err):
			return loaded{}, err
		}
		hop++
	}
	return loaded{}, errCircle
}

var errCircle = errors.New("net::ERR_TOO_MANY_REDIRECTS")

// wentOn says whether a script was cut off because its page moved to another document.
func wentOn(err error) bool {
	text := err.Error()
	for _, sign := range []string{"context was destroyed", "Promise was collected", "Cannot find context with specified id", "navigated or closed", "rame with the given", "rame for given id"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// loaded packs what the script returned for the reader. unfinished says that the page
// still waited for something when its time was over.
func (v *visit) loaded(text string, unfinished bool) (loaded, error) {
	text, tooLate := strings.CutPrefix(text, "late")
	last, now := v.t.answer(), time.Now()
	final := v.t.page.URL()
	if strings.HasPrefix(final, "chrome-error:") { // Chromium's own page for an empty refusal
		final = v.url
	}
	return loaded{
		Search: v.search, URL: v.url, FinalURL: final, Status: last.status,
		RetryAfter: retryAfter(last.retryAfter, now), Raw: json.RawMessage(text), At: now, Late: tooLate || unfinished,
	}, nil
}
