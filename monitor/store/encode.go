package store

import (
	"encoding/json"
	"fmt"
	"math"
	"time"

	"notifio.app/notifio/monitor"
)

// A page can hold anything, and one odd value must not keep a whole change off
// the disk. So values that neither JSON nor SQLite can hold are written as "not
// shown" rather than refused.

func finite(f float64) float64 {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return 0
	}
	return f
}

// storable is t as JSON can hold it: with a year of four digits, else zero.
func storable(t time.Time) time.Time {
	if y := t.UTC().Year(); y < 1 || y > 9998 {
		return time.Time{}
	}
	if _, offset := t.Zone(); offset%60 != 0 || offset <= -24*3600 || offset >= 24*3600 {
		return t.UTC()
	}
	return t
}

func cleanPrice(p monitor.Price) monitor.Price {
	p.Amount, p.AmountMax = finite(p.Amount), finite(p.AmountMax)
	return p
}

func cleanListing(l monitor.Listing) monitor.Listing {
	l.Price = cleanPrice(l.Price)
	l.AreaM2, l.Rooms = finite(l.AreaM2), finite(l.Rooms)
	l.Published = storable(l.Published)
	return l
}

func cleanListings(ls []monitor.Listing) []monitor.Listing {
	if ls == nil {
		return nil
	}
	out := make([]monitor.Listing, len(ls))
	for i, l := range ls {
		out[i] = cleanListing(l)
	}
	return out
}

func cleanRecord(r monitor.Record) monitor.Record {
	r.Baseline = cleanListings(r.Baseline)
	r.AcceptedAt, r.HalfAt, r.DisabledAt = storable(r.AcceptedAt), storable(r.HalfAt), storable(r.DisabledAt)
	r.Alone.RetryAt = storable(r.Alone.RetryAt)
	if r.Look != nil {
		r.Look = &monitor.Look{At: storable(r.Look.At), Listings: cleanListings(r.Look.Listings)}
	}
	return r
}

func cleanAlert(a monitor.Alert) monitor.Alert {
	a.Listing, a.Was, a.Found = cleanListing(a.Listing), cleanPrice(a.Was), storable(a.Found)
	return a
}

func cleanHost(h monitor.HostRecord) monitor.HostRecord {
	h.RetryAt = storable(h.RetryAt)
	return h
}

// encode is JSON as text, for a column of a STRICT table.
func encode(v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode a %T: %w", v, err)
	}
	return string(b), nil
}

// decode fails with ErrDamaged: what does not decode was not written like that.
func decode(body string, into any) error {
	if err := json.Unmarshal([]byte(body), into); err != nil {
		return fmt.Errorf("read a %T: %w: %w", into, ErrDamaged, err)
	}
	return nil
}

// nanos and instant are a time in an INTEGER column, 0 for the zero time and for
// one that nanoseconds since 1970 cannot reach.
func nanos(t time.Time) int64 {
	if y := t.UTC().Year(); y < 1678 || y > 2261 {
		return 0
	}
	return t.UnixNano()
}

func instant(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.Unix(0, n).UTC()
}
