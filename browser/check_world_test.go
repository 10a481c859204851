package browser

import (
	"fmt"
	"net/http"
	"testing"
)

// What a page replaces in its own world does not reach our script.
func TestPageCannotReachOurScript(t *testing.T) {
	t.Parallel()
	b := browserFor(t, nil)
	attacks := []string{
		`JSON.stringify = () => '{"nodes":[' + '{"p":-1,"t":"a"},'.repeat(260000) + '{"p":-1}]}'`,
		`JSON.stringify = () => 'x'.repeat(150 << 20)`,
		`Array.prototype.push = Array.prototype.filter = Map.prototype.set = () => { throw 'mine'; }`,
		`Object.defineProperty(Node.prototype, 'nodeType', { get() { for (;;); } }); Object.defineProperty(Node.prototype, 'lastChild', { get() { for (;;); } })`,
		`globalThis.setTimeout = globalThis.MutationObserver = Promise.prototype.then = performance.now = () => {}`,
	}
	at := serve(t, func(w http.ResponseWriter, r *http.Request) {
		var n int
		_, _ = fmt.Sscanf(r.URL.Path, "/%d", &n)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, resultsHTML(12), "<script>", attacks[n], "</script>")
	})
	for n, attack := range attacks {
		if p := mustCheck(t, b, at("a", fmt.Sprintf("/%d", n))); len(p.Listings) != 12 {
			t.Errorf("%s: %d listings (%s)", attack, len(p.Listings), p.Reason)
		}
	}
}
