package browser

import (
	"regexp"
	"strings"
)

// anyOf compiles alternatives, one line per language or kind.
func anyOf(alternatives ...string) sieve {
	return newSieve(`(?i)(?:` + strings.Join(alternatives, "|") + `)`)
}

// robotTitle are titles that only a refusal has.
var robotTitle = anyOf(
	`just a moment`, `attention required`, `one more step`, `access (?:to this page has been )?denied`, `pardon our interruption`, `robot`,
	`are you (?:a )?human`, `human verification`, `security (?:check|verification|challenge)`, `captcha`, `bot (?:check|detection)`, `you have been blocked`, `^blocked$`,
	`zugriff verweigert`, `sicherheitsüberprüfung`, `acceso denegado`, `accès refusé`, `accesso negato`, `bijna op de pagina die je zoekt`, `toegang geweigerd`,
)

// robotText are sentences that ask whether somebody is a machine. Good pages
// have them too, beside a contact form: they count on small pages alone.
var robotText = anyOf(
	`(?:are|that|whether) you(?:'re| are)? (?:not )?(?:a )?(?:human|robot|bot)\b`, `(?:verify|confirm|prove)\b.{0,20}\b(?:human|not a (?:ro)?bot)\b`, `i'?m not a robot|i am (?:not a robot|human)`,
	`unusual (?:traffic|activity)|checking your browser|automated (?:access|requests|queries)`, `enable js and disable any ad blocker`,
	`too many requests|request (?:was |has been )?blocked|(?:you have been|temporarily|your ip (?:address )?(?:was|has been|is)) blocked|access denied`,
	`(?:complete|solve|enter) (?:the|this|a) (?:captcha|security check|puzzle)|press (?:&|and) hold|slide to (?:verify|complete)`,
	`ich bin kein robot|kein(?:e)? robot|menschliche[rn]? besucher|ungewöhnlich\S* (?:zugriff|aktivität|anfragen)|zu viele anfragen`,
	`geen robot|ben je een (?:mens|robot)|platform graag veilig en spamvrij`, `no (?:eres|soy) un robot|non (?:sei|sono) un robot|n'êtes pas un robot|je ne suis pas un robot|nie jeste\S+ robotem`,
)

// robotHosts serve robot checks. They stand on good pages as well.
var robotHosts = anyOf(
	`captcha-delivery\.com`, `challenges\.cloudflare\.com|/cdn-cgi/challenge-platform`, `hcaptcha\.com`, `arkoselabs|funcaptcha`, `px-c(?:aptcha|loud)|perimeterx`,
	`geetest`, `incapsula_resource`, `/recaptcha/(?:api2|enterprise)/bframe`, `awswaf`,
)

// noneText are the sentences in which a page says that nothing matches.
var noneText = anyOf(
	`\b(?:no|0|zero) (?:\w+ ){0,3}(?:results?|listings?|propert(?:y|ies)|homes?|rooms?|ads?|matches|apartments?|flats?|rentals?|hits|places)\b`, `\b(?:nothing|none) (?:was |were )?found`,
	`(?:couldn[’']?t|could not|didn[’']?t|did not|unable to) find (?:any|what|a )`, `did(?:n[’']?t| not) (?:match|return) any`, `nothing (?:here|matches|available)`,
	`\b(?:geen|0) (?:\w+ ){0,2}(?:resultaten|woning(?:en)?|huizen|kamers?|aanbod|advertenties|huurwoningen|treffers|objecten)`, `niets gevonden`,
	`\b(?:keine|0) (?:\w+ ){0,3}(?:treffer|ergebnisse|angebote|wohnungen|zimmer|anzeigen|objekte|inserate|immobilien)`, `(?:nichts|leider keine\S*) .{0,20}gefunden`,
	`\b(?:no (?:hay|se han encontrado|hemos encontrado|tenemos)|sin|0) (?:\w+ ){0,3}(?:resultados|anuncios|viviendas|inmuebles|pisos|coincidencias)`,
	`\b(?:nessun[oa]?|non ci sono|0) (?:\w+ )?(?:risultat[oi]|annunci[o]?|immobil[ei])`,
	`\b(?:aucune?|pas de|0) (?:\w+ )?(?:résultats?|annonces?|biens?|logements?)`,
	`\b(?:nenhum|sem|não (?:há|foram encontrad\S+)|0) (?:\w+ )?(?:resultados?|anúncios?|imóve\S+)`,
	`\b(?:brak|0) (?:\w+ )?(?:wyników|ogłoszeń|ofert)|nie znaleziono`,
	`\b(?:inga|0) (?:\w+ )?(?:träffar|resultat|bostäder|annonser)|\b(?:ingen|0) (?:\w+ )?(?:resultater|treff|boliger|annoncer|lejemål)`,
	`ei (?:tuloksia|hakutuloksia)`, `žádné (?:výsledky|nabídky)`, `nincs találat`,
)

// consentText are the headlines of consent walls.
var consentText = anyOf(
	`\b(?:we|wij|wir) (?:and our .{0,20}partners? )?(?:use|gebruiken|verwenden|nutzen|value|waarderen)\b.{0,80}(?:cookies|privacy|privatsphäre)`,
	`accept all|alle[sn]? (?:cookies )?(?:accepteren|akzeptieren)|aceptar (?:todo|y continuar)|accetta (?:tutto|e continua)|tout accepter|akceptuj`,
	`before you continue|bevor sie fortfahren|voordat je (?:verder|doorgaat)`, `cookie (?:settings|consent|instellingen|einstellungen)`,
)

// loginPath is the address of a page to sign in on.
var loginPath = regexp.MustCompile(`(?i)(?:^|[/._-])(?:login|log-in|logon|signin|sign-in|sign_in|sso|auth|authenticate|inloggen|aanmelden|anmelden|einloggen|accedi|accedere|connexion|identificarse|iniciar-sesion|entrar|logowanie|zaloguj|logga-in|logg-inn|log-ind|prihlaseni)(?:$|[/._?-])`)
