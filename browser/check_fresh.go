package browser

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/mxschmitt/playwright-go"
)

// wire is a page's own line to Chromium. What is set on it holds for that page and
// for nothing else, so that a sign-in window, a reply and the other tabs of a
// browser elsewhere keep their caches and workers.
type wire struct{ playwright.CDPSession }

// freshPatterns are what a check never takes from a cache: the document, and what
// its scripts ask for. Scripts, styles and pictures may be kept.
var freshPatterns = []any{
	map[string]any{"resourceType": "Document"}, map[string]any{"resourceType": "XHR"}, map[string]any{"resourceType": "Fetch"},
}

// noWorkers lets no page of a check register a service worker. It would answer from
// its own cache, and go on working between checks.
const noWorkers = `if (self.ServiceWorkerContainer) {
	ServiceWorkerContainer.prototype.register = () => Promise.reject(new DOMException('not in this page', 'NotSupportedError'));
}`

// arm makes a page ask afresh, and keeps service workers out of it.
func (e *engine) arm(ctx context.Context, t *tab) error {
	ctx, cancel := limit(ctx, e.limits.NewPage)
	defer cancel()
	var err error
	t.wire, err = within(ctx, e.gone, nil, func() (*wire, error) {
		session, err := e.context.NewCDPSession(t.page)
		if err != nil {
			return nil, err
		}
		w := &wire{session}
		// The handler runs on the driver's one goroutine for messages and may not wait.
		session.On("Fetch.requestPaused", func(event map[string]any) { go w.ask(event) })
		for _, command := range []struct {
			method string
			params map[string]any
		}{
			{"Network.enable", map[string]any{"maxTotalBufferSize": 0, "maxResourceBufferSize": 0}},
			{"Network.setBypassServiceWorker", map[string]any{"bypass": true}},
			{"Fetch.enable", map[string]any{"patterns": freshPatterns}},
		} {
			if _, err := session.Send(command.method, command.params); err != nil {
				return nil, fmt.Errorf("%s: %w", command.method, err)
			}
		}
		return w, t.page.AddInitScript(playwright.Script{Content: playwright.String(noWorkers)})
	})
	return err
}

// ask lets a request go, past the cache. The header is added below the page's own
// rules for requests to other sites, so that nobody is asked for leave first.
func (w *wire) ask(event map[string]any) {
	request, _ := event["request"].(map[string]any)
	given, _ := request["headers"].(map[string]any)
	headers := []any{map[string]any{"name": "Cache-Control", "value": "no-cache"}}
	for name, value := range given {
		if !strings.EqualFold(name, "Cache-Control") {
			headers = append(headers, map[string]any{"name": name, "value": value})
		}
	}
	// A page that was closed meanwhile has no requests any more.
	_, _ = w.Send("Fetch.continueRequest", map[string]any{"requestId": event["requestId"], "headers": headers})
}

// evaluate calls a function of ours in a world of its own, which sees the page's
// document and none of what the page has done to the language.
func (w *wire) evaluate(script string, options map[string]any) (string, error) {
	tree, err := w.Send("Page.getFrameTree", nil)
	if err != nil {
		return "", err
	}
	frame, _ := dig(tree, "frameTree", "frame", "id").(string)
	world, err := w.Send("Page.createIsolatedWorld", map[string]any{"frameId": frame, "worldName": "notifio"})
	if err != nil {
		return "", err
	}
	answer, err := w.Send("Runtime.callFunctionOn", map[string]any{
		"functionDeclaration": script, "executionContextId": dig(world, "executionContextId"),
		"arguments": []any{map[string]any{"value": options}}, "awaitPromise": true, "returnByValue": true,
	})
	if err != nil {
		return "", err
	}
	if text, ok := dig(answer, "result", "value").(string); ok {
		if len(text) > mostAnswer {
			return "", errTooLarge
		}
		return text, nil
	}
	fault, _ := dig(answer, "result", "description").(string)
	return "", fmt.Errorf("the script failed: %s", fault)
}

// mostAnswer is how many bytes a page may hand over. The largest page that was seen
// hands over 2 MB; the script itself stops at 8 million letters.
const mostAnswer = 32 << 20

var errTooLarge = errors.New("the page is too big to be read")

// dig goes down into an answer. The library takes the outermost name away where an
// answer has only one.
func dig(answer any, path ...string) any {
	for i, name := range path {
		in, ok := answer.(map[string]any)
		inner, there := in[name]
		switch {
		case ok && there:
			answer = inner
		case i > 0:
			return nil
		}
	}
	return answer
}

// stopWorkers ends the service workers of all sites, so that none works between
// the checks. It is for a browser of our own.
func (w *wire) stopWorkers() error {
	if _, err := w.Send("ServiceWorker.enable", nil); err != nil {
		return err
	}
	_, err := w.Send("ServiceWorker.stopAllWorkers", nil)
	return err
}
