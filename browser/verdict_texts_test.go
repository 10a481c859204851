package browser

import (
	"testing"
)

// noneTexts state that a search found nothing.
var noneTexts = []string{
	"No results found", "Sorry, there are no matching homes in Utrecht.", "0 properties found", "We couldn't find any rooms matching your search", "Nothing found.", "None of our homes match", "Your search did not match any listings.",
	"Geen resultaten gevonden", "0 woningen in Zwolle", "Helaas, niets gevonden", "Er zijn geen kamers beschikbaar",
	"Keine Treffer", "Leider wurden keine passenden Wohnungen gefunden", "0 Angebote für Ihre Suche", "Es wurde nichts gefunden.",
	"No hay resultados para tu búsqueda", "No hemos encontrado pisos en Vigo", "Sin resultados", "0 viviendas",
	"Nessun risultato trovato", "Non ci sono annunci per questa ricerca", "0 immobili",
	"Aucun résultat", "Il n'y a aucune annonce correspondant à vos critères", "0 logement disponible",
	"Nenhum resultado encontrado", "Não encontrámos imóveis em Braga", "Sem resultados", "Não há anúncios para a sua pesquisa",
	"Brak wyników", "Nie znaleziono ofert", "Nie mamy ogłoszeń spełniających kryteria",
	"Žádné výsledky", "Nenašli jsme žádné byty", "Bohužel jsme nic jsme nenašli", "Žiadne výsledky", "Nenašli sme žiadne byty",
	"Inga träffar", "0 bostäder", "Ingen treff", "Ingen boliger i Aarhus", "0 resultater", "Ei löytynyt hakutuloksia", "0 asuntoa",
	"Nincs találat", "Nem találtunk hirdetést", "Niciun rezultat", "Nu am găsit anunțuri pentru căutarea ta", "Sonuç bulunamadı", "0 ilan bulundu",
	"Δεν βρέθηκαν αποτελέσματα", "Καμία αγγελία", "Ничего не найдено", "Нет объявлений по вашему запросу", "Объявления не найдены", "Нічого не знайдено", "Оголошень не знайдено",
}

// otherTexts sound like it, and say something else.
var otherTexts = []string{
	"No fake listings. No fees. Just homes.", "No listing fees", "0 saved homes", "You have no saved searches", "No agents, no viewings fees", "Nothing found? Call us.", "There is no better place to find a home",
	"You have viewed no homes yet", "No homes found in your saved homes", "No rooms without a photo", "Keine Provision", "Keine gespeicherten Wohnungen", "Keine Wohnungen für den Merkzettel gefunden", "0 Objekte auf dem Merkzettel", "Geen makelaarskosten", "Geen bewaarde woningen",
	"Sin comisión de agencia", "No tienes anuncios guardados", "Sin resultados para este enlace", "Nessun annuncio salvato", "Nessun annuncio trovato tra i preferiti", "Nessuna commissione", "Pas de frais d'agence", "Aucune annonce dans vos favoris", "Sem custos", "Clicaste num link antigo que hoje em dia não corresponde a nenhum anúncio.",
	"Brak zapisanych ofert", "Nie masz ulubionych ogłoszeń", "Žádné uložené nabídky", "Inga sparade bostäder", "Ingen favoritter", "Нет избранных объявлений", "Немає збережених оголошень", "100 results", "10 rooms",
}

// goneTexts state that a page, or its listing, is no more.
var goneTexts = []string{
	"Page not found", "This property is no longer available", "Sorry, we can't find that page", "404 error", "This listing has been removed",
	"Diese Seite wurde nicht gefunden", "Das Inserat ist nicht mehr verfügbar", "Deze pagina bestaat niet", "De woning is niet langer beschikbaar",
	"La página que buscas no existe", "El anuncio ya no está disponible", "La pagina non esiste", "L'annuncio non è più disponibile", "La page que vous cherchez n'existe pas", "Annonce introuvable",
	"A página não existe", "O anúncio já não está disponível", "Strona nie istnieje", "Ogłoszenie nie jest już dostępne", "Nie znaleziono strony", "Stránka nenalezena", "Inzerát neexistuje", "Stránka sa nenašla",
	"Sidan finns inte", "Annonsen hittades inte", "Siden finnes ikke", "Boligen er slettet", "Sivua ei löydy", "Az oldal nem található", "Pagina nu există", "Sayfa bulunamadı",
	"Η σελίδα δεν βρέθηκε", "Страница не найдена", "Объявление больше не актуально", "Сторінку не знайдено",
}

