import { findJsonRisk } from '../values/json';
import { hasLoneSurrogate, toText, joinFirst, quote } from '../values/text';
import { normalizeDomain, SERVICE_DOMAIN_OPTIONS } from './domains';
import { LIMITS } from './limits';
import { foldAccents } from './names/fold';
import { isPlaceholderText } from './placeholders';

/** Thrown before a request or a credit is spent. The hint says how the user can correct the input. */
export class InputError extends Error {
  override readonly name = 'InputError';

  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

const DOMAIN_HINT = 'Enter a domain like example.com, a URL or an email address.';
const IDENTIFIER_HINT = 'Enter a company domain like example.com, or a slug like example-inc.';

const TECH_KEY = /^[a-z0-9-]+$/;

/** The service decides on the form of slugs, but none has control characters or the syntax of URLs and markup. */
const CAN_BE_SLUG = /^(?=.*[\p{L}\p{N}])[^\p{Cc}/\\?#%<>"{}|^`@:;=*[\]]+$/u;

/**
 * API spec: Conventions, rule 3. URLs and email addresses are reduced to their domain. A text without a dot, or
 * with a dot that belongs to no domain (`acme-2.0`), is a slug.
 */
export function parseIdentifier(
  value: unknown,
  name: string,
  subdomains: 'strip' | 'keep',
): string {
  const text = toText(value);
  if (text === '') {
    throw new InputError(`"${name}" is empty`, IDENTIFIER_HINT);
  }
  if (!text.includes('.')) {
    if (CAN_BE_SLUG.test(text) && !isPlaceholderText(text)) {
      return assertSendable(text, name, LIMITS.domainLength);
    }
    throw new InputError(
      `"${name}" is neither a domain nor a slug: ${quote(text)}`,
      IDENTIFIER_HINT,
    );
  }
  const options = { ...SERVICE_DOMAIN_OPTIONS, subdomains, refused: 'pages' } as const;
  const parts = text.split(/[,;\n]/).map((part) => normalizeDomain(part, options));
  if (new Set(parts.flatMap((part) => (part.valid ? part.domain : []))).size > 1) {
    throw new InputError(
      `"${name}" holds several companies: ${quote(text)}`,
      'Enter one company. For several, use an item for each, or Bulk Enrich. Nothing was sent.',
    );
  }
  const found = normalizeDomain(value, options);
  const noDomain = !found.valid && ['malformed', 'no_dot', 'unknown_tld'].includes(found.reason);
  return noDomain && CAN_BE_SLUG.test(text)
    ? assertSendable(text, name, LIMITS.domainLength)
    : parseDomain(value, name, subdomains, 'pages');
}

/**
 * No list refuses a host here: a person who types yahoo.com means the company.
 *
 * @param name Of the parameter in the editor.
 * @param refused `pages` refuses profiles, shops and links of others on listed hosts.
 */
export function parseDomain(
  value: unknown,
  name: string,
  subdomains: 'strip' | 'keep',
  refused: 'pages' | 'nothing' = 'nothing',
): string {
  const found = normalizeDomain(value, { ...SERVICE_DOMAIN_OPTIONS, subdomains, refused });
  if (found.valid) return found.domain;
  if (found.about !== undefined) {
    throw new InputError(found.message, `"${name}" is ${quote(toText(value))}. Nothing was sent.`);
  }
  const reason = found.message.charAt(0).toLowerCase() + found.message.slice(1);
  throw new InputError(`"${name}" is ${quote(toText(value))}: ${reason}`, DOMAIN_HINT);
}

/** API spec: Technologies, rule 1. */
export function parseTechKey(value: unknown): string {
  const text = toText(value);
  if (TECH_KEY.test(text)) return assertSendable(text, 'Technology', LIMITS.domainLength);
  const key = toTechKey(text);
  const suggestion = key === '' ? '' : `. Did you mean ${quote(key)}?`;
  throw new InputError(
    text === '' ? 'No technology is chosen' : `${quote(text)} is not a tech key${suggestion}`,
    'A tech key contains only lowercase letters, digits and hyphens. Tech Users: Search Technologies finds it by name, for free.',
  );
}

function toTechKey(name: string): string {
  if (!/^[\p{L}\p{N} .&+-]+$/u.test(name)) return '';
  return foldAccents(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** API spec: Size and pagination bounds. */
export function parseTechnologyQuery(value: unknown): string {
  const max = LIMITS.technologyQueryLength;
  const hint = `Enter 1 to ${String(max)} characters of a technology's or vendor's name.`;
  const text = parseShortText(value, 'The search text', max, hint);
  if (text === '') throw new InputError('The search text is empty', hint);
  return assertSendable(text, 'Search Text');
}

export function parseListId(value: unknown): string {
  return parseId(
    value,
    'list',
    'Choose the list in the dropdown, or enter its list_id from Company List: Get Many.',
  );
}

export function parsePermissionId(value: unknown): string {
  return parseId(
    value,
    'permission',
    'Choose the permission in the dropdown, or enter its permission_id from Get Many.',
  );
}

/** The API spec does not show how long the name of a list can be. */
export function parseListName(value: unknown): string {
  const text = toText(value);
  if (text !== '' && typeof value !== 'object') return text;
  throw new InputError(
    text === '' ? '"Name" is empty' : `"Name" is not text: ${quote(text)}`,
    'Enter a name for the list. Nothing was sent.',
  );
}

/** API spec: Data flags. Undefined if blank. */
export function parseFlagDescription(value: unknown): string | undefined {
  const hint = 'Shorten the description. Nothing was sent.';
  return parseShortText(value, 'The description', LIMITS.flagDescriptionLength, hint) || undefined;
}

function parseShortText(value: unknown, what: string, most: number, hint: string): string {
  const text = toText(value);
  const { length } = Array.from(text);
  if (length <= most) return text;
  throw new InputError(`${what} has ${formatExcess(length, most)}`, hint);
}

function formatExcess(length: number, most: number): string {
  return `${String(length)} characters, but only ${String(most)} are allowed`;
}

/** In a URL; servers accept no longer ones. */
const MAX_SENDABLE_LENGTH = 4000;

export function assertSendable(text: string, name: string, most = MAX_SENDABLE_LENGTH): string {
  if (text.length > most) {
    throw new InputError(
      `"${name}" has ${formatExcess(text.length, most)}: ${quote(text)}`,
      'Correct the parameter. Nothing was sent.',
    );
  }
  if (!hasLoneSurrogate(text)) return text;
  throw new InputError(
    `"${name}" contains half a character (an unpaired surrogate): ${quote(text)}`,
    'The text was probably cut in the middle of a character, such as an emoji. Correct it. Nothing was sent.',
  );
}

/** The API spec does not show the form of ids, so any text that can be part of a path is accepted. */
function parseId(value: unknown, what: string, hint: string): string {
  const text = toText(value);
  if (text === '') throw new InputError(`No ${what} is chosen`, hint);
  // In a path, "." is dropped and ".." goes up one level.
  if (typeof value !== 'object' && text !== '.' && text !== '..') {
    return assertSendable(text, `The id of the ${what}`);
  }
  throw new InputError(`${quote(text)} is not the id of a ${what}`, hint);
}

/** The API spec does not show how a body names users. */
export function parseUserFields(value: unknown): Record<string, string> {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (text === '') {
    throw new InputError('"User" is empty', 'Enter the ID or the email address of a user.');
  }
  return text.includes('@') ? { email: text } : { user_id: text };
}

/** No definition or body needs more levels; the call stack holds some thousands. */
const MAX_DEPTH = 200;

/** Writing a deeper value as JSON could overflow the stack. */
export function assertNotTooDeep<T>(value: T, name: string): T {
  if (findJsonRisk(value, MAX_DEPTH) === 'deep') throw createTooDeepError(`"${name}"`);
  return value;
}

export function createTooDeepError(what: string): InputError {
  return new InputError(
    `${what} is nested too deeply: only ${String(MAX_DEPTH)} levels are allowed`,
    'Use only the part you need, or flatten the value. Nothing was sent for this item.',
  );
}

const BETWEEN_ENTRIES = /[\s,;]+/;
const MAX_NAMED_ENTRIES = 3;

/** Accepts typed text or a list. */
export function splitEntries(value: unknown): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => (typeof text === 'string' ? text.split(BETWEEN_ENTRIES) : []))
    .filter((entry) => entry !== '');
}

export function createNoDomainsError(name: string, wrong: readonly string[]): InputError {
  return new InputError(
    `"${name}" has entries without a domain: ${joinFirst(wrong, MAX_NAMED_ENTRIES)}`,
    'Enter domains like example.com, separated by spaces, commas or line breaks.',
  );
}

/** Each stands for its subdomains too. Undefined if there are none. */
export function parseDomainSet(value: unknown, name: string): ReadonlySet<string> | undefined {
  const entries = splitEntries(value).map((entry) => {
    return { entry, found: normalizeDomain(entry, SERVICE_DOMAIN_OPTIONS) };
  });
  const wrong = entries.filter(({ found }) => !found.valid);
  if (wrong.length > 0) {
    throw createNoDomainsError(
      name,
      wrong.map(({ entry }) => quote(entry)),
    );
  }
  if (entries.length === 0) return undefined;
  return new Set(entries.flatMap(({ found }) => (found.valid ? [found.domain] : [])));
}
