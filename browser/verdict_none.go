package browser

import (
	"regexp"
	"strings"
	"unicode"
)

// statement is one clause of a sentence in lower case, without punctuation, between
// spaces: " no rooms found ". So a pattern's spaces are the bounds of words in every
// alphabet.
func statement(clause string) string {
	var b strings.Builder
	b.WriteByte(' ')
	for _, r := range strings.ToLower(clause) {
		switch {
		case unicode.IsLetter(r), unicode.IsDigit(r):
			b.WriteRune(r)
		case unicode.Is(unicode.Mn, r): // the dot of a small Turkish İ
		case !strings.HasSuffix(b.String(), " "):
			b.WriteByte(' ')
		}
	}
	return strings.TrimRight(b.String(), " ") + " "
}

var (
	sentenceEnd = regexp.MustCompile(`[.!?…]+(?:\s|$)`)
	clauseEnd   = regexp.MustCompile(`[:;()|•·,]+(?:\s|$)|\s[-–—(]\s?`)
)

// saysNone says whether a line states that the search found nothing. A question
// ("Nothing found?") offers help, and what is said of saved homes, of the past or of
// a link is not said of this search.
func saysNone(line string) bool {
	for line != "" {
		sentence, end := line, ""
		if at := sentenceEnd.FindStringIndex(line); at != nil {
			sentence, end, line = line[:at[0]], line[at[0]:at[1]], line[at[1]:]
		} else {
			line = ""
		}
		if strings.Contains(end, "?") || notThisSearch.MatchString(statement(sentence)) {
			continue
		}
		for _, clause := range clauseEnd.Split(sentence, -1) {
			if noneText.MatchString(statement(clause)) {
				return true
			}
		}
	}
	return false
}

