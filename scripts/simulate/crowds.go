package main

import (
	"time"

	"notifio.app/notifio/monitor"
)

// length of the simulated time.
const length = time.Hour

// refusal of the second experiment. The crowd has long been running then.
var refusal = outage{from: 10 * time.Minute, to: 20 * time.Minute}

// ours are the habits of Notifio as it is, started by a login.
func ours(searches int) habits {
	return habits{timing: monitor.DefaultTiming(), searches: searches, took: time.Second, spread: true, ladder: true}
}

// starting are the crowds of the first experiment; the last one is Notifio's.
func starting(copies int, seed uint64) []crowd {
	with := func(name string, jitter, spread bool) crowd {
		h := ours(1)
		h.spread = spread
		if !jitter {
			h.timing.Jitter = 0
		}
		return crowd{name: name, copies: copies, habits: h, length: length, seed: seed}
	}
	return []crowd{
		with("every 30 s, no jitter", false, false),
		with("±5 s jitter", true, false),
		with("no jitter, first check spread", false, true),
		with("±5 s jitter, first check spread", true, true),
	}
}

// returning are the crowds of the second experiment; the last one is Notifio's.
func returning(copies int, seed uint64) []crowd {
	with := func(name string, change func(*habits)) crowd {
		h := ours(5)
		change(&h)
		return crowd{name: name, copies: copies, habits: h, host: refusal, length: length, seed: seed}
	}
	return []crowd{
		with("no ladder, in step", func(h *habits) {
			h.ladder, h.spread, h.timing.Jitter, h.timing.SpacingJitter = false, false, 0, 0
		}),
		with("no ladder", func(h *habits) { h.ladder = false }),
		with("one probe, exact ladder", func(h *habits) { h.timing.LadderJitter = 0 }),
		with("one probe, ladder ±10 %", func(*habits) {}),
	}
}
