/** Placeholders for a missing value in people's texts, forms and spreadsheets, in many languages. */
const WORDS = new Set(
  [
    'n/a|#n/a|na|n.a|n/d|nd|n.d|s/o|s/d|s/n|k.a|k. a|k/a|not available',
    'not applicable|not provided|not specified|not given|not found|not known|not set|no data|no info',
    'no website|no web|no site|no url|no domain|no email|no e-mail|no mail|none|none given|none yet',
    'null|nil|nan|undefined|unknown|unspecified|blank|tbd|tba|tbc|todo|to do',
    'to be determined|to be confirmed|#ref|#value|#name|#div/0|#null|#num|#error',
    '#spill|#getting_data|object object|same as above|see above|see notes',
    'keine|keiner|keine angabe|keine website|keine email|keine e-mail|unbekannt|nicht vorhanden',
    'nicht bekannt|entfällt|fehlt|leer|aucun|aucune|néant|non renseigné|inconnu|pas de site',
    'ninguno|ninguna|no tiene|sin web|sin correo|sin datos|desconocido|no aplica|no disponible|nessuno',
    'nessuna|non disponibile|sconosciuto|nenhum|nenhuma|não tem|nao tem|sem site|sem email|geen|onbekend',
    'niet bekend|ingen|okänd|ukjent|ukendt|nie dotyczy|nieznany|není|neznámý|nincs|нет|не указан',
    'неизвестно|无|無|なし|未定|不明|없음|–|—',
    'not listed|not disclosed|not stated|unavailable|withheld|redacted|\\n|loading|no homepage',
    'no email address|keine homepage|keine webseite|keine internetseite|keine mail',
    'keine e-mail-adresse|nicht angegeben|nicht verfügbar|nicht zutreffend|noch keine|non communiqué',
    'non communiquée|n/c|non disponible|non précisé|non spécifié|sans objet|pas de site web',
    'pas de site internet|pas de mail|sin página web|sin pagina web|sin página|sin sitio web',
    'sin información|sin informacion|sin email|sin especificar|no tiene web|no consta|s/i',
    'não informado|nao informado|não possui|nao possui|não disponível|sem e-mail|sem website',
    'sem informação|não se aplica|n/i|nessun sito|non presente|non specificato|non applicabile',
    'geen website|geen e-mail|geen email|niet van toepassing|saknas|ej angivet|ingen hemsida',
    'ingen hjemmeside|ikke oppgitt|ikke angivet|ei tiedossa|puuttuu|brak danych|brak strony',
    'nie podano|nie ma|brak|ohne|没有|nemá|neuvedeno|žádné|nemá web|nincs megadva|nincs weboldal|nu are',
    'nespecificat|nema|nepoznato|belirtilmemiş|bilinmiyor|нет сайта|нет данных|не указано',
    'отсутствует|нету|немає|не вказано|няма|δεν υπάρχει|κανένα|אין|لا يوجد|غير متوفر|tidak ada',
    'không có|ไม่มี|暂无|没有网站|無し|該当なし|記載なし|未設定|未填写|해당없음|해당 없음|미정',
  ].flatMap((line) => line.split('|')),
);

/** Only dashes, or one repeated character: `-`, `- -`, `xxx`, `000`. */
const ONLY_FILLER = /^(?:[-–—_/\s]+|x+|0+|\.{2,})$/i;
/** Characters that only addresses contain, or a text longer than any placeholder. */
const IS_NONE = /[@:]|^.{40}|\w\.\w\w/s;

/** Fields of templates that nothing filled in: `{{ $json.website }}`, `${company.website}`. */
const UNFILLED = /^=?(?:\{\{ *\$[^@]*\}\}|\$\{[^@]*\}|\$json\b.*)$/s;
/** Addresses that repeat a placeholder or are single letters: `test@test.de`, `abc@abc.com`, `a@b.com`. */
const REPEATED =
  /^(?:mailto:)?(?:\w@\w|((\w)\2*|abc|xyz|admin|asdf|demo|example|fake|na|none|qwerty|sample|test|testing|user)@\1)(?:\.[a-z]+)+$/i;

/** Returns whether a text is a placeholder for a missing value: `N/A`, `-`, `(blank)`, `#REF!`. */
export function isPlaceholderText(text: string): boolean {
  if (UNFILLED.test(text) || REPEATED.test(text)) return true;
  if (IS_NONE.test(text)) return false;
  if (ONLY_FILLER.test(text)) return text !== '';
  const plain = text
    .toLowerCase()
    .replace(/^[\s"'“”‘’([{<*_-]+|[\s"'“”‘’)\]}>*_!?.-]+$/gu, '')
    .replace(/\s+/g, ' ')
    .replaceAll(' / ', '/');
  return WORDS.has(plain);
}
