package browser

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// retryAfter reads a Retry-After header (RFC 9110, 10.2.3): whole seconds or a
// date. It returns how long from now the host asks us to stay away, and 0 for a
// header that is absent, unreadable or in the past.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if header == "" {
		return 0
	}
	// Some servers send fractions, which the RFC does not have.
	if s, err := strconv.ParseFloat(header, 64); err == nil {
		const longest = math.MaxInt64 / float64(time.Second)
		if math.IsNaN(s) || s <= 0 {
			return 0
		}
		return time.Duration(min(s, longest-1) * float64(time.Second))
	}
	at, err := http.ParseTime(header)
	if err != nil {
		return 0
	}
	return max(0, at.Sub(now))
}
