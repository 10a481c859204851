//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// BenchmarkMemory measures the whole tree of the real program, idle between the
// first cycles, during 1,000 checks and after them. Only one browser is up at a
// time: what two of them share would be told as half.
func BenchmarkMemory(b *testing.B) {
	plain := bareMemory(b, nil)
	h := newHousehold(b)
	h.configure("interval = \"5s\"\njitter = \"1s\"", h.fifteen(15))
	p := h.start()
	checks := runs(1000, 150)
	h.settled(30)
	idle := h.sample(p, 5)
	during := usage{}
	for len(h.portal.All()) < checks {
		during.add(p)
		h.wait(len(h.portal.All()) + 4)
	}
	h.settled(len(h.portal.All()))
	after := h.sample(p, 5)
	switches := p.tree().chromiumSwitches()
	p.end()
	light := bareMemory(b, []string{"NODE_OPTIONS=--max-semi-space-size=1"}, ourSwitches(switches)...)

	bare := &floor{"bare session", plain}
	hand(b, reading{Row: rowMemory, What: "memory of the tree, idle after the first checks", Unit: "MB", Ours: idle.all, Floor: bare,
		Note: idle.split(), Aim: &aim{"≤ 1.0 ×", onRatio, 1}})
	hand(b, reading{Row: rowMemory, What: fmt.Sprintf("memory of the tree, during %d checks", checks), Unit: "MB", Ours: during.all, Floor: bare, Note: during.split()})
	hand(b, reading{Row: rowMemory, What: fmt.Sprintf("memory of the tree, idle after %d checks", checks), Unit: "MB", Ours: after.all, Floor: bare,
		Note: after.split(), Aim: &aim{"≤ 1.0 ×", onRatio, 1}})
	hand(b, reading{Row: rowMemory, What: "the same against a bare session with our switches", Unit: "MB", Ours: after.all, Floor: &floor{"bare, our switches", light}})
	hand(b, reading{Row: rowMemory, What: "growth over those checks", Unit: "%",
		Ours: []float64{100 * (spreadOf(after.all).Median/spreadOf(idle.all).Median - 1)}, Aim: &aim{"≤ 5 %", onMedian, 5}})
	hand(b, reading{Row: rowMemory, What: "memory of Notifio itself", Unit: "MB",
		Ours: slices.Concat(idle.own, during.own, after.own), Aim: &aim{"≤ 40 MB", onMedian, 40}})
}

// usage is what a tree takes, sample by sample, in MB.
type usage struct{ all, own, node, chromium []float64 }

func (u *usage) add(p *process) {
	all, own, node, chromium := p.memory()
	u.all, u.own = append(u.all, all), append(u.own, own)
	u.node, u.chromium = append(u.node, node), append(u.chromium, chromium)
}

func (u usage) split() string {
	m := func(s []float64) string { return number(spreadOf(s).Median) }
	return fmt.Sprintf("Notifio %s, node %s, Chromium %s", m(u.own), m(u.node), m(u.chromium))
}

// wait waits until there have been n requests.
func (h *household) wait(n int) {
	for h.b.Context().Err() == nil && len(h.portal.All()) < n {
		time.Sleep(200 * time.Millisecond)
	}
}

// settled waits for n requests and for the end of the cycle that they are in.
func (h *household) settled(n int) {
	h.wait(n)
	for time.Since(h.last()) < 2500*time.Millisecond {
		time.Sleep(100 * time.Millisecond)
	}
}

// last is when the last request came.
func (h *household) last() time.Time {
	all := h.portal.All()
	return all[len(all)-1].At
}

// sample looks at the memory in the pauses of the coming cycles.
func (h *household) sample(p *process, cycles int) usage {
	var u usage
	for range cycles {
		h.settled(len(h.portal.All()))
		u.add(p)
		h.wait(len(h.portal.All()) + 15)
	}
	return u
}

// bareMemory is what bare sessions take a while after their start, in MB.
func bareMemory(b *testing.B, env []string, switches ...string) []float64 {
	b.Helper()
	var all []float64
	for range runs(3, 1) {
		p, _ := startBareProcess(b, b.TempDir(), env, switches...)
		time.Sleep(10 * time.Second) // Chromium starts some things late
		sum, _, _, _ := p.memory()
		all = append(all, sum)
		p.end()
	}
	return all
}

// ourSwitches are those that have to do with memory.
func ourSwitches(line []string) []string {
	return slices.DeleteFunc(slices.Clone(line), func(s string) bool {
		for _, kept := range []string{"--disable-features=", "--blink-settings=", "--disable-remote-fonts", "--disable-software-rasterizer"} {
			if strings.HasPrefix(s, kept) {
				return false
			}
		}
		return true
	})
}
