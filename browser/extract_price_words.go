package browser

// moneyRows are the labels of money. Where a language writes the head of a compound
// last, a row says \pL* before it.
var moneyRows = []labelRow{
	{named, `(?:monthly |weekly |base |basic |current )?rent(?:al)?(?: price| pcm| pw)?`}, // English
	{named, `(?:kale |basis|maand)?huur(?:prijs|som)?|maandhuur`},                         // Dutch
	{named, `\pL*miete|mietpreis|mietzins|miete/monat|kalt|warm`},                         // German
	{named, `alquiler|renta|arriendo`},                                                    // Spanish
	{named, `(?:canone|affitto|pigione)(?: mensile)?`},                                    // Italian
	{named, `loyers?`}, // French
	{named, `arrendamento|aluguel|aluguer|renda`},              // Portuguese
	{named, `(?:czynsz |cena |koszt )?najmu|odstępne|wynajem`}, // Polish
	{named, `nájem(?:né)?|nájmu|měsíční nájem`},                // Czech
	{named, `(?:månads|grund|kall|varm)?hyran?`},               // Swedish
	{named, `(?:hus|måneds?|grunn)?leie(?:pris|beløp)?`},       // Norwegian
	{named, `(?:hus|måneds?|grund)?leje`},                      // Danish
	{named, `(?:havi )?bérleti díj|albérlet`},                  // Hungarian
	{named, `chiri[ea]`},                                       // Romanian
	{named, `kira(?: bedeli| ücreti)?|kirası`},                 // Turkish
	{named, `аренд\pL*|арендная плата|ijara(?: haqi| narxi)?`}, // Russian, Uzbek
	{named, `賃料|家賃|租金`},

	{asked, `(?:asking |guide |purchase |sale )?price|now|offers (?:over|in excess of)`},
	{asked, `(?:vraag|koop)?prijs|koopsom`},
	{asked, `(?:kauf)?preis`},
	{asked, `precio|prezzo|prix|preço|valor`},
	{asked, `cena|pris|prisantydning|købspris|ár|pret|preț|fiyat|цена|стоимость|narxi?`},

	{lesser, `czynsz|totalpris|gesamtkosten|total(?: costs?)?`},

	{beside, `^[\s\x1f]*\+|(?:€|eur|per|pro|al|por|par|za|na|price|prijs|preis)\s?/?\s?(?:m²|m2|sqm|qm|mq|kvm|sq\.? ?ft)|quadratmeter\pL*`},
	{beside, `(?:holding |security )?deposit|bonds?|fees?|admin|charges?|bills?|utilities|parking|garage|council tax|income|salary|earning|mortgage|repayments?|insurance|cleaning|ground rent|furniture|voucher`},
	{beside, `\pL*(?:borg|waarborg|borgsom|waarborgsom)|\pL*kosten|voorschot|parkeer\pL*|garage|inkomen|\pL*inkomen|hypotheek\pL*|overname|stoffering|bemiddeling\pL*`},
	{beside, `\pL*kaution|\pL*kosten|\pL*kostenvorauszahlung|nk|bk|hk|vz|\pL*stellplatz(?:miete)?|\pL*garage(?:nmiete)?|tiefgarage\pL*|carport|(?:makler)?provision|courtage|ablöse|abstand|genossenschaft\pL*|hausgeld|\pL*einkommen|\pL*einnahmen|\pL*rate|finanzier\pL*|reservierung\pL*|umlagen?|strom|möbel`},
	{beside, `fianza|gastos|comunidad|honorarios|aval|dep[oó]sito|parking|plaza de garaje|garaje|ingresos|hipoteca|seguro|suministros|ibi`},
	{beside, `spese(?: condominiali)?|cauzione|deposito(?: cauzionale)?|provvigione|posto auto|box(?: auto)?|mutuo|rata|reddito|riscaldamento`},
	{beside, `charges|provisions?(?: sur charges)?|honoraires|d[eé]p[oô]t(?: de garantie)?|caution|frais|stationnement|parking|garage|cr[eé]dit|mensualit[eé]s?|foncier|revenus?`},
	{beside, `cauç(?:ão|ões)|condom[ií]nio|iptu|taxas?|seguro|despesas|garagem|estacionamento|luvas|rendimentos?`},
	{beside, `kaucj[aei]|czynsz (?:administracyjny|do \pL+)|(?:opłat\pL*|media|prowizj[ae]|miejsce postojowe|garaż|zaliczk[ai]|prąd|rat[ay]|dochód)`},
	{beside, `kauc[ei]|jistot[ay]|poplatk\pL*|služb\pL*|energi[ei]|provize|zálohy?|parkován[ií]|garáž|hypot[eé]k[ay]|splátk[ay]|měsíčně za služby`},
	{beside, `deposition|avgift(?:er)?|månadsavgift|driftskostnad\pL*|\pL*kostnad(?:er)?|p-plats|parkering\pL*|garage|el|handpenning|lån`},
	{beside, `depositum|strøm|fellesutg(?:ifter|\.)?|felleskost\pL*|fellesgjeld|formidlings\pL*|oppvarming|parkering\pL*|garasje\pL*|omkostninger|lånekostnad`},
	{beside, `indskud|aconto(?: \pL+)?|forudbetalt(?: husleje)?|forbrug|varme|udgifter|boligafgift|ejerudgift|p-plads`},
	{beside, `kaució|rezsi|közös ?költség|letét|jutalék|parkoló|garázs`},
	{beside, `garan[tț]ie|comision|[iî]ntre[tț]inere|utilit[aă][tț]i|avans|parcare`},
	{beside, `depozito|aidat|kapora|komisyon|otopark|emlak(?:çı)? (?:komisyonu|ücreti)|yakıt`},
	{beside, `залог|депозит|комисси\pL+|коммунальн\pL+|ку|предоплата|паркинг|услуги|zalog|depozit|garov|komissiya|kommunal(?: to'lov)?`},
	{beside, `管理費(?:・共益費)?|共益費|敷金?|礼金?|保証金|仲介手数料|駐車場`},

	// Discounts, and prices that were.
	{beside, `off|discount|save[ds]?|saving|cash-?back|was|previously|reduced by|instead of|rrp`},
	{beside, `korting|bespaar|besparing|was|voorheen|van`},
	{beside, `rabatt|ersparnis|sie sparen|spare|statt|früher|vorher|bisher|bonus`},
	{beside, `descuento|ahorra|antes|sconto|risparmi|prima|remise|r[eé]duction|économisez|avant|au lieu de|desconto|poupe`},
	{beside, `rabat|zniżka|wcześniej|poprzednio|sleva|původně|rabatt|tidigare|spar|før|kedvezmény|korábban|reducere|indirim|скидка|раньше|было|chegirma`},
}

var moneyLabels = newLabels(moneyRows)
