package browser

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// areaRows are the labels of areas: the home's own before that of a whole house,
// and never a balcony's.
var areaRows = []labelRow{
	{named, `(?:living|floor|internal|usable) (?:area|space|size)`},
	{named, `wohnfläche|mietfläche|wohnungsgröße|zimmergröße|woon(?:oppervlakte|opp\.?)|gebruiksoppervlakte`},
	{named, `s(?:uperficie|urface) (?:[uú]til|utile|abitabile|habitable)|área útil`},
	{named, `užitná plocha|podlahová plocha|boyta|boarea|bra(?:-i)?|boligareal|p-rom|lakóterület|suprafa[tț][aă] util[aă]|жилая площадь|専有面積`},
	{asked, `area|size|fläche|größe|oppervlakte|superfici?e|surface|[aá]rea|powierzchnia|plocha|areal|alapterület|suprafa[tț][aă]|площадь|maydoni|metrekare`},
	{lesser, `(?:total|gross|built) (?:area|size)?|nutzfläche|gesamtfläche|construid[oa]s?|bruttoareal|brüt|общая площадь`},
	{beside, `balcon(?:y|ies)|terraces?|patio|gardens?|yard|plot|land|lot|cellar|basement|storage|garage|parking|bedroom|kitchen|living room|common (?:area|space)`},
	{beside, `\pL*balkon|\pL*terrasse|loggia|\pL*garten\pL*|grundstück\pL*|grundfläche|keller\pL*|\pL*stellplatz|\pL*küche|wohnzimmer|schlafzimmer`},
	{beside, `dakterras|terras|\pL*tuin|perceel\pL*|berging|kelder|buitenruimte|slaapkamer|woonkamer`},
	{beside, `balc[oó]n|terraza|jard[ií]n|parcela|trastero|balcone|terrazzo|giardino|terreno|cantina|balcon|terrasse|jardin|terrain|cave|varanda|terraço|quintal|lote`},
	{beside, `taras|ogród(?:ek)?|działk[ai]|piwnica|balk[óo]n|teras[ay]|zahrad[ay]|pozemek|sklep|lodži[ea]|balkong|terrass|trädgård|tomt(?:areal)?|uteplats|hage|kjeller|bod|altan|have|grund(?:areal)?|erkély|terasz|kert|telek|terasă|grădină|teren|pivniță|bahçe|arsa|балкон\pL*|лоджи\pL+|участ\pL+|сотки|バルコニー`},
}

// roomRows are the labels of the number of rooms, or of bedrooms.
var roomRows = []labelRow{
	{named, `(?:no\.? of |number of |anzahl (?:der )?|aantal )?(?:bedrooms?|beds?|rooms?|zimmer|räume|(?:slaap)?kamers)`},
	{named, `habitaciones|dormitorios|camere|locali|vani|pi[eè]ces|chambres|quartos|assoalhadas`},
	{named, `(?:liczba )?pokoi|pokoje|rum|rom|værelser|szob[aá]k?(?: száma)?|(?:nr\.? )?camere|oda(?: sayısı)?|комнат\pL*|xonalar(?: soni)?`},
	{beside, `bath(?:room)?s?|toilets?|wc|floors?|badezimmer|bäder|bad|etage|badkamers|baños|bagni|salles? de bains?|casas? de banho|łazienk\pL*|koupel\pL*|badrum|bade?rom|fürdő\pL*|b[ăa]i|banyo|parking|stellplätze|garages?`},
}

var areaLabels, roomLabels = newLabels(areaRows), newLabels(roomRows)

var areaMark = regexp.MustCompile(`(?i)\d\s*(?:m²|m2\b|sqm|qm\b|sq\.?\s?f?m?t|kvm|mq\b)|\d\s*(?:bed|bath|zimmer|zi\.|kamer|room|hab\b|dorm|local|pièce|pokoj|pok\.|rum\b|rok\b|vær)`)

// hasSize says whether a text speaks of an area or of rooms.
func hasSize(text string) bool {
	i := strings.IndexAny(text, "0123456789")
	return i >= 0 && areaMark.MatchString(text[i:])
}

// size is the best figure of a card by a table of labels.
func (t cardText) size(table *labels, figures func(string) []figure) float64 {
	j, _ := best(t.judged(table, figures))
	if j.bare && j.passage != nil && areaFeet.MatchString(j.label) {
		return inMetres(j.amount)
	}
	return j.amount
}

