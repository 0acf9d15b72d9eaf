import { toSnakeCase } from '../values/text';
import { isJsonObject } from '../values/json';

/** Words before `domain`, `website` or `email` in the keys of records: `company_website_domain`. */
const OWNER =
  '(?:(?:property|job|current|main|primary|root|work|business|company|account|organi[sz]ation|' +
  'org|employer|contact|support|customer|lead|person|original|your)_)*';
/** Keys in which nodes and CRMs return a website or an address, the most reliable first. */
const KEYS = [
  'value',
  `${OWNER}(?:(?:website|e_?mail)_?)?domains?(?:_names?)?`,
  `${OWNER}(?:web_?)?sites?(?:_?ur[il])?|web|web_?seite|siti?o_web|site_web|pagina_web`,
  `(?:company|organi[sz]ation|account|employer)_url|${OWNER}home_?pages?(?:_url)?`,
  'url|primary_link_url|urls|href|link|hyperlink',
  `${OWNER}(?:e_?mails?|e_?mail_?add?ress[es]*|adresse_e_?mail|correo(?:_electronico)?)(?:\\d|_normalized)?|mail`,
  'address|company|text|plain_text|name|content|title|rich_text|blog',
  'properties|fields|attributes|traits|values|column_values|data|record|body|business_profile|text_answers|answers',
  'organi[sz]ation|(?:sales_)?accounts?|compan(?:y|ies)|current_company|employ(?:er|ment)|customer|contacts?|person|profile',
].map(toKeyForm);
/** Keys of names in lookups of databases. */
const NAME_KEYS = [
  `${OWNER}(?:display_)?(?:name|label|title)|value|text`,
  'properties|fields|attributes|values|data|record',
].map(toKeyForm);

function toKeyForm(keys: string): RegExp {
  return new RegExp(`^(?:${keys})(?:_c)?$`);
}

/** Levels of nesting that are searched; no node returns deeper values. */
const MAX_DEPTH = 6;
/** A cell with more texts contains a whole table. */
const MAX_TEXTS = 200;

/** Entries marked as primary come first (Pipedrive). */
export function collectTexts(value: unknown): string[] {
  return collect(value, KEYS, MAX_DEPTH).slice(0, MAX_TEXTS);
}

/** Under any key. */
export function collectAllTexts(value: unknown): string[] {
  return collect(value, [/(?:)/], MAX_DEPTH).filter((text) => text.trim() !== '');
}

export function collectNames(value: unknown): string[] {
  return collect(value, NAME_KEYS, MAX_DEPTH).filter((text) => text.trim() !== '');
}

function collect(value: unknown, keys: readonly RegExp[], depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (depth === 0) return [];
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value.slice(0, MAX_TEXTS);
    const primary = entries.filter(isPrimary);
    const others = primary.length === 0 ? entries : entries.filter((one) => !isPrimary(one));
    return [...primary, ...others].flatMap((entry) => collect(entry, keys, depth - 1));
  }
  if (!isJsonObject(value)) return [];
  const fields = Object.entries(value).map(
    ([key, field]) => [toSnakeCase(key.normalize('NFD').replace(/\p{M}/gu, '')), field] as const,
  );
  return keys.flatMap((form) =>
    fields.flatMap(([key, field]) => (form.test(key) ? collect(field, keys, depth - 1) : [])),
  );
}

function isPrimary(entry: unknown): boolean {
  if (!isJsonObject(entry)) return false;
  const { primary, is_primary, isPrimary: camel } = entry;
  return [primary, is_primary, camel].some((flag) => flag === true || flag === 1 || flag === '1');
}
