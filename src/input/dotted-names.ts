/** Top-level domains that people also write with a capital letter: `Acme.Com`. */
const COMMON = new Set(
  (
    'com net org info biz edu gov io ai co app dev de ch fr nl eu uk es pl se dk fi cz sk hu ro ru ua ' +
    'cn jp kr br mx ar cl ca au nz za'
  ).split(' '),
);

/** Legal forms and titles in names. Some of them are top-level domains too. */
const FORMS = new Set(
  (
    'ab ag aps as asa bhd bt bv cia cie co corp cv ek ev gbr gmbh inc kft kg kgaa lda limited llc llp lp ' +
    'ltd ltda mbh nv ohg ou oy oyj plc pt pte pty pvt sa san sarl sas sdn sl slu snc spa srl sti tbk tic ' +
    'ug ve zrt dent dipl ing med phil'
  ).split(' '),
);
const TITLES = new Set(
  'dipl dr fa frau ft gebr herr hr ing jr mag mme mr mrs ms mt nr prof sr st sta ste'.split(' '),
);

/** Companies with their own top-level domain that occur in lists of technologies and competitors. */
const BRANDS = new Set(
  (
    'abb adobe aig airbus aldi alibaba allstate amazon amex apple audi axa azure barclays bing bloomberg ' +
    'bmw bosch box bridgestone canon cbre chanel chase cisco citi dell deloitte dhl discover dupont ' +
    'epson ericsson ferrari fiat ford fujitsu gap gmail goodyear google gucci honda hotmail hsbc hyatt ' +
    'hyundai ibm ikea infiniti intel jeep kia kpmg lamborghini lego lexus lidl lilly linde marriott ' +
    'mattel merck microsoft mini mitsubishi mormon nba netflix nike nikon nissan nokia office omega ' +
    'oracle panasonic philips pioneer prudential pwc ricoh rolex samsung sandvik sap saxo seat sharp ' +
    'shell skype softbank sony spiegel staples suzuki target tiffany toshiba toyota uber ubs visa ' +
    'vivo volkswagen volvo walmart windows xbox yahoo yandex youtube zappos'
  ).split(' '),
);

/** A host in small letters; a single letter at its end is an initial. */
const SMALL_HOST = /^[a-z\d.-]+\.[a-z\d-]{2,}$/;

/**
 * Returns whether a text with dots is a name and not a host, judging by capital letters, titles and
 * legal forms: `Co.KG`, `Mr.Green`, `S.p.A`, `U.S`. `Booking.com` and `ACME.COM` are hosts.
 *
 * @param text the text as written, without scheme and path.
 * @param isAlone whether the cell contains nothing else.
 */
export function isDottedName(text: string, isAlone: boolean): boolean {
  // Most texts are hosts in small letters, of which only those with a brand's ending are names.
  if (isAlone && SMALL_HOST.test(text) && !BRANDS.has(text.slice(text.lastIndexOf('.') + 1)))
    return false;
  const labels = text.split('.');
  const words = labels.map((label) => label.toLowerCase());
  const [first = ''] = words;
  const last = labels.at(-1) ?? '';
  const ending = last.toLowerCase();
  // A missing space after a year: "Founded in 2015.It is a family business."
  if (/^[\d-]+\.\p{Lu}\p{Ll}+$/u.test(text)) return !COMMON.has(ending);
  if (labels.length < 2 || !/^[\p{L}.-]+$/u.test(text)) return false;
  if (labels.every((label) => label.length <= 3) && last.length === 1) return true;
  const isCapital = /^\p{Lu}/u.test(text);
  // Initials before a word, as in "S.A.de C.V."
  if (isCapital && labels.length > 2 && labels.slice(0, -1).every(({ length }) => length === 1))
    return true;
  if (words.every((word) => FORMS.has(word) || TITLES.has(word))) return isCapital || !isAlone;
  if (COMMON.has(ending)) return false;
  if ((TITLES.has(first) || FORMS.has(first)) && isCapital) return true;
  // "Acme.LLC", but not "acme.llc" or "ACME.LLC".
  if (FORMS.has(ending) && /^\p{Lu}+$/u.test(last) && /^\p{Lu}.*\p{Ll}/u.test(text)) return true;
  if (BRANDS.has(ending)) return true;
  // The next word of a sentence, or of a name such as "Toys.R.Us".
  return /^\p{Lu}\p{Ll}+$/u.test(last);
}