var (
	areaFeet     = regexp.MustCompile(`(?i)sq\.?\s?f(?:ee)?t|ft²`)
	areaMetric   = newSieve(`(?i)(?:^|[^\d.,])(\d{1,3}(?:[.,' ]\d{3})+|\d{1,5}(?:[.,]\d{1,2})?)[\s\x1f]*(?:-\s*\d+(?:[.,]\d+)?[\s\x1f]*)?(?:m²|m2\b|m\^2|sqm\b|sq\.?\s?m(?:etres|eters|\b)|qm\b|mq\b|kvm\b|м²)`)
	areaImperial = newSieve(`(?i)(?:^|[^\d.,])(\d{1,3}(?:,\d{3})+|\d{2,6})[\s\x1f]*(?:sq\.?\s?\.?\s?f(?:ee)?t|sqft|ft²|square feet|sf\b)`)
)

// squareFoot is one square foot in m², by definition of the foot.
const squareFoot = 0.09290304

func inMetres(feet float64) float64 { return float64(int(feet*squareFoot*10+0.5)) / 10 }

// areaFigures finds the areas in a text, in m². Prices per square metre are none,
// and what is smaller than a bed is no home.
func areaFigures(text string) []figure {
	var out []figure
	for _, at := range areaMetric.FindAllStringSubmatchIndex(text, -1) {
		if v, ok := parseNumber(text[at[2]:at[3]]); ok && v < 1e5 {
			if v < 4 {
				v = 0
			}
			out = append(out, figure{amount: v, start: at[2], end: at[1]})
		}
	}
	for _, at := range areaImperial.FindAllStringSubmatchIndex(text, -1) {
		if v, ok := parseNumber(text[at[2]:at[3]]); ok && v >= 40 {
			out = append(out, figure{amount: inMetres(v), start: at[2], end: at[1]})
		}
	}
	slices.SortFunc(out, func(a, b figure) int { return a.start - b.start })
	if out == nil {
		out = loneFigure(text, 4, 1e5)
	}
	return out
}

// loneFigure is the number at the end of a short text that holds no other: it
// counts where a label says what it is.
func loneFigure(text string, least, most float64) []figure {
	if !short(text) {
		return nil
	}
	at := lone.FindStringSubmatchIndex(text)
	if at == nil {
		return nil
	}
	v, err := strconv.ParseFloat(strings.NewReplacer(",", ".", "½", ".5").Replace(text[at[2]:at[3]]), 64)
	if err != nil || v < least || v > most {
		return nil
	}
	return []figure{{amount: v, start: at[2], end: len(text), bare: true}}
}

var lone = regexp.MustCompile(`^[^\d]*?(\d{1,5}(?:[.,]\d{1,2}|½)?)(?:\s?-\s?\d{1,4})?\s*$`)

var (
	roomsBehind = regexp.MustCompile(`(?i)(?:^|[^\d.,])(\d{1,2}(?:[.,]5|½)?)\+?[\s\x1f]*-?[\s\x1f]*(?:bed(?:room)?s?\b|br\b|bd\b|rooms?\b|zimmer\b|zi\b|kamers?\b|slaapkamers?\b|hab(?:itaci\S+)?\b|dorm(?:itori\S+|s)?\b|quartos?\b|camer[ae]\b|local[ei]\b|vani\b|pi[eè]ces?\b|chambres?\b|pok(?:oje|oi|ój|\.)|rum\b|rok\b|roms?\b|v[æa]r(?:else)?r?\b|soverom|sovrum|huone|h\b)`)
)

// roomFigures finds the numbers of rooms or bedrooms in a text, whichever is shown.
func roomFigures(text string) []figure {
	const most = 30
	var out []figure
	for _, at := range roomsBehind.FindAllStringSubmatchIndex(text, -1) {
		v, err := strconv.ParseFloat(strings.NewReplacer(",", ".", "½", ".5").Replace(text[at[2]:at[3]]), 64)
		if err == nil && v > 0 && v <= most {
			out = append(out, figure{amount: v, start: at[2], end: at[1], said: true})
		}
	}
	if out == nil {
		out = loneFigure(text, 0.5, most)
	}
	return out
}

// rooms is the number of rooms by the card's texts, else by a label for those who
// do not see its icons.
func (g *ground) rooms(c card, t cardText) float64 {
	if v := t.size(&roomLabels, roomFigures); v > 0 {
		return v
	}
	for i := c.root; i < g.Nodes[c.root].end; i++ {
		if label := g.Nodes[i].Label; short(label) && strings.ContainsAny(label, digits) {
			if j, ok := best(roomLabels.judge(&passage{text: label}, roomFigures(label))); ok {
				return j.amount
			}
		}
	}
	return 0
}
