package browser

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var (
	robotWords   = regexp.MustCompile(`(?i)(?:are|you(?:'re| are)?|ich bin) (?:not a |a |kein )?(?:human|robot(?:er)?)\b|i'?m not a robot|verify (?:that )?you(?:'re| are)? (?:a )?(?:human|not a robot)|robot check|just a moment|attention required|access denied|zugriff verweigert|acceso denegado|accès refusé|pardon our interruption|unusual (?:traffic|activity)|checking your browser|security (?:check|verification)|enable js and disable any ad blocker|bijna op de pagina die je zoekt|too many requests|request (?:was )?blocked|you have been blocked|temporarily blocked|complete the (?:captcha|security)|press (?:&|and) hold|solve (?:this|the) captcha|menschlich|kein robot|geen robot|no eres un robot|non sei un robot|n'êtes pas un robot|nie jeste\S+ robotem`)
	robotHosts   = regexp.MustCompile(`(?i)captcha-delivery\.com|challenges\.cloudflare\.com|hcaptcha\.com|arkoselabs|funcaptcha|px-captcha|perimeterx|geetest|incapsula_resource|/recaptcha/api2|awswaf`)
	noneWords    = regexp.MustCompile(`(?i)\b(?:no|0|zero) (?:\w+ ){0,3}(?:results?|listings?|properties|homes|rooms|ads|matches|apartments|rentals)\b(?: (?:were )?(?:found|match))?|(?:nothing|none) (?:was )?found|(?:couldn'?t|could not|didn'?t|did not|unable to) find (?:any|what)|did(?:n'?t| not) match any|geen (?:\w+ ){0,2}(?:resultaten|woningen|huizen|kamers|aanbod|advertenties|huurwoningen|treffers)|niets gevonden|keine (?:\w+ ){0,3}(?:treffer|ergebnisse|angebote|wohnungen|anzeigen|objekte|inserate|immobilien)|nichts gefunden|(?:no (?:hay|se han encontrado|hemos encontrado|tenemos)|sin) (?:\w+ ){0,3}(?:resultados|anuncios|viviendas|inmuebles|pisos|coincidencias)|(?:nessun|nessuna|non ci sono|0) (?:\w+ )?(?:risultat[oi]|annunci[o]?|immobil[ei])|(?:aucun|aucune|pas de|0) (?:\w+ )?(?:résultats?|annonces?|biens?|logements?)|(?:nenhum|sem|não (?:há|foram encontrad\S+)) (?:\w+ )?(?:resultados?|anúncios?|imóve\S+)|brak (?:\w+ )?(?:wyników|ogłoszeń|ofert)|nie znaleziono|(?:inga|0) (?:\w+ )?(?:träffar|resultat|bostäder|annonser)|ingen (?:\w+ )?(?:resultater|treff|boliger|annoncer|lejemål)|ei (?:tuloksia|hakutuloksia)|žádné (?:výsledky|nabídky)|nincs találat`)
	consentWords = regexp.MustCompile(`(?i)\b(?:we|wij|wir) (?:and our \S+ )?(?:use|gebruiken|verwenden|nutzen|value|waarderen)\b.{0,80}(?:cookies|privacy|privatsphäre)|accept all|alles? (?:accepteren|akzeptieren)|cookies? (?:consent|toestemming|zustimmung)|consentement|consenso|before you continue|bevor sie fortfahren|voordat je verdergaat`)
	loginPath    = regexp.MustCompile(`(?i)(?:^|[/._-])(?:login|log-in|logon|signin|sign-in|sign_in|sso|auth|authenticate|inloggen|aanmelden|anmelden|einloggen|accedi|accedere|connexion|identificarse|iniciar-sesion|entrar|logowanie|zaloguj|logga-in|logg-inn|log-ind|prihlaseni)(?:$|[/._?-])`)

	countNoun = `(?:search )?(?:results?|hits|properties|property|homes?|rooms?|listings?|rentals?|apartments?|flats?|houses?|ads?|adverts?|offers?|places|resultaten|resultaat|(?:huur)?woning(?:en)?|kamers?|huizen|huis|appartement(?:en)?|advertenties?|ergebnis(?:se)?|treffer|angebote?n?|(?:miet)?wohnung(?:en)?|immobilien?|objekte?|inserate?|anzeigen?|(?:wg-)?zimmer|resultados?|viviendas?|pisos?|casas?|inmuebles?|anuncios?|risultat[oi]|annunci|immobili|case|appartamenti|résultats?|annonces?|biens|logements|appartements|locations|imóveis|wyników|ogłoszeń|ofert|träffar|resultat|bostäder|annonser|resultater|boliger|lejeboliger|annoncer|treff|výsledků|nabídek|találat)`
	countOf   = regexp.MustCompile(`(?i)\b\d[\d.,' ]*\s*(?:-|–|to|tot|bis|a|à|al|do)\s*\d[\d.,' ]*\s*(?:of|van|von|de|di|sur|z|av|af|out of)\s*(?:about |over |ca\. )?(\d[\d.,' ]*)\+?`)
	countOne  = regexp.MustCompile(`(?i)(?:^|[^\d.,'\pL])(\d{1,3}(?:[.,' ]\d{3})+|\d{1,6})\+?\s+((?:\pL+[ -]){0,4}?)` + countNoun + `(?:[^\pL]|$)`)
)

