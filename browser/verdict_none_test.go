package browser

import (
	"fmt"
	"strings"
	"testing"
)

// noneSamples are sentences of empty results pages.
var noneSamples = []string{
	"No rooms match your search.", "There are no results", "0 results", "Sorry, we couldn't find any properties", "Your search did not match any listings", "Nothing found", "Unfortunately, there are currently no suitable homes available.", "Rooms in Bath: 0 results",
	"Er zijn geen kamers gevonden", "Geen resultaten, probeer wat anders", "Helaas, niets gevonden",
	"Keine passenden Wohnungen gefunden", "Es wurden leider keine Treffer erzielt", "0 Angebote für deine Suche",
	"No hay resultados", "No se han encontrado anuncios", "Sin resultados", "0 anuncios",
	"Nessun risultato", "La ricerca non ha prodotto risultati.", "Non ci sono annunci per la tua ricerca",
	"Aucune annonce ne correspond", "Votre recherche n'a donné aucun résultat", "0 annonces",
	"Não foram encontrados imóveis", "Nenhum resultado para a tua pesquisa", "Sem resultados",
	"Brak wyników", "Nie znaleziono ogłoszeń", "Nie znaleźliśmy żadnych ofert dla podanych kryteriów",
	"Nebyly nalezeny žádné nabídky", "Žádné výsledky", "Nenašli jsme žádné inzeráty", "Vašemu hledání nic neodpovídá.",
	"Nenašli sa žiadne ponuky", "Žiadne výsledky", "Inga träffar", "Din sökning gav inga träffar", "Ingen treff", "Vi fandt ingen boliger", "Ingen resultater",
	"Ei tuloksia", "Haulla ei löytynyt asuntoja", "0 hakutulosta", "Nincs találat", "Nem találtunk a keresésnek megfelelő ingatlant", "0 találat",
	"Niciun rezultat", "Nu am găsit anunțuri", "Sonuç bulunamadı", "Aramanıza uygun İlan bulunamadı.", "0 ilan bulundu",
	"Δεν βρέθηκαν αποτελέσματα", "0 αγγελίες", "Ничего не найдено", "Не найдено объявлений", "Объявления не найдены", "Нічого не знайдено", "Оголошень не знайдено",
}

// otherSamples look like them and say something else.
var otherSamples = []string{
	"No smoking", "No fees for tenants", "10 results", "12 rooms", "Notifications", "No fake listings. No fees. Just homes.", "0 saved homes", "0 alerts", "no listing matches that old link", "No listing fees",
	"Nothing found? Tell us.", "No properties in your shortlist", "There are no rooms in your favourites", "We found 10 rooms", "No agents, just homes",
	"Geen huisdieren", "Geen nepadvertenties", "Geen woning gevonden? Plaats een oproep", "0 bewaarde woningen", "Geen resultaten in je favorieten",
	"Keine Haustiere", "Keine passende Wohnung gefunden? Suchauftrag anlegen", "Keine Anzeigen in gespeicherten Suchen", "Keine Anzeigen von Maklern",
	"Sin anuncios falsos", "No hay anuncios en guardados", "Nessuna commissione", "Nessun annuncio in Preferiti", "Aucun frais", "Aucune annonce frauduleuse", "Aucune annonce dans vos favoris",
	"Clicaste num link antigo que hoje em dia não corresponde a nenhum anúncio.", "Sem comissões", "Brak opłat", "Brak ofert w ulubionych", "Nie znaleziono strony", "Žádné poplatky", "Žádné nabídky v oblíbených",
	"Žiadne poplatky", "Inga avgifter", "Inga annonser i dina sparade listor", "Ingen gebyrer", "Ingen annoncer er gemt", "Sivua ei löytynyt", "Nincs jutalék", "Niciun comision", "Sayfa bulunamadı", "Δεν βρέθηκε η σελίδα",
	"Страница не найдена", "Нет комиссии", "В избранном нет объявлений", "Сторінку не знайдено", "10 объявлений", "Nessun annuncio tra gli immobili visualizzati",
}

// goneSamples are headlines of pages that are no more.
var goneSamples = []string{
	"Sorry, this property is no longer available", "Page not found", "We can't find that page", "404", "This page is gone",
	"Diese Anzeige ist leider nicht mehr verfügbar", "Deze woning is niet meer beschikbaar", "Pagina niet gevonden", "La página que buscas ya no existe", "Este anuncio ya no está publicado",
	"L'annuncio non è più disponibile", "Pagina non trovata", "Cette annonce n'est plus disponible", "Page introuvable", "a morada que introduziste não corresponde a nenhuma página", "Página não encontrada",
	"To ogłoszenie jest nieaktualne", "Nie znaleziono strony", "Inzerát již není v nabídce", "Stránka nenalezena", "Stránka sa nenašla", "Sidan hittades inte", "Siden ble ikke funnet", "Annoncen findes ikke", "Sivua ei löytynyt",
	"Az oldal nem található", "Pagina nu există", "Sayfa bulunamadı", "Η σελίδα δεν βρέθηκε", "Страница не найдена", "Объявление больше не активно", "Сторінку не знайдено",
}

