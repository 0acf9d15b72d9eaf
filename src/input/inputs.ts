import { isDeeperThan, toText } from '../client/values';
import { normalizeDomain, SERVICE_DOMAIN_OPTIONS } from './domains';
import { LIMITS } from './limits';
import { isPlaceholderText } from './placeholders';
import { joinFirst, quote } from './quote';

/** An error for user input that cannot be sent, thrown before a request or a credit is spent. */
export class InputError extends Error {
  override readonly name = 'InputError';

  /** @param hint how the user can correct the input. */
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

/** Hint for a value that contains no domain. */
const DOMAIN_HINT = 'Enter a domain like example.com, a URL or an email address.';

const IDENTIFIER_HINT = 'Enter a company domain like example.com, or a slug like example-inc.';

const TECH_KEY = /^[a-z0-9-]+$/;

/**
 * Matches a text that can be a slug. The API spec does not show the form of slugs: the service decides,
 * but no slug has control characters or the syntax of URLs, paths and markup.
 */
const CAN_BE_SLUG = /^(?=.*[\p{L}\p{N}])[^\p{Cc}/\\?#%<>"{}|^`@:;=*[\]]+$/u;

/**
 * Parses a company's domain or slug (API spec: Conventions, rule 3). URLs and email addresses are
 * reduced to their domain. A text without a dot, or with a dot that belongs to no domain (`acme-2.0`),
 * is treated as a slug. No list refuses a host, but a page of others on a listed host is refused.
 *
 * @param name the parameter's name in the editor.
 * @throws {InputError} when the value is neither a domain nor a slug, or is a page of others.
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
  const found = normalizeDomain(value, { ...SERVICE_DOMAIN_OPTIONS, subdomains, refused: 'pages' });
  const noDomain = !found.valid && ['malformed', 'no_dot', 'unknown_tld'].includes(found.reason);
  return noDomain && CAN_BE_SLUG.test(text)
    ? assertSendable(text, name, LIMITS.domainLength)
    : parseDomain(value, name, subdomains, 'pages');
}

/**
 * Parses a domain that a person names into the form the API expects. No list refuses a host here: a
 * person who types yahoo.com means the company.
 *
 * @param name the parameter's name in the editor.
 * @param subdomains `exact` keeps the host unchanged, including its `www.`.
 * @param refused `pages` refuses profiles and shops of others on listed hosts.
 * @throws {InputError} when the value contains no domain.
 */
export function parseDomain(
  value: unknown,
  name: string,
  subdomains: 'strip' | 'keep' | 'exact',
  refused: 'pages' | 'nothing' = 'nothing',
): string {
  const isExact = subdomains === 'exact';
  const found = normalizeDomain(value, {
    ...SERVICE_DOMAIN_OPTIONS,
    subdomains: isExact ? 'keep' : subdomains,
    refused,
  });
  if (found.valid) return isExact ? found.host : found.domain;
  if (found.about !== undefined) {
    throw new InputError(found.message, `"${name}" is ${quote(toText(value))}. Nothing was sent.`);
  }
  throw new InputError(
    `"${name}" contains no usable domain: ${quote(toText(value))}. ${found.message}`,
    DOMAIN_HINT,
  );
}

/**
 * Parses a tech key: lowercase letters, digits, hyphens (API spec: Technologies, rule 1).
 *
 * @throws {InputError} when the value is no tech key.
 */
export function parseTechKey(value: unknown): string {
  const text = parseTechKeyOrName(value);
  if (isTechKey(text)) return text;
  throw createInvalidTechKeyError(text);
}

/**
 * Parses the text that names a technology: its key, or a name that {@link createInvalidTechKeyError} reports.
 *
 * @throws {InputError} when the text is empty or cannot be part of a URL.
 */
export function parseTechKeyOrName(value: unknown): string {
  const text = toText(value);
  if (text !== '') return assertSendable(text, 'Technology', LIMITS.domainLength);
  throw createInvalidTechKeyError(text);
}

/** Returns whether a text has the form of a tech key. */
export function isTechKey(text: string): boolean {
  return TECH_KEY.test(text);
}

/**
 * Creates the error for a text that is not a tech key.
 *
 * @param keys existing keys that the user may have meant. A key guessed from a name rarely exists.
 */
export function createInvalidTechKeyError(text: string, keys: readonly string[] = []): InputError {
  const meant = keys.length === 0 ? '' : `. Did you mean ${keys.map(quote).join(', ')}?`;
  return new InputError(
    text === '' ? 'No technology is chosen' : `${quote(text)} is not a tech key${meant}`,
    'A tech key contains only lowercase letters, digits and hyphens. Choose the technology from the list. Search Technologies finds the tech key of a name, and is free.',
  );
}

/**
 * Parses the text of a technology search (API spec: Size and pagination bounds).
 *
 * @throws {InputError} when the text is empty or too long.
 */
export function parseTechnologyQuery(value: unknown): string {
  const text = toText(value);
  const max = LIMITS.technologyQueryLength;
  const length = countCharacters(text);
  if (length >= 1 && length <= max) return assertSendable(text, 'Search Text');
  throw new InputError(
    text === ''
      ? 'The search text is empty'
      : `The search text has ${String(length)} characters, but only ${String(max)} are allowed`,
    `Enter 1 to ${String(max)} characters of a technology's or vendor's name.`,
  );
}

/** Parses the id of a saved list; see {@link parseId}. */
export function parseListId(value: unknown): string {
  return parseId(
    value,
    'list',
    'Choose the list in the dropdown, or enter its list_id from Company List: Get Many.',
  );
}

/** Parses the id of a list's permission; see {@link parseId}. */
export function parsePermissionId(value: unknown): string {
  return parseId(
    value,
    'permission',
    'Choose the permission in the dropdown, or enter its permission_id from Get Many.',
  );
}

/**
 * Parses the name of a list. The API spec does not show how long a name can be.
 *
 * @throws {InputError} when the name is empty or not text.
 */
export function parseListName(value: unknown): string {
  const text = toText(value);
  if (text !== '' && typeof value !== 'object') return text;
  throw new InputError(
    text === '' ? '"Name" is empty' : `"Name" is not text: ${quote(text)}`,
    'Enter a name for the list. Nothing was sent.',
  );
}

/**
 * Parses a flag's description (API spec: Data flags).
 *
 * @returns the text; undefined if it is blank.
 * @throws {InputError} when the description is too long.
 */
export function parseFlagDescription(value: unknown): string | undefined {
  const text = toText(value);
  const max = LIMITS.flagDescriptionLength;
  const length = countCharacters(text);
  if (length > max) {
    throw new InputError(
      `The description has ${String(length)} characters, but only ${String(max)} are allowed`,
      'Shorten the description. Nothing was sent.',
    );
  }
  return text === '' ? undefined : text;
}

/** Characters of a URL that servers accept. */
const MAX_SENDABLE_LENGTH = 4000;

/**
 * Returns a text unchanged if it can be part of a URL.
 *
 * @param name the field's name in the editor.
 * @param most the most characters it can have; no slug or key is longer than a domain.
 * @throws {InputError} when the text is too long, or contains half a character because it was cut off.
 */
export function assertSendable(text: string, name: string, most = MAX_SENDABLE_LENGTH): string {
  if (text.length > most) {
    throw new InputError(
      `"${name}" has ${String(text.length)} characters, but only ${String(most)} are allowed: ${quote(text)}`,
      'Correct the parameter. Nothing was sent.',
    );
  }
  if (!/\p{Surrogate}/u.test(text)) return text;
  throw new InputError(
    `"${name}" contains half a character (an unpaired surrogate): ${quote(text)}`,
    'The text was probably cut in the middle of a character, such as an emoji. Correct it. Nothing was sent.',
  );
}

/**
 * Parses an id. The API spec does not show the form of ids, so any text is accepted.
 *
 * @throws {InputError} when there is no id, or it cannot be part of a path.
 */
function parseId(value: unknown, what: string, hint: string): string {
  const text = toText(value);
  if (text === '') throw new InputError(`No ${what} is chosen`, hint);
  // In a path, "." is dropped and ".." goes up one level.
  if (typeof value !== 'object' && text !== '.' && text !== '..') {
    return assertSendable(text, `The id of the ${what}`);
  }
  throw new InputError(`${quote(text)} is not the id of a ${what}`, hint);
}

/** Counts characters as people do, not UTF-16 units. */
function countCharacters(text: string): number {
  return Array.from(text).length;
}

/**
 * Returns the field that names a user in a request body: `email` for an email address, `user_id` for
 * anything else. The API spec does not show how users are named.
 *
 * @throws {InputError} when the value names no user.
 */
export function parseUserFields(value: unknown): Record<string, string> {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (text === '') {
    throw new InputError('"User" is empty', 'Enter the ID or the email address of a user.');
  }
  return text.includes('@') ? { email: text } : { user_id: text };
}

/**
 * Levels of nesting allowed. No definition or body needs more; the call stack holds some thousands.
 */
const MAX_DEPTH = 200;

/**
 * Returns a value unchanged unless it is nested so deeply that writing it as JSON could overflow the
 * stack.
 *
 * @param name the field's name in the editor.
 * @throws {InputError} when the value is nested too deeply.
 */
export function assertNotTooDeep<T>(value: T, name: string): T {
  if (isDeeperThan(value, MAX_DEPTH)) throw createTooDeepError(`"${name}"`);
  return value;
}

/**
 * Creates the error for a value that is nested too deeply.
 *
 * @param what the value in words, at the beginning of a sentence.
 */
export function createTooDeepError(what: string): InputError {
  return new InputError(
    `${what} is nested too deeply: only ${String(MAX_DEPTH)} levels are allowed`,
    'Use only the part you need, or flatten the value. Nothing was sent for this item.',
  );
}

/** Separators between typed entries. */
const BETWEEN_ENTRIES = /[\s,;]+/;
/** Number of invalid entries that an error message names. */
const MAX_NAMED_ENTRIES = 3;

/** Returns the entries of a parameter that accepts several, as typed text or as a list. */
export function splitEntries(value: unknown): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => (typeof text === 'string' ? text.split(BETWEEN_ENTRIES) : []))
    .filter((entry) => entry !== '');
}

/**
 * Creates the error for entries of a parameter that contain no domain.
 *
 * @param wrong the invalid entries as quoted text.
 */
export function createNoDomainsError(name: string, wrong: readonly string[]): InputError {
  return new InputError(
    `"${name}" has entries without a domain: ${joinFirst(wrong, MAX_NAMED_ENTRIES)}`,
    'Enter domains like example.com, separated by spaces, commas or line breaks.',
  );
}

/**
 * Parses the domains of an option; each stands for its subdomains too.
 *
 * @returns the domains; undefined if there are none.
 * @throws {InputError} when an entry is not a domain; the message names it.
 */
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
