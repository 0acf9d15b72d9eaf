import { decodePercent } from '../client/values';

/*
 * Pages about a company on another company's site, recognized by their path. The lists of hosts hold
 * the large directories, registers, review sites and job boards. The small ones are too many to list,
 * but they name their pages alike: `/company/acme`, `/firma/acme-123456`, `/12345678-acme`.
 *
 * Companies' own sites have such paths too (`/company/history`), and a wrong refusal loses a usable row.
 * So a word has to be followed by a name that is neither the host's own nor a usual page's, and words
 * that often name a section of an own site (`/unternehmen/…`) by the number or legal form of a company.
 */

/** Parts of a path that are followed by a company's name. */
const BEFORE_NAME = toSet(
  'biz cmp companies company employer employers entity cnpj cvr edr enhed krs kvk cong-ty',
);

/** Parts of a path that are followed by a company's name, or name a section of an own site. */
const BEFORE_NUMBER = toSet(
  'business businesses exhibitor firm firms organisation organization seller supplier ' +
    'vendor arbeitgeber aussteller firma firmen unternehmen annonceur entreprise entreprises societe ' +
    'empresa empresas perfil proveedor azienda aziende impresa imprese profilo bedrijf bedrijven profiel ' +
    'werkgever bolag foretag företag selskap virksomhed yritykset yritys firmy firmas pracodawca ' +
    'pracodawcy profil ceg cegek poduzece tvrtka',
);

/** Words that mean a company's name follows when joined to one another or to those above. */
const IN_COMPOUNDS = toSet(
  'detail details profile profiles directory directorio annuaire eintrag adatlap ficha index info informacion',
);

/** Words in the names of pages that companies have about themselves. */
const OWN_PAGES = toSet(
  'about access account affiliates agreement analyst announcements areas articles awards background ' +
    'become benefits blog board brand brands brochure business capabilities career careers case center ' +
    'ceo certificate certificates certification certifications charter clients code commitment ' +
    'committees community compliance conduct contact contacts corporate credentials csr culture customer ' +
    'customers demo directors directions disclosure diversity documents download downloads environment ' +
    'equipment esg ethics events executive executives facilities facility factory family faq faqs ' +
    'financial founder founders foundation gallery giving glance global governance greeting group groups ' +
    'guide headquarters help heritage history home honors identity impact imprint index industries info ' +
    'information infrastructure innovation insights integrations intro introduction investor investors ' +
    'job jobs karriere key kontakt law leaders leadership legacy legal license licenses life list locate location ' +
    'locations locator login logo management manufacturing map media meet member members memberships ' +
    'message milestones mission network networks new news newsletter newsroom office offices open ' +
    'operations order organization organisation our outline outreach overview owners ownership page ' +
    'partner partners people philosophy photos plants policies policy portal portfolio positions post ' +
    'presence president press pricing principles privacy process product production products profile ' +
    'program programs projects promise purpose quality recognition recruit recruitment references ' +
    'register registration relations report reports request research resources responsibility ' +
    'responsible review reviews safety sales search security service services sign signup sitemap ' +
    'social solutions staff statement stories story strategy structure subsidiaries suppliers support ' +
    'sustainability team teams technology terms testimonials timeline tour trust us values video videos ' +
    'vision volunteer warranty webinars welcome what where who why work workplace world you ' +
    'aisatsu enkaku gaiyo gaiyou rinen',
);

/** Names of hosts that only directories have. */
const DIRECTORY =
  /director(?:y|ies)|(?:business|golden|white|yellow)pages|branchenbuch|firmenbuch|telefonbuch|(?:biz|business|company)list|guialocal|paginas|pagine|annuaire|phonebook|listings/;

/** A legal form that is no word, at the end of a name. */
const LEGAL_FORM =
  /[^\p{L}](?:gmbh|mbh|inc|llc|ltd|pvt|sarl|eurl|srl|lda|ltda|kft|oyj?|aps|d\W?o\W?o|s\W?r\W?o)$/u;
/** A number of a company in a register, and not a date. */
const REGISTER_NUMBER = /(?<![\p{L}\d])(?!(?:19|20)\d{6}(?!\d))\d{8,14}(?![\p{L}\d])/u;

/** Parts of a path that name nothing: languages and scripts. */
const NO_NAME = /^(?:[a-z]{2}(?:[-_][a-z]{2})?|index\.php)?$/;
/** Number of parts of a path in which a word is searched: it can follow a city or a section. */
const MAX_SEARCHED_PARTS = 3;
/** Number of parts up to which a number alone means a company. Deeper ones are people and articles. */
const MAX_NUMBERED_PARTS = 2;

function toSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/**
 * Returns whether a path looks like a page about a company that does not own the host.
 *
 * @param domain the host without its subdomains.
 * @param page the path in lower case, without leading slashes, query and fragment.
 */
export function isForeignPage(domain: string, page: string): boolean {
  const parts = page
    .split('/')
    .map((part) => (decodePercent(part) ?? part).replace(/\.(?:html?|php|aspx?|jsp)$/, ''))
    .filter((part) => !NO_NAME.test(part));
  // Another host in the path is the target of a redirect, or what the page is about.
  if (parts.length === 0 || parts.some((part) => /\w\.[a-z]{2,}$/.test(part))) return false;
  const [label = ''] = domain.split('.', 1);
  const isOwn = (part: string): boolean => isOwnPage(part, label.replaceAll('-', ''));
  const at = parts.slice(0, MAX_SEARCHED_PARTS).findIndex(isBeforeName);
  const [word = '', name, ...rest] = at === -1 ? [] : parts.slice(at);
  if (name !== undefined) {
    const isSure =
      !BEFORE_NUMBER.has(word) ||
      DIRECTORY.test(label) ||
      [name, ...rest].some((part) => /\d{5}/.test(part) || LEGAL_FORM.test(part));
    return isSure && ![...parts.slice(0, at), name].some(isOwn);
  }
  return (
    !parts.some(isOwn) &&
    (DIRECTORY.test(label) ||
      LEGAL_FORM.test(parts.at(-1) ?? '') ||
      (parts.length <= MAX_NUMBERED_PARTS && parts.some((part) => REGISTER_NUMBER.test(part))))
  );
}

function isBeforeName(part: string): boolean {
  if (BEFORE_NAME.has(part) || BEFORE_NUMBER.has(part)) return true;
  const words = splitWords(part);
  return (
    words.length > 1 &&
    words.every(
      (word) => BEFORE_NAME.has(word) || BEFORE_NUMBER.has(word) || IN_COMPOUNDS.has(word),
    )
  );
}

/** Returns whether a part of a path names a usual page of any company, or the owner of the host. */
function isOwnPage(part: string, label: string): boolean {
  const words = splitWords(part);
  const name = words.join('');
  return (
    name.length < 2 ||
    name.includes(label) ||
    label.includes(name) ||
    words.some((word) => OWN_PAGES.has(word) || (word.length > 3 && label.includes(word)))
  );
}

function splitWords(part: string): string[] {
  return part.split(/[^\p{L}\d]+/u).filter((word) => word !== '');
}
