package browser

import (
	"testing"
	"time"
)

func TestPublishedAsCardsSayIt(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		text string
		want time.Time // zero: says nothing
	}{
		{"Added today", now}, {"vandaag", now}, {"Heute, 14:20", now}, {"Just now", now},
		{"Added yesterday", now.Add(-day)}, {"Gestern", now.Add(-day)},
		{"13 horas", now.Add(-13 * time.Hour)}, {"3 days ago", now.Add(-3 * day)}, {"vor 2 Tagen", now.Add(-2 * day)},
		{"hace 5 minutos", now.Add(-5 * time.Minute)}, {"20 minutes ago", now.Add(-20 * time.Minute)}, {"il y a 4 jours", now.Add(-4 * day)},
		{"2 weken geleden", now.Add(-14 * day)}, {"Online: 3 Stunden", now.Add(-3 * time.Hour)}, {"an hour ago", now.Add(-time.Hour)}, {"2 giorni fa", now.Add(-2 * day)},
		{"Added on 29/04/2026", time.Date(2026, 4, 29, 0, 0, 0, 0, time.UTC)}, {"Geplaatst op 01-11-2026", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)},
		{"Eingestellt am 2026-11-02", time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)},
		{"11 min", time.Time{}}, {"11 min to the station", time.Time{}}, {"Available from 01/12/2026", time.Time{}}, {"Added on 29/04/2027", time.Time{}},
		{"2 rooms", time.Time{}}, {"Newly renovated", time.Time{}}, {"Reduced on 28/11/2026", time.Time{}}, {"", time.Time{}}, {"Today only: no fees", time.Time{}}, {"Added today by Some Agents", now},
	}
	for _, tt := range tests {
		got, ok := parsePublished(tt.text, now)
		if !got.Equal(tt.want) || ok != !tt.want.IsZero() {
			t.Errorf("%q: %v, %v, want %v", tt.text, got, ok, tt.want)
		}
	}
}
