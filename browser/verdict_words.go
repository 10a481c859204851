package browser

import (
	"regexp"
	"strings"
)

// anyOf compiles alternatives, one line per language or kind.
func anyOf(alternatives ...string) sieve {
	return newSieve(`(?i)(?:` + strings.Join(alternatives, "|") + `)`)
}

// robotTitleRows are titles that only a refusal has, first those of the guards
// themselves (Cloudflare, PerimeterX, Imperva, Akamai) in the languages they speak.
var robotTitleRows = []string{
	`just a moment|attention required|one more step`, `^(?:nur )?einen moment`, `^un momento`, `^un instant`, `^un attimo`, `^um momento`, `^een ogenblik`, `^jeszcze chwila`,
	`(?:sentimos|disculpe|perdone?) (?:la|nuestra) interrupción`, `(?:pardon|excuse[zr]?)\b.{0,20} interruption`, `(?:scus|perdon)\S+ .{0,10}interruzione`,
	`desculp\S+ .{0,10}interrupção`, `unterbrechung`, `onderbreking`, `przepraszamy za (?:przerwę|zakłócenia)`,
	`access (?:to this page has been )?denied`, `zugriff verweigert`, `acceso denegado`, `accès refusé`, `accesso negato`, `acesso negado`, `toegang geweigerd`, `odmowa dostępu|dostęp zabroniony`,
	`robot`, `captcha`, `are you (?:a )?human|human verification`, `security (?:check|verification|challenge)`, `bot (?:check|detection)`, `you have been blocked|^blocked$`,
	`sicherheitsüberprüfung`, `verificación de seguridad`, `vérification de sécurité`, `verifica di sicurezza`, `verificação de segurança`, `weryfikacja bezpieczeństwa`,
	`bijna op de pagina die je zoekt`,
}

// robotTextRows are sentences that ask whether somebody is a machine. Good pages
// have them too, beside a contact form: they count on small pages alone.
var robotTextRows = []string{
	`(?:are|that|whether) you(?:'re| are)? (?:not )?(?:a )?(?:human|robot|bot)\b|verify(?:ing)? you are human`, `(?:verify|confirm|prove)\b.{0,20}\b(?:human|not a (?:ro)?bot)\b`, `i'?m not a robot|i am (?:not a robot|human)`,
	`unusual (?:traffic|activity)|checking your browser|automated (?:access|requests|queries)`, `enable js and disable any ad blocker`,
	`too many requests|request (?:was |has been )?blocked|(?:you have been|temporarily|your ip (?:address )?(?:was|has been|is)) blocked|access denied`, `don['’]t have permission to access .{1,120} on this server`,
	`(?:complete|solve|enter) (?:the|this|a) (?:captcha|security check|puzzle)|press (?:&|and) hold|slide to (?:verify|complete)`,
	`kein(?:e)? robot`, `menschliche[rn]? besucher|dass sie (?:ein mensch|kein bot) sind|ob sie ein mensch sind`, `ungewöhnlich\S* (?:zugriff|aktivität|anfragen)|zu viele anfragen`,
	`geen robot|ben je een (?:mens|robot)|dat (?:je|u) een mens b`, `platform graag veilig en spamvrij`,
	`no (?:eres|soy) un robot|que (?:usted )?(?:es|eres) (?:un )?(?:ser )?human[oa]`, `actividad inusual|demasiadas solicitudes`,
	`non (?:sei|sono) un robot|che (?:tu sia|sei) (?:un )?(?:essere )?uman[oa]`, `attività insolit[ae]|troppe richieste`,
	`n'êtes pas un robot|je ne suis pas un robot|que vous êtes (?:bien )?(?:un )?(?:être )?humain`, `activité inhabituelle|trop de requêtes`,
	`não (?:sou|é) um robô|que (?:você )?é (?:um )?(?:ser )?humano`, `atividade (?:incomum|invulgar)|demasiados pedidos|muitas solicitações`,
	`nie (?:jeste\S+|jestem) robotem|(?:że|czy) jesteś człowiekiem`, `nietypow\S+ (?:ruch|aktywność)|zbyt wiele (?:żądań|zapytań)`,
}

// robotHostRows serve robot checks. They stand on good pages as well.
var robotHostRows = []string{
	`captcha-delivery\.com`, `challenges\.cloudflare\.com|/cdn-cgi/challenge-platform`, `hcaptcha\.com`, `arkoselabs|funcaptcha`, `px-c(?:aptcha|loud)|perimeterx`,
	`geetest`, `incapsula_resource`, `/recaptcha/(?:api2|enterprise)/bframe`, `awswaf`, `perfdrive\.com`,
	`/149e9513-01fa-4fb0-aad4-566afd725d1b/`, // Kasada's script, whose folder has this name everywhere
}

var robotTitle, robotText, robotHosts = anyOf(robotTitleRows...), anyOf(robotTextRows...), anyOf(robotHostRows...)

// consentRows are the headlines of consent walls.
var consentRows = []string{
	`\b(?:we|wij|wir) (?:and our .{0,20}partners? )?(?:use|gebruiken|verwenden|nutzen|value|waarderen)\b.{0,80}(?:cookies|privacy|privatsphäre)`,
	`accept all|alle[sn]? (?:cookies )?(?:accepteren|akzeptieren)|aceptar (?:todo|y continuar)|accetta (?:tutto|e continua)|tout accepter|akceptuj`,
	`before you continue|bevor sie fortfahren|voordat je (?:verder|doorgaat)`, `cookie (?:settings|consent|instellingen|einstellungen)`,
}

var consentText = anyOf(consentRows...)

// loginPath is the address of a page to sign in on, and loginHost the name of a host
// that does nothing else.
var (
	loginPath = regexp.MustCompile(`(?i)(?:^|[/._-])(?:login|log-in|logon|signin|sign-in|sign_in|sso|auth|authenticate|authorize|oauth2?|openid-connect|saml2?|inloggen|aanmelden|anmelden|einloggen|accedi|accedere|connexion|identificarse|iniciar-sesion|entrar|logowanie|zaloguj|logga-in|logg-inn|log-ind|prihlaseni)(?:$|[/._?-])`)
	loginHost = regexp.MustCompile(`^(?:accounts?|auth|id|idp|identity|log-?in|sign-?in|sso)\.`)
)
