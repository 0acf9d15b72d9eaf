import { isDeeperThan } from '../client/values';
import { normalizeDomain } from './domains';
import { LIMITS } from './limits';
import { isPlaceholderText } from './placeholders';
import { firstOf, quote, textOf } from './quote';

/** What the user gave cannot be sent. Found before a request or a credit is spent. */
export class InputError extends Error {
  override readonly name = 'InputError';

  /** @param hint how to correct it. */
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

const TECH_KEY = /^[a-z0-9-]+$/;

/** What no slug can hold: control characters, and what addresses, paths and markup are written with. */
const NEVER_IN_A_SLUG = /[\p{Cc}/\\?#%<>"{}|^`@:;=*[\]]/u;

/** What slugs look like is not shown, so that the service decides; one letter or number is in them. */
function mayBeSlug(text: string): boolean {
  return !NEVER_IN_A_SLUG.test(text) && /[\p{L}\p{N}]/u.test(text);
}

/**
 * A company's domain or slug (interface: Conventions, rule 3). URLs and e-mail addresses are reduced
 * to their domain; a text without a dot, or with one that belongs to no domain (`acme-2.0`), is taken
 * for a slug.
 */
export function identifierOf(value: unknown, name: string, subdomains: 'strip' | 'keep'): string {
  const text = textOf(value);
  if (text === '') {
    throw new InputError(
      `"${name}" is empty`,
      'Give a company domain like example.com, or a slug.',
    );
  }
  if (!text.includes('.')) {
    if (mayBeSlug(text) && !isPlaceholderText(text)) return sendableOf(text, name);
    throw new InputError(
      `"${name}" is neither a domain nor a slug: ${quote(text)}`,
      'Give a company domain like example.com, or a slug like example-inc.',
    );
  }
  const found = normalizeDomain(value, { subdomains, rejectFreeMail: undefined });
  const noDomain = !found.valid && ['malformed', 'no_dot', 'unknown_tld'].includes(found.reason);
  return noDomain && mayBeSlug(text) ? sendableOf(text, name) : domainOf(value, name, subdomains);
}

/**
 * A domain in the form the interface wants.
 *
 * @param subdomains `exact` keeps the host as it is there, even its `www.`.
 * @param anyHost whether hosts that are no company's own will do too.
 */
export function domainOf(
  value: unknown,
  name: string,
  subdomains: 'strip' | 'keep' | 'exact',
  anyHost = false,
): string {
  const isExact = subdomains === 'exact';
  const found = normalizeDomain(value, {
    subdomains: isExact ? 'keep' : subdomains,
    rejectFreeMail: anyHost ? false : undefined,
    anyHost,
  });
  if (found.valid) return isExact ? found.host : found.domain;
  throw new InputError(
    `"${name}" holds no domain: ${quote(textOf(value))}. ${found.message}`,
    `Give a domain like example.com, at most ${String(LIMITS.domainLength)} characters.`,
  );
}

/** A technology key: lowercase letters, digits, hyphens (interface: Technologies, rule 1). */
export function techKeyOf(value: unknown): string {
  const text = technologyOf(value);
  if (isTechKey(text)) return text;
  throw notATechKey(text);
}

/** What somebody calls a technology: its key, or a text that {@link notATechKey} is about. */
export function technologyOf(value: unknown): string {
  const text = textOf(value);
  if (text !== '') return sendableOf(text, 'Technology');
  throw notATechKey(text);
}

/** Whether the service could know a technology by this key. */
export function isTechKey(text: string): boolean {
  return TECH_KEY.test(text);
}

/** @param keys those that it may have been meant for. A key that is made of a name mostly does not exist. */
export function notATechKey(text: string, keys: readonly string[] = []): InputError {
  const meant = keys.length === 0 ? '' : `. Did you mean ${keys.map(quote).join(', ')}?`;
  return new InputError(
    text === '' ? 'No technology is chosen' : `${quote(text)} is not a technology key${meant}`,
    'A key holds lowercase letters, digits and hyphens only. Choose the technology from the list, or find its key with Search Technologies of Tech Users, which is free.',
  );
}

/** The text of a technology search (interface: Size and pagination bounds). */
export function technologyQueryOf(value: unknown): string {
  const text = textOf(value);
  const max = LIMITS.technologyQueryLength;
  const length = lengthOf(text);
  if (length >= 1 && length <= max) return sendableOf(text, 'Search Text');
  throw new InputError(
    text === ''
      ? 'The search text is empty'
      : `The search text has ${String(length)} characters, ${String(max)} are allowed`,
    `Give 1 to ${String(max)} characters of a technology's or vendor's name.`,
  );
}

/** The id of a saved list. What ids look like is not shown, so that any text will do. */
export function listIdOf(value: unknown): string {
  return idOf(
    value,
    'list',
    'Choose the list from the list, or give its list_id as Get Many of Company List shows it.',
  );
}

/** The id of a list's permission; see {@link listIdOf}. */
export function permissionIdOf(value: unknown): string {
  return idOf(
    value,
    'permission',
    'Choose the permission from the list, or give its permission_id as Get Many shows it.',
  );
}

/** The name of a list. How long it may be is not shown. */
export function listNameOf(value: unknown): string {
  const text = textOf(value);
  if (text !== '' && typeof value !== 'object') return text;
  throw new InputError(
    text === '' ? '"Name" is empty' : `"Name" is not text: ${quote(text)}`,
    'Give the list a name; nothing was sent.',
  );
}

/** A flag's description; blank means none (interface: Data flags). */
export function flagDescriptionOf(value: unknown): string | undefined {
  const text = textOf(value);
  const max = LIMITS.flagDescriptionLength;
  const length = lengthOf(text);
  if (length > max) {
    throw new InputError(
      `The description has ${String(length)} characters, ${String(max)} are allowed`,
      'Shorten the description; nothing was sent.',
    );
  }
  return text === '' ? undefined : text;
}

/** What servers take of an address; the longest slug or id is far from it. */
const LONGEST_SENDABLE = 4000;

/**
 * A text that is to be in an address.
 *
 * @param name what the user calls it.
 * @throws {InputError} when it is too long, or holds half of a character, as text does that was cut off.
 */
export function sendableOf(text: string, name: string): string {
  if (text.length > LONGEST_SENDABLE) {
    throw new InputError(
      `"${name}" has ${String(text.length)} characters, ${String(LONGEST_SENDABLE)} are allowed: ${quote(text)}`,
      'Correct the parameter; nothing was sent.',
    );
  }
  if (!/\p{Surrogate}/u.test(text)) return text;
  throw new InputError(
    `"${name}" holds half of a character (an unpaired surrogate): ${quote(text)}`,
    'The text was probably cut in the middle of a character, such as an emoji. Correct it; nothing was sent.',
  );
}

function idOf(value: unknown, what: string, hint: string): string {
  const text = textOf(value);
  if (text === '') throw new InputError(`No ${what} is chosen`, hint);
  // A path would leave these out, or go up.
  if (typeof value !== 'object' && text !== '.' && text !== '..') {
    return sendableOf(text, `The id of the ${what}`);
  }
  throw new InputError(`${quote(text)} is not the id of a ${what}`, hint);
}

/** Characters as people count them, not UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}

/**
 * A user in a body: `email` for an e-mail address, `user_id` for anything else. The interface does not
 * show how users are named.
 *
 * @throws {InputError} when there is none.
 */
export function userFieldsOf(value: unknown): Record<string, string> {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
  if (text === '') {
    throw new InputError('No user is given', 'Give the id or the e-mail address of a user.');
  }
  return text.includes('@') ? { email: text } : { user_id: text };
}

/** No filter tree and no body is deeper; a stack holds some thousands. */
const DEEPEST = 200;

/**
 * Refuses what is nested so deep that writing it as JSON would overflow the stack.
 *
 * @param name what the user calls it.
 * @throws {InputError} when it is too deep.
 */
export function notTooDeep<T>(value: T, name: string): T {
  if (isDeeperThan(value, DEEPEST)) throw tooDeep(`"${name}"`);
  return value;
}

/** @param what in words, at the beginning of a sentence. */
export function tooDeep(what: string): InputError {
  return new InputError(
    `${what} is nested too deep: ${String(DEEPEST)} levels are allowed`,
    'Take the part that is meant out of it, or make it flatter; nothing was sent for this item.',
  );
}

/** What separates entries that somebody typed in one after the other. */
const BETWEEN_ENTRIES = /[\s,;]+/;
/** Wrong entries that are named in an error. */
const NAMED = 3;

/** The entries of a parameter that takes several, typed in or as a list; each as text. */
export function entriesOf(value: unknown): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  return texts
    .flatMap((text) => (typeof text === 'string' ? text.split(BETWEEN_ENTRIES) : []))
    .filter((entry) => entry !== '');
}

/** Says which entries of a parameter hold no domain, and why. */
export function noDomainsIn(name: string, wrong: readonly string[]): InputError {
  return new InputError(
    `"${name}" has entries that hold no domain: ${firstOf(wrong, NAMED)}`,
    'Give domains like example.com, separated by spaces, commas or line breaks.',
  );
}

/**
 * Domains that an option names, with all hosts below them.
 *
 * @returns undefined for none.
 * @throws {InputError} that names what is no domain.
 */
export function domainSetOf(value: unknown, name: string): ReadonlySet<string> | undefined {
  const entries = entriesOf(value).map((entry) => {
    const options = { subdomains: 'keep', rejectFreeMail: false, anyHost: true } as const;
    return { entry, found: normalizeDomain(entry, options) };
  });
  const wrong = entries.filter(({ found }) => !found.valid);
  if (wrong.length > 0) {
    throw noDomainsIn(
      name,
      wrong.map(({ entry }) => quote(entry)),
    );
  }
  if (entries.length === 0) return undefined;
  return new Set(entries.flatMap(({ found }) => (found.valid ? [found.domain] : [])));
}
