package browser

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

const day = 24 * time.Hour

var (
	// publishedWord are the words for having been put up, which tell a date of
	// publication from one of availability.
	publishedWord = `(?:added|listed|posted|published|new|online|updated online|geplaatst|aangeboden|sinds|eingestellt|online seit|inseriert|neu|publicado|nuevo|ajoutée?|publiée?|aggiunto|inserito|pubblicato|dodan[oa]|opublikowano|publicerad|upplagd|oprettet|lagt ut)`
	agoWord       = `(?:ago|geleden|vor|her|hace|il y a|depuis|fa|temu|sedan|siden|há|atrás)`
	unitWord      = `(minut(?:es?|os?|i|en|y)?|mins?|hours?|hrs?|h|uur|uren|stunden?|std\.?|horas?|heures?|or[ae]|godzin\w*|days?|d|dag(?:en)?|tag(?:e|en)?|d[ií]as?|jours?|j|giorn[oi]|dni|dzień|dag(?:ar|er)?|weeks?|weken|wochen?|semanas?|semaines?|settiman[ae]|tygod\w*|veck(?:a|or)|uker?)`

	sinceToday = regexp.MustCompile(`(?i)^(?:` + publishedWord + `\s*:?\s*)?(?:today|vandaag|heute|hoy|aujourd'hui|oggi|dzisiaj|dziś|idag|i dag|just now|zojuist|gerade eben|ahora|à l'instant)(?:[!.]?$|,|\s+(?:by|door|von|at|om|um|\d))`)
	yesterday  = regexp.MustCompile(`(?i)^(?:` + publishedWord + `\s*:?\s*)?(?:yesterday|gisteren|gestern|ayer|hier|ieri|wczoraj|igår|i går)(?:[\s,!.]|$)`)
	someAgo    = regexp.MustCompile(`(?i)^(?:` + publishedWord + `\s*:?\s*)?(?:` + agoWord + `\s+)?(\d{1,3}|an?|een|einer?|un[ao]?|une)\s*` + unitWord + `(?:\s+` + agoWord + `)?[.!]?$`)
	onDate     = newSieve(`(?i)\b` + publishedWord + `\D{0,12}?(\d{1,4})[./-](\d{1,2})[./-](\d{2,4})`)
)

// parsePublished reads when a listing appeared from a short text of its card:
// "Added today", "13 horas", "vor 3 Tagen", "Added on 29/04/2026". A number of
// minutes without "ago" is a walk to the station.
func parsePublished(text string, now time.Time) (time.Time, bool) {
	if len(text) > 60 || text == "" {
		return time.Time{}, false
	}
	if sinceToday.MatchString(text) {
		return now, true
	}
	if yesterday.MatchString(text) {
		return now.Add(-day), true
	}
	if m := someAgo.FindStringSubmatch(text); m != nil {
		unit := unitOf(m[2])
		if unit == time.Minute && len(strings.Fields(text)) < 3 {
			return time.Time{}, false
		}
		n, err := strconv.Atoi(m[1])
		if err != nil {
			n = 1 // "an hour ago"
		}
		return now.Add(-time.Duration(n) * unit), true
	}
	if m := onDate.FindStringSubmatch(text); m != nil {
		return writtenDate(m[1], m[2], m[3], now)
	}
	return time.Time{}, false
}

func unitOf(word string) time.Duration {
	word = strings.ToLower(word)
	for _, u := range []struct {
		starts string
		unit   time.Duration
	}{
		{"min", time.Minute}, {"week wek woch sem sett tyg veck uke", 7 * day}, {"h uur uren st or god", time.Hour},
	} {
		for start := range strings.FieldsSeq(u.starts) {
			if strings.HasPrefix(word, start) {
				return u.unit
			}
		}
	}
	return day
}

// writtenDate reads day, month and year, or year, month and day. What lies in the
// future or years ago is no date of publication.
func writtenDate(a, b, c string, now time.Time) (time.Time, bool) {
	if len(a) == 4 {
		a, c = c, a
	}
	if len(c) == 2 {
		c = "20" + c
	}
	at, err := time.Parse("2/1/2006", strings.TrimLeft(a, "0")+"/"+strings.TrimLeft(b, "0")+"/"+c)
	if err != nil || at.After(now) || at.Before(now.AddDate(-3, 0, 0)) {
		return time.Time{}, false
	}
	return at, true
}
