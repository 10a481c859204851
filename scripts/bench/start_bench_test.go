//go:build linux

package main

import (
	"testing"

	"notifio.app/notifio/internal/fake/portal"
)

// BenchmarkStart measures from the beginning of the process to the first request at
// the portal, with everything installed and a profile that is there, beside a
// process that does nothing but launch the same browser by Playwright.
func BenchmarkStart(b *testing.B) {
	h := newHousehold(b)
	search := h.portal.Host("a").Search("/rooms").ShowRange(30, 1)
	h.configure("", []*portal.Search{search})
	profile := b.TempDir()
	var ours, other []float64
	for n := range runs(10, 3) + 1 {
		p := h.start()
		all := h.portal.AwaitRequests(b.Context(), "a", n+1)
		took := all[n].At.Sub(p.began)
		h.desk.AwaitIcon()
		p.end()
		q, bare := startBareProcess(b, profile, nil)
		q.end()
		if n > 0 {
			ours, other = append(ours, ms(took)), append(other, ms(bare))
		}
	}
	hand(b, reading{
		Row: rowStart, What: "start: process begin to the first request", Unit: "ms",
		Ours: ours, Floor: &floor{"a process that launches by Playwright alone", other}, Aim: &aim{"≤ 1.5 ×", onRatio, 1.5},
	})
}
