package browser

import (
	"cmp"
	"testing"
)

// otherHeadings stand over homes that a search did not find.
var otherHeadings = []string{
	"Similar homes", "Recommended properties", "Suggested listings for you", "You may also like", "People also viewed", "Recently viewed", "Recently let",
	"Results outside your area", "Nearby homes", "Expand your search", "From our partners",
	"Vergelijkbare woningen", "Misschien ook interessant", "Woningen in de omgeving", "Laatst bekeken", "Andere kamers",
	"Ähnliche Angebote", "Das könnte Sie auch interessieren", "Zuletzt angesehen", "Weitere Wohnungen in der Umgebung", "Bereits vermietet",
	"Anuncios similares", "Te puede interesar", "Pisos recomendados", "Otros inmuebles", "Últimos vistos",
	"Annunci simili", "Potrebbe interessarti", "Nelle vicinanze", "Altri annunci", "Annonces similaires", "Biens à proximité", "Vous aimerez aussi", "Derniers biens vus",
	"Podobne ogłoszenia", "Polecane", "Ostatnio oglądane", "Liknande bostäder", "Andra sökte också", "Lignende boliger", "Andre boliger", "Imóveis semelhantes", "Podobné nabídky", "Hasonló ingatlanok",
}

// listHeadings stand over results.
var listHeadings = []string{
	"Homes to rent in Leeds", "12 rooms", "Newest first", "Woningen te huur in Utrecht", "Mietwohnungen in Bremen", "Pisos en alquiler en Vigo", "Case in affitto a Roma", "Locations à Lyon", "Mieszkania na wynajem", "Lägenheter i Malmö",
}

// consents are headlines of consent walls.
var consents = []string{
	"We and our 842 partners use cookies", "Wir verwenden Cookies", "Accept all", "Alle Cookies akzeptieren", "Tout accepter", "Before you continue", "Bevor Sie fortfahren", "Cookie settings",
}

func misplaced() string {
	return cmp.Or(firstUnlike(otherHeadings, other, true), firstUnlike(listHeadings, other, false), firstUnlike(consents, consentText, true), firstUnlike(listHeadings, consentText, false))
}

func firstUnlike(texts []string, s sieve, want bool) string {
	for _, text := range texts {
		if s.MatchString(text) != want {
			return text
		}
	}
	return ""
}

func TestHeadingsOfOtherHomes(t *testing.T) {
	t.Parallel()
	if wrong := misplaced(); wrong != "" {
		t.Errorf("%q is misunderstood", wrong)
	}
}

func TestRulesHeadings(t *testing.T) {
	eachRow(t, "other homes", &otherRows, func() { other = anyOf(otherRows...) }, misplaced)
	eachRow(t, "consent", &consentRows, func() { consentText = anyOf(consentRows...) }, misplaced)
}