// roomCount are words between a number and a noun that make it a size: "2
// bedroom flats" are not two results.
var roomCount = regexp.MustCompile(`(?i)\b(?:bed(?:room)?s?|rooms?|zimmer|zi|kamers?|slaapkamers?|hab\w*|dormitorios?|local[ei]|pi[eè]ces?|pok\w*|rum|m|km|min\w*|days?|hours?|years?|months?|weeks?|per|or|to)\b`)

// listen finds the sentences on a page that matter for a verdict.
func (g *ground) listen(cards []card) words {
	w := words{total: -1, state: g.StateChars}
	rank := 0
	note := func(total, r int) {
		if r > rank && total >= 0 {
			w.total, rank = total, r
		}
		w.sure = rank >= 3
	}
	if m := robotWords.FindString(g.Title); m != "" {
		w.robot = clean(g.Title)
	}
	for _, block := range g.blocks() {
		text := block.text
		w.letters += len(text)
		if len(text) <= 200 {
			if w.robot == "" && robotWords.MatchString(text) {
				w.robot = text
			}
			if w.none == "" && !block.chrome && noneWords.MatchString(text) {
				w.none = text
			}
			if w.consent == "" && consentWords.MatchString(text) {
				w.consent = text
			}
		}
		if len(text) > 120 || block.chrome || block.link || inCard(cards, block.at, g) {
			continue
		}
		note(counted(text, block.heading))
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Tag == "input" && n.Type == "password" && n.Hidden == 0 {
			w.password = true
		}
		if n.Tag == "iframe" && w.robot == "" && robotHosts.MatchString(n.Href) {
			w.robot = "a frame of " + clean(n.Href)
		}
	}
	for _, script := range g.Scripts {
		if w.robot == "" && robotHosts.MatchString(script) {
			w.robot = "a script of " + clean(script)
		}
	}
	return w
}

// counted reads the page's own count of results from a line, and how sure it is:
// 4 in a heading, 3 in "1 to 20 of 57", 1 elsewhere. It is -1 without one.
func counted(line string, heading bool) (total, sure int) {
	line = plainSpaces.Replace(line)
	if m := countOf.FindStringSubmatch(line); m != nil {
		return wholeNumber(m[1]), 3
	}
	m := countOne.FindStringSubmatch(line)
	if m == nil || roomCount.MatchString(m[2]) {
		return -1, 0
	}
	if heading {
		return wholeNumber(m[1]), 4
	}
	return wholeNumber(m[1]), 1
}

func inCard(cards []card, i int, g *ground) bool {
	n, found := slices.BinarySearchFunc(cards, i, func(c card, i int) int { return cmp.Compare(c.root, i) })
	return found || n > 0 && g.within(i, cards[n-1].root)
}

func wholeNumber(s string) int {
	n, err := strconv.Atoi(strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s))
	if err != nil {
		return -1
	}
	return n
}

// block is one visible line of the page.
type block struct {
	text                  string
	at                    int // node of its last text
	heading, link, chrome bool
}

// blocks are the page's visible lines, with where they stand.
func (g *ground) blocks() []block {
	var out []block
	var line strings.Builder
	last := 0
	flush := func() {
		if text := clean(line.String()); text != "" {
			in := func(ok func(n *node) bool) bool { return g.ancestor(last, ok) >= 0 }
			out = append(out, block{
				text: text, at: last, chrome: g.chromed[last], heading: in(isHeading),
				link: in(func(n *node) bool { return n.Tag == "a" || n.Tag == "button" || n.Tag == "label" || n.Tag == "option" }),
			})
		}
		line.Reset()
	}
	for i := range g.Nodes {
		n := &g.Nodes[i]
		if n.Tag != "" || n.Hidden != 0 {
			continue
		}
		if line.Len() > 0 && g.blockBetween(last, i) {
			flush()
		}
		g.join(&line, i)
		last = i
	}
	flush()
	return out
}