// noneRows are the statements in which a page says that nothing matches, a row for
// each language: it begins with what there is none of, and goes on only as such a
// statement does. "No fake listings" and "no listing fees" say something else.
var noneRows = []string{
	`^(?: (?:sorry|unfortunately|oops|there|we|ve|are|were|is|found|have|currently|your|this|search|query|returned|but|at the moment))* (?:no|0|zero)(?: (?:matching|suitable|such|available|relevant|exact|more|rental|search|current|new))* ` +
		`(?:results?|listings?|propert(?:y|ies)|homes?|houses|rooms?|ads|adverts|matche?s?|apartments?|flats?|rentals?|hits|places|offers) (?:$|(?:were|was|are|have|has|could|can|that|which|to (?:rent|let|show|display)|yet|available|found|match|matche[sd]|matching|meet|fit|for|in|within|near|with|here|at|right|left|listed|of|your) )`,
	` (?:could not|couldn t|can t|cannot|did not|didn t|unable to|not able to) find any(?:thing| \pL+)* (?:results?|listings?|propert(?:y|ies)|homes|rooms|ads|matches|apartments|flats|rentals|places|thing|matching)`,
	` (?:did not|didn t|does not|doesn t) (?:match|return|produce) any |^ (?:nothing|none)(?: of \pL+ \pL+)?(?: was| were)? (?:found|matche[sd]|match) `,
	` (?:geen|0)(?: \pL+){0,2} (?:resultaten|zoekresultaten|(?:huur)?woning(?:en)?|huizen|kamers?|appartementen|aanbod|advertenties|treffers|objecten) (?:$|(?:gevonden|voor|in|beschikbaar|die|met|op|om|meer) )|(?:geen|niets|niks)(?: \pL+){0,4} gevonden `,
	` (?:keine?|0)(?: (?:passenden?|aktuellen?|weiteren?|freien?))* (?:treffer|(?:such)?ergebnisse?|resultate|angebote?|(?:miet)?wohnung(?:en)?|zimmer|anzeigen?|objekte?|inserate?|immobilien?) (?:$|(?:für|in|zu|mit|die|vorhanden|verfügbar|online|vor|erzielt|entsprech\pL+) )| (?:keine?n?|nichts)(?: \pL+){0,4} gefunden `,
	`(?: (?:no (?:hay|existen|tenemos|se (?:han encontrado|encontraron)|hemos encontrado)|ningún)(?: ningún)?|^ 0)(?: \pL+){0,1} (?:resultados?|anuncios?|viviendas?|inmuebles?|pisos?|casas|habitaciones|coincidencias) (?:$|(?:para|en|que|con|disponibles?|publicad\pL+|por) )|^ sin (?:resultados|coincidencias) `,
	` (?:nessun[oa]?|non (?:ci sono|abbiamo trovato|sono stati trovati)|0)(?: \pL+){0,1} (?:risultat[oi]|annunci[o]?|immobil[ei]|appartament[oi]|stanz[ae]|cas[ae]) (?:$|(?:per|in|a|che|con|trovat\pL+|disponibil\pL+|corrispond\pL+) )| non ha (?:prodotto|dato) (?:alcun )?risultat[oi] `,
	`(?:^| (?:a|trouvé|y a|donné))(?: (?:aucune?|pas de|0)) (?:résultats?|annonces?|biens?|logements?|appartements?|offres?|chambres?|maisons?) (?:$|(?:ne|n|pour|à|dans|trouvée?s?|disponibles?|correspond\pL*|avec|en|sur) )`,
	`^(?: (?:nenhum|nenhuma|0)|(?: \pL+){0,1} não (?:há|existem|temos|encontr[aá]mos|foram encontrad[oa]s)(?: nenhum| nenhuma)?)(?: \pL+){0,1} (?:resultados?|anúncios?|imóve(?:l|is)|casas?|apartamentos?|quartos?) (?:$|(?:para|em|que|com|encontrad\pL+|disponíve\pL+|correspond\pL+|nesta) )|^ sem resultados `,
	`^(?: \pL+){0,1}(?: (?:brak|0|nie (?:znaleziono|znaleźliśmy|ma|mamy)))(?: \pL+){0,1} (?:wyników|ogłoszeń|ofert|mieszkań|nieruchomości|pokoi) (?:$|(?:dla|w|o|na|spełniając\pL+|pasując\pL+|odpowiadając\pL+|wyszukiwania) )`,
	` (?:žádné|0|nemáme|(?:nebyly|nejsou) (?:nalezeny|k dispozici)(?: žádné)?|nenašli jsme(?: žádné)?|neodpovídají žádné)(?: \pL+){0,1} (?:výsledky|výsledků|nabídky|nabídek|inzeráty|inzerátů|byty|bytů|nemovitosti|nemovitostí) (?:$|(?:pro|v|ve|k|jsme|nebyly|neodpovíd\pL+|nenalezen\pL+|odpovídající) )| nic (?:jsme nenašli|nebylo nalezeno|neodpovídá) `,
	` (?:žiadne|neboli nájdené|nenašli sme|nenašli sa)(?: žiadne)?(?: \pL+){0,1} (?:výsledky|ponuky|inzeráty|byty|nehnuteľnosti) (?:$|(?:pre|v|vo|k|sme|neboli|nezodpoved\pL+|zodpovedajúce) )`,
	` (?:inga|0)(?: \pL+){0,1} (?:träffar|sökträffar|resultat|bostäder|annonser|lägenheter|objekt) (?:$|(?:för|i|på|som|matchar|hittades|just) )`,
	` (?:ingen|0)(?: \pL+){0,1} (?:treff|(?:søke|søge)?resultater|boliger|lejeboliger|annonser|annoncer|lejligheder|leiligheter|lejemål|værelser) (?:$|(?:for|i|på|som|der|funnet|fundet|matcher|passer) )`,
	` (?:ei (?:löytynyt|löydy)?(?: yhtään)? ?(?:haku)?(?:tuloksia|asuntoja|kohteita|ilmoituksia|osumia)|0 (?:haku)?(?:tulosta|asuntoa|kohdetta|ilmoitusta|osumaa)) `,
	` (?:nincs(?: \pL+){0,1} (?:találat|eredmény|hirdetés|ingatlan)|(?:nem találtunk|0)(?: \pL+){0,3} (?:találat(?:ot)?|hirdetést?|ingatlant?|eredményt?|lakást?)) `,
	` (?:niciun|nicio|0|nu (?:am găsit|există|s au găsit|sunt|avem)(?: niciun| nicio)?)(?: \pL+){0,1} (?:rezultate?|anun[țţt](?:uri)?|propriet[aă][țţt]i|apartamente?|locuin[țţt]e|oferte) (?:$|(?:pentru|în|care|cu|disponibil\pL*|găsit\pL*) )`,
	` (?:sonuç|ilan|daire|konut|kayıt) (?:bulunamadı|bulunmuyor|bulunmamaktadır|yok) |^ 0 (?:sonuç|ilan|daire|konut) (?:$|bulundu )`,
	` (?:δεν (?:βρέθηκαν|υπάρχουν|βρήκαμε)|κανένα|καμία|0)(?: \pL+){0,1} (?:αποτελέσματα|αποτέλεσμα|αγγελίες|αγγελία|ακίνητα|ακίνητο|κατοικίες|διαμερίσματα) (?:$|(?:για|στην|στο|που|με|δεν) )`,
	` (?:ничего не (?:найдено|нашлось|нашли)|(?:не (?:найдено|нашли)|нет|0)(?: \pL+){0,1} (?:результатов|объявлений|предложений|квартир|объектов)(?: $| (?:по|в|с|для|не|на) )|(?:объявлени[йя]|результат(?:ов|ы)|предложени[йя]|квартиры?) не найдены? )`,
	` (?:нічого не (?:знайдено|знайшлося|знайшли)|(?:не (?:знайдено|знайшли)|немає|0)(?: \pL+){0,1} (?:результатів|оголошень|пропозицій|квартир)(?: $| (?:за|в|у|з|для|на) )|оголошень не знайдено )`,
}