// livingSamples look like them.
var livingSamples = []string{
	"404 homes to rent in Leeds", "1 - 30 of 404", "New page every day", "Property search", "Anzeige aufgeben", "Seite 1 von 20", "Strona 1", "Pagina 2", "Página 3", "Page 4", "Страница 5", "No rooms match your search.",
}

// misjudged are the samples that are not understood as they are meant; "" for none.
func misjudged() string {
	var wrong []string
	for _, c := range []struct {
		samples []string
		means   func(string) bool
		want    bool
	}{
		{noneSamples, saysNone, true}, {otherSamples, saysNone, false},
		{goneSamples, saysGone, true}, {livingSamples, saysGone, false},
		{robotTitleSamples, robotTitle.MatchString, true}, {robotTextSamples, robotText.MatchString, true},
		{robotAddresses, robotHosts.MatchString, true},
		{humanSamples, func(s string) bool { return robotTitle.MatchString(s) || robotText.MatchString(s) }, false},
	} {
		for _, s := range c.samples {
			if c.means(s) != c.want {
				wrong = append(wrong, fmt.Sprintf("%q, wanted %v", s, c.want))
			}
		}
	}
	return strings.Join(wrong, "; ")
}

func saysGone(s string) bool { return goneText.MatchString(statement(s)) }

func TestSentencesOfAPage(t *testing.T) {
	if wrong := misjudged(); wrong != "" {
		t.Error(wrong)
	}
}

func TestRulesVerdicts(t *testing.T) {
	rebuild := func() {
		noneText, notThisSearch, goneText = anyStatement(noneRows), anyStatement(notThisRows), anyStatement(goneRows)
		robotTitle, robotText, robotHosts = anyOf(robotTitleRows...), anyOf(robotTextRows...), anyOf(robotHostRows...)
	}
	for name, rows := range map[string]*[]string{
		"none": &noneRows, "not this search": &notThisRows, "gone": &goneRows, "robot titles": &robotTitleRows, "robot texts": &robotTextRows, "robot hosts": &robotHostRows,
	} {
		eachRow(t, name, rows, rebuild, misjudged)
	}
}

// robotTitleSamples are titles of robot checks.
var robotTitleSamples = []string{
	"Just a moment...", "Nur einen Moment…", "Un momento…", "Un instant…", "Un attimo…", "Um momento…", "Een ogenblik geduld…", "Jeszcze chwila…",
	"Pardon Our Interruption", "SENTIMOS LA INTERRUPCIÓN", "Veuillez excuser cette interruption", "Ci scusiamo per l'interruzione", "Desculpe a interrupção", "Entschuldigen Sie die Unterbrechung", "Sorry voor de onderbreking", "Przepraszamy za przerwę",
	"Access to this page has been denied", "Zugriff verweigert", "Acceso denegado", "Accès refusé", "Accesso negato", "Acesso negado", "Toegang geweigerd", "Odmowa dostępu",
	"Ich bin kein Roboter", "Captcha", "Human Verification", "Security check", "Bot detection", "Blocked",
	"Sicherheitsüberprüfung", "Verificación de seguridad", "Vérification de sécurité", "Verifica di sicurezza", "Verificação de segurança", "Weryfikacja bezpieczeństwa", "Je bent bijna op de pagina die je zoekt",
}

// robotTextSamples are sentences of robot checks.
var robotTextSamples = []string{
	"Verifying you are human. This may take a few seconds.", "Please confirm you are not a robot", "I'm not a robot", "We noticed unusual traffic", "Please enable JS and disable any ad blocker",
	"Too many requests", "You don't have permission to access \"http://www.x.example/\" on this server.", "Press & Hold to confirm", "Ich bin kein Roboter", "Bestätigen Sie, dass Sie ein Mensch sind", "Ungewöhnliche Aktivität",
	"Ben je een mens?", "We houden ons platform graag veilig en spamvrij", "No soy un robot", "Verificando que usted es un ser humano", "Hemos detectado actividad inusual",
	"Non sono un robot", "Verifica che tu sia un essere umano", "Troppe richieste", "Je ne suis pas un robot", "Vérifiez que vous êtes un humain", "Activité inhabituelle",
	"Não sou um robô", "Confirme que é humano", "Atividade incomum", "Nie jestem robotem", "Potwierdź, że jesteś człowiekiem", "Zbyt wiele żądań",
}

// humanSamples are titles and sentences of ordinary pages.
var humanSamples = []string{
	"Rooms to rent in Bath", "Wohnungen mieten in Bremen", "Pisos en alquiler", "Human resources manager wanted", "One moment of quiet", "Momento Street 4", "Verify your email address", "Casa sicura in affitto",
}

// robotAddresses are frames and scripts of robot checks.
var robotAddresses = []string{
	"https://geo.captcha-delivery.com/captcha/?x", "https://challenges.cloudflare.com/turnstile/v0/api.js", "https://newassets.hcaptcha.com/x", "https://client-api.arkoselabs.com/x", "https://captcha.px-cloud.net/x", "https://api.geetest.com/x",
	"https://x.example/_Incapsula_Resource?x", "https://www.google.com/recaptcha/api2/bframe?x", "https://x.token.awswaf.com/x", "https://validate.perfdrive.com/x", "https://x.example/149e9513-01fa-4fb0-aad4-566afd725d1b/2d206a39/ips.js",
}
