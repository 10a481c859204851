package browser

import (
	"regexp"
	"strconv"
	"strings"
)

// pairs joins a label and its number where they stand on lines of their own:
// "Zimmer" above "3", or "3" above "rooms".
func pairs(lines []string) []string {
	var out []string
	for i, line := range lines {
		if !fieldLabel.MatchString(line) {
			continue
		}
		switch {
		case i > 0 && bareNumber.MatchString(lines[i-1]) && (i < 2 || !fieldLabel.MatchString(lines[i-2])):
			out = append(out, lines[i-1]+" "+line)
		case i+1 < len(lines) && (bareNumber.MatchString(lines[i+1]) || len(lines[i+1]) < 30 && hasMoney(lines[i+1])):
			out = append(out, strings.TrimRight(line, ": ")+" "+lines[i+1])
		}
	}
	return out
}

var (
	fieldLabel = regexp.MustCompile(`(?i)^(?:(?:bed)?rooms?|beds?|zimmer|räume|kamers|slaapkamers|habitaciones|dormitorios|locali|vani|pi[eè]ces|chambres|pokoje|rum|(?:living |floor )?area|size|(?:wohn)?fläche|oppervlakte|superfic\S+|surface|(?:kalt|warm|gesamt)?miete|(?:kauf)?preis|price|rent|huurprijs|prix|loyer|precio|prezzo):?$`)
	bareNumber = regexp.MustCompile(`^\d{1,4}(?:[.,]\d{1,2})?(?:\s?-\s?\d{1,4})?$`)
)

func firstOf(lines []string, parse func(string) float64) float64 {
	for _, line := range lines {
		if !strings.ContainsAny(line, "0123456789") {
			continue
		}
		if v := parse(line); v > 0 {
			return v
		}
	}
	return 0
}

var (
	areaMetric   = regexp.MustCompile(`(?i)(?:^|[^\d.,])(\d{1,3}(?:[.,' ]\d{3})+|\d{1,5}(?:[.,]\d{1,2})?)\s*(?:-\s*\d+(?:[.,]\d+)?\s*)?(?:m²|m2\b|m\^2|sqm\b|sq\.?\s?m(?:etres|eters|\b)|qm\b|mq\b|kvm\b|м²)`)
	areaImperial = regexp.MustCompile(`(?i)(?:^|[^\d.,])(\d{1,3}(?:,\d{3})+|\d{2,6})\s*(?:sq\.?\s?\.?\s?f(?:ee)?t|sqft|ft²|square feet|sf\b)`)
)

// squareFoot is one square foot in m², by definition of the foot.
const squareFoot = 0.09290304

// parseArea reads an area in m². Prices per square metre are none.
func parseArea(line string) float64 {
	if !strings.ContainsAny(line, "mMfF²") {
		return 0 // no unit
	}
	line = plainSpaces.Replace(line)
	for _, at := range areaMetric.FindAllStringSubmatchIndex(line, -1) {
		if v, ok := parseNumber(line[at[2]:at[3]]); ok && v >= 4 && v < 1e5 {
			return v
		}
	}
	if m := areaImperial.FindStringSubmatch(line); m != nil {
		if v, ok := parseNumber(m[1]); ok && v >= 40 {
			return float64(int(v*squareFoot*10+0.5)) / 10
		}
	}
	return 0
}

var (
	roomsBehind = regexp.MustCompile(`(?i)(?:^|[^\d.,])(\d{1,2}(?:[.,]5|½)?)\+?\s*-?\s*(?:bed(?:room)?s?\b|br\b|bd\b|rooms?\b|zimmer\b|zi\b|kamers?\b|slaapkamers?\b|hab(?:itaci\S+)?\b|dorm(?:itori\S+|s)?\b|quartos?\b|camer[ae]\b|local[ei]\b|vani\b|pi[eè]ces?\b|chambres?\b|pok(?:oje|oi|ój|\.)|rum\b|rok\b|roms?\b|v[æa]r(?:else)?r?\b|soverom|sovrum|huone|h\b)`)
	roomsBefore = regexp.MustCompile(`(?i)^(?:number of |anzahl |aantal )?(?:bedrooms?|beds?|rooms?|zimmer|kamers|habitaciones|camere|locali|pi[eè]ces)\s*:?\s*(\d{1,2}(?:[.,]5)?)(?:\s?-\s?\d+)?$`)
)

// parseRooms reads the number of rooms or bedrooms, whichever is shown.
func parseRooms(line string) float64 {
	for _, pattern := range []*regexp.Regexp{roomsBehind, roomsBefore} {
		if m := pattern.FindStringSubmatch(line); m != nil {
			v, err := strconv.ParseFloat(strings.NewReplacer(",", ".", "½", ".5").Replace(m[1]), 64)
			if err == nil && v > 0 && v <= 30 {
				return v
			}
		}
	}
	return 0
}

func (g *ground) rooms(c card, lines []string) float64 {
	if v := firstOf(lines, parseRooms); v > 0 {
		return v
	}
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		if v := parseRooms(g.Nodes[i].Label); v > 0 && len(g.Nodes[i].Label) < 40 {
			return v
		}
	}
	return 0
}
