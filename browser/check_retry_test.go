package browser

import (
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		header string
		want   time.Duration
	}{
		{"", 0},
		{"120", 2 * time.Minute},
		{" 120 ", 2 * time.Minute},
		{"1.5", 1500 * time.Millisecond},
		{"0", 0},
		{"-5", 0},
		{"NaN", 0},
		{"soon", 0},
		{"Mon, 30 Nov 2026 12:30:00 GMT", 30 * time.Minute},
		{"Monday, 30-Nov-26 12:30:00 GMT", 30 * time.Minute},
		{"Mon Nov 30 12:30:00 2026", 30 * time.Minute},
		{"Mon, 30 Nov 2026 11:00:00 GMT", 0},
		{"Mon, 30 Nov 2026 14:30:00 +0100", 0},
	} {
		if got := retryAfter(c.header, now); got != c.want {
			t.Errorf("%q: %s, want %s", c.header, got, c.want)
		}
	}
	for _, absurd := range []string{"1e300", "99999999999999999999", "+Inf"} {
		if got := retryAfter(absurd, now); got < 1000*time.Hour {
			t.Errorf("%q: %s", absurd, got)
		}
	}
}