// notThisRows are words of statements about something else than this search: what
// the visitor has saved or seen, and where an old link led.
var notThisRows = []string{
	` saved (?:homes|rooms|propert\pL+|listings|ads|places|flats)| favou?rit\pL+| shortlist\pL*| wish ?list| viewed| my | link | url `,
	` bewaarde | favoriet\pL*| bekeken | mijn `,
	` gespeicherte\pL* | merkzettel | favoriten | gemerkte\pL* | meine? `,
	` guardad\pL+| favorit\pL+| vist[oa]s | enlace | mis `,
	` salvat[ei] | preferit[ei] | visualizzat[ei] `,
	` favoris | enregistrée?s | consultée?s | lien `,
	` zapisan\pL+ | ulubion\pL+ | oglądan\pL+ `,
	` uložen\pL+ | oblíben\pL+ | obľúben\pL+ `,
	` sparade | favoritter | lagrede? | gemte | gemt `,
	` избранн\pL+ | сохран[её]нн\pL+ | обран\pL+ | збережен\pL+ `,
}

// goneRows are the statements of a page whose listing, or which itself, is no more.
var goneRows = []string{
	` (?:page|listing|property|ad|advert|room|home|apartment|address)(?: \pL+){0,5} (?:not (?:be )?found|(?:is|are) gone|has gone|no longer (?:\pL+ )?(?:available|exists?|online|active|listed)|(?:does not|doesn t) exist|(?:has|was)(?: been)? (?:expired|removed|deleted|deactivated|withdrawn)) | (?:can t|cannot|couldn t|could not) find (?:that|the|this) page |^ (?:error )?404 (?:$|error|not|page|seite|pagina|página)`,
	` (?:seite|anzeige|inserat|angebot|objekt|wohnung|immobilie|exposé)(?: \pL+){0,5} (?:nicht (?:mehr )?(?:gefunden|verfügbar|online|vorhanden|aktiv)|existiert nicht|gibt es nicht|gelöscht|deaktiviert) `,
	` (?:pagina|advertentie|woning|kamer|object)(?: \pL+){0,5} (?:niet (?:meer )?(?:gevonden|beschikbaar|online|vinden)|bestaat niet|niet langer beschikbaar|verwijderd) `,
	` (?:página|anuncio|inmueble|vivienda|dirección)(?: \pL+){0,9} (?:no (?:existe|está (?:ya )?disponible|corresponde|se ha encontrado|encontrad[ao])|ya no (?:existe|está)|ha caducado) `,
	` (?:pagina|annuncio|immobile|indirizzo)(?: \pL+){0,9} (?:non (?:esiste|è (?:più )?(?:disponibile|presente|stat[ao] trovat[ao])|corrisponde|trovat[ao])) `,
	` (?:page|annonce|bien|adresse|logement|offre)(?: \pL+){0,9} (?:n existe (?:pas|plus)|n est (?:pas|plus) (?:disponible|en ligne)|introuvable|a expiré|a été supprimée?|ne correspond) `,
	` (?:página|anúncio|imóvel|morada|endereço)(?: \pL+){0,9} (?:não (?:existe|está (?:mais )?disponível|corresponde|(?:foi )?encontrad[oa])|já não (?:existe|está)|indisponível) `,
	` (?:stron[ay]|ogłoszenie|oferta|adres)(?: \pL+){0,6} (?:nie (?:istnieje|została znaleziona|jest (?:już )?(?:dostępn|aktualn)\pL+)|nieaktualn\pL+|nieaktywn\pL+|wygasł\pL*|zostało usunięte) | nie znaleziono strony `,
	` (?:stránka|inzerát|nabídka|adresa|nemovitost|ponuka|nehnuteľnosť)(?: \pL+){0,6} (?:neexist\pL+|nebyl[ao]? nalezen[ao]?|není (?:v nabídce|dostupn\pL+|k dispozici|aktivní|aktuální)|nenalezen[ao]?|sa nenašla|nie je (?:v ponuke|dostupn\pL+)) `,
	` (?:sidan|annonsen|bostaden)(?: \pL+){0,5} (?:finns (?:inte|tyvärr inte)|hittades inte|inte hittas|borttagen|inte längre) `,
	` (?:siden|annonsen|annoncen|boligen)(?: \pL+){0,5} (?:finnes ikke|findes ikke|ikke (?:funnet|fundet|lenger|længere)|slettet) `,
	` (?:sivua|ilmoitus|kohde)(?: \pL+){0,4} (?:ei (?:löydy|löytynyt|ole enää)|on poistettu) `,
	` (?:oldal|hirdetés|ingatlan)(?: \pL+){0,5} (?:nem (?:található|létezik|elérhető|aktív)|már nem) `,
	` (?:pagina|anunțul|adresa)(?: \pL+){0,6} (?:nu (?:există|a fost găsit\pL*|mai (?:este|există))|a expirat) `,
	` sayfa(?: \pL+){0,3} (?:bulunamadı|mevcut değil) | ilan(?: \pL+){0,3} (?:yayında değil|kaldırıl\pL+) `,
	` (?:σελίδα|αγγελία)(?: \pL+){0,5} δεν (?:βρέθηκε|υπάρχει|είναι) `,
	` (?:страниц[аы]|объявление)(?: \pL+){0,5} (?:не (?:найден[ао]?|существует|актуально)|удален[ао]|больше не|снято) `,
	` (?:сторінк[аиу]|оголошення)(?: \pL+){0,5} (?:не (?:знайден[оа]|існує)|видален[оа]|більше не) `,
}

var noneText, notThisSearch, goneText = anyStatement(noneRows), anyStatement(notThisRows), anyStatement(goneRows)

// anyStatement compiles rows that are held against statements, which are in small
// letters already: Go's folding of Greek letters would hide their words from a sieve.
func anyStatement(rows []string) sieve { return newSieve(strings.Join(rows, "|")) }