var robotTitles = []string{
	"Just a moment...", "Einen Moment bitte", "Un momento…", "Un instant…", "Un attimo…", "Um momento…", "Een ogenblik geduld…", "Jeszcze chwila…",
	"Pardon Our Interruption", "Sentimos la interrupción", "Pardon pour cette interruption", "Scusate per l'interruzione", "Desculpe a interrupção", "Entschuldigen Sie die Unterbrechung", "Excuses voor de onderbreking", "Przepraszamy za przerwę",
	"Access denied", "Zugriff verweigert", "Acceso denegado", "Accès refusé", "Accesso negato", "Acesso negado", "Toegang geweigerd", "Odmowa dostępu",
	"Ich bin kein Roboter", "Captcha", "Are you human?", "Security check", "Bot detection", "You have been blocked",
	"Sicherheitsüberprüfung", "Verificación de seguridad", "Vérification de sécurité", "Verifica di sicurezza", "Verificação de segurança", "Weryfikacja bezpieczeństwa", "Je bent bijna op de pagina die je zoekt",
}

var robotTexts = []string{
	"Checking that you are not a bot", "Verifying you are human. This may take a few seconds.", "Please prove you are human", "I'm not a robot", "We noticed unusual traffic", "Checking your browser", "Please enable JS and disable any ad blocker",
	"Too many requests", "You don't have permission to access /rent on this server", "Press & hold to confirm", "Wir möchten wissen, dass Sie ein Mensch sind", "Ich bin kein Roboter", "Bitte bestätigen Sie, dass Sie kein Bot sind", "Zu viele Anfragen",
	"Ik ben geen robot", "Bevestig dat je een mens bent", "We houden ons platform graag veilig en spamvrij", "No soy un robot", "Confirma que eres humano", "Hemos detectado actividad inusual",
	"Non sono un robot", "Conferma che sei umano", "Abbiamo rilevato attività insolita", "Je ne suis pas un robot", "Vérifiez que vous êtes humain", "Trop de requêtes", "Não sou um robô", "Confirme que é humano", "Demasiados pedidos",
	"Nie jestem robotem", "Potwierdź, że jesteś człowiekiem", "Zbyt wiele żądań",
}

var robotAddresses = []string{
	"https://geo.captcha-delivery.com/captcha/?x", "https://challenges.cloudflare.com/turnstile/v0/api.js", "https://newassets.hcaptcha.com/x", "https://client-api.arkoselabs.com/x", "https://captcha.px-cloud.net/x", "https://api.geetest.com/x",
	"https://x.example/_Incapsula_Resource?x", "https://www.google.com/recaptcha/api2/bframe?x", "https://x.token.awswaf.com/x", "https://validate.perfdrive.com/x", "https://x.example/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39/ips.js",
}

func firstNot(texts []string, ok func(text string) bool) string {
	for _, text := range texts {
		if !ok(text) {
			return text
		}
	}
	return ""
}

func none(text string) bool { return saysNone(text) }
func gone(text string) bool { return goneText.MatchString(statement(text)) }

func TestSentencesOfAnEmptyPage(t *testing.T) {
	t.Parallel()
	for _, text := range noneTexts {
		if !saysNone(text) {
			t.Errorf("%q does not say that nothing was found", text)
		}
	}
	for _, text := range otherTexts {
		if saysNone(text) {
			t.Errorf("%q says that nothing was found", text)
		}
	}
}

func TestSentencesOfPagesThatAreNoResults(t *testing.T) {
	t.Parallel()
	for what, failed := range map[string]string{
		"gone":        firstNot(goneTexts, gone),
		"robot title": firstNot(robotTitles, robotTitle.MatchString),
		"robot text":  firstNot(robotTexts, robotText.MatchString),
		"robot host":  firstNot(robotAddresses, robotHosts.MatchString),
	} {
		if failed != "" {
			t.Errorf("%s: %q is not known", what, failed)
		}
	}
	for _, text := range append(otherTexts, noneTexts...) {
		if gone(text) && text != "Clicaste num link antigo que hoje em dia não corresponde a nenhum anúncio." {
			t.Errorf("%q is taken for a page that is gone", text)
		}
	}
}

func TestRulesVerdicts(t *testing.T) {
	eachRow(t, "nothing found", &noneRows, func() { noneText = anyOf(noneRows...) }, func() string { return firstNot(noneTexts, none) })
	eachRow(t, "not of this search", &notThisRows, func() { notThisSearch = anyOf(notThisRows...) }, func() string {
		return firstNot(otherTexts, func(text string) bool { return !none(text) })
	})
	eachRow(t, "gone", &goneRows, func() { goneText = anyOf(goneRows...) }, func() string { return firstNot(goneTexts, gone) })
	eachRow(t, "robot title", &robotTitleRows, func() { robotTitle = anyOf(robotTitleRows...) }, func() string { return firstNot(robotTitles, robotTitle.MatchString) })
	eachRow(t, "robot text", &robotTextRows, func() { robotText = anyOf(robotTextRows...) }, func() string { return firstNot(robotTexts, robotText.MatchString) })
	eachRow(t, "robot host", &robotHostRows, func() { robotHosts = anyOf(robotHostRows...) }, func() string { return firstNot(robotAddresses, robotHosts.MatchString) })
}
