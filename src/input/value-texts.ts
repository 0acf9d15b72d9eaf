import { toSnakeCase, isRow } from '../client/values';

/** Fields in which nodes return a website or an address, the most reliable first. */
const FIELDS = (
  'value domain domain_name root_domain primary_domain company_domain domains website ' +
  'company_website web_site site web website_url company_url websites homepage url ' +
  'primary_link_url urls href link hyperlink email email_address primary_email emails ' +
  'work_email business_email company_email contact_email support_email e_mail ' +
  'original_email_address mail address company text plain_text name content title ' +
  'rich_text blog properties fields attributes business_profile text_answers answers ' +
  'organization account customer contact profile'
).split(' ');

/** Levels of nesting that are searched; no node returns deeper values. */
const MAX_DEPTH = 6;
/** Number of texts that are read: a cell with more contains a whole table. */
const MAX_TEXTS = 200;

/**
 * Collects the texts of a value from another node: a text, a number, a list of them (Airtable), or an
 * object with the text in a known field (`{value}`, `{url, text}`). Entries marked as primary come
 * first (Pipedrive).
 */
export function collectTexts(value: unknown): string[] {
  return collect(value, MAX_DEPTH).slice(0, MAX_TEXTS);
}

function collect(value: unknown, depth: number): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number' || typeof value === 'bigint') return [String(value)];
  if (depth === 0) return [];
  if (Array.isArray(value)) {
    const entries: readonly unknown[] = value.slice(0, MAX_TEXTS);
    const primary = entries.filter(isPrimary);
    const others = primary.length === 0 ? entries : entries.filter((one) => !isPrimary(one));
    return [...primary, ...others].flatMap((entry) => collect(entry, depth - 1));
  }
  if (!isRow(value)) return [];
  const fields = new Map<string, unknown>();
  for (const [name, field] of Object.entries(value)) {
    fields.set(toSnakeCase(name), field);
  }
  return FIELDS.flatMap((name) => collect(fields.get(name), depth - 1));
}

function isPrimary(entry: unknown): boolean {
  if (!isRow(entry)) return false;
  const { primary, is_primary, isPrimary: camel } = entry;
  return [primary, is_primary, camel].some((flag) => flag === true || flag === 1 || flag === '1');
}
