import { replaceLoneSurrogates } from './values';

const REPLACEMENT = '[API key]';

/** Deeper values are omitted, because nobody reads them and walking them could overflow the stack. */
const MAX_DEPTH = 40;

/** Minimum length of an encoded key to search for. Shorter ones would match unrelated words. */
const MIN_CODE_LENGTH = 10;

/** Minimum length of a key that is redacted in data. A shorter key can occur in unrelated data. */
const MIN_KEY_LENGTH_IN_DATA = 12;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Cache for the last key, because one run always redacts the same key. */
let latest: { readonly apiKey: string; readonly spellings: readonly string[] } | undefined;

/** Returns all spellings of the key in a response: as it is, in a URL, in HTML, in base64 and in hex. */
function listSpellings(apiKey: string): readonly string[] {
  if (latest?.apiKey === apiKey) return latest.spellings;
  const json = JSON.stringify(apiKey).slice(1, -1);
  const plain = [
    apiKey,
    json,
    json.replaceAll('/', '\\/'),
    // In a quoted CSV cell.
    apiKey.replaceAll('"', '""'),
    ...listUrlSpellings(replaceLoneSurrogates(apiKey)),
    apiKey.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`),
    apiKey.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character),
  ];
  const codes = [...listBase64Spellings(apiKey), ...listHexSpellings(apiKey)].filter(
    (code) => code.length >= MIN_CODE_LENGTH,
  );
  latest = { apiKey, spellings: [...new Set([...plain, ...codes])] };
  return latest.spellings;
}

/** Returns the spellings in a path, in a query and in a form, with the digits of `%2F` in either case. */
function listUrlSpellings(apiKey: string): string[] {
  const form = new URLSearchParams({ key: apiKey }).toString().slice('key='.length);
  return [encodeURIComponent(apiKey), form].flatMap((spelling) => [
    spelling,
    spelling.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

/**
 * Returns the spellings of the key inside the base64 of a longer text. Three bytes become four
 * characters, so there are three alignments. Characters that also encode neighboring bytes are omitted.
 */
function listBase64Spellings(apiKey: string): string[] {
  const key = Buffer.from(apiKey);
  return [0, 1, 2].flatMap((before) => {
    const code = Buffer.concat([Buffer.alloc(before), key]).toString('base64');
    const own = code.slice(
      Math.ceil((before * 8) / 6),
      Math.floor(((before + key.length) * 8) / 6),
    );
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function listHexSpellings(apiKey: string): string[] {
  const hex = Buffer.from(apiKey).toString('hex');
  return [hex, hex.toUpperCase()];
}

/**
 * Replaces every occurrence of the key in a JSON-like value, so that a service or proxy that echoes the
 * request cannot leak the key into an error, a log or an execution.
 *
 * @returns A copy; property names are redacted as well as values.
 */
export function redact<T>(value: T, apiKey: string): T {
  if (apiKey === '') return value;
  return redactValue(value, listSpellings(apiKey), 0) as T;
}

/**
 * Redacts the data of a successful response. A key that is short enough to be part of a name is not
 * replaced, because data must not change.
 */
export function redactData<T>(data: T, apiKey: string): T {
  return apiKey.length < MIN_KEY_LENGTH_IN_DATA ? data : redact(data, apiKey);
}

/** Redacts the data of a streamed body, however it is split into chunks. */
export async function* redactStream(
  body: AsyncIterable<Uint8Array>,
  apiKey: string,
): AsyncGenerator<Uint8Array, undefined> {
  if (apiKey.length < MIN_KEY_LENGTH_IN_DATA) {
    yield* body;
    return;
  }
  const secrets = listSpellings(apiKey).map((secret) => Buffer.from(secret));
  let rest: Uint8Array = Buffer.alloc(0);
  for await (const piece of body) {
    const bytes = hideInBytes(Buffer.concat([rest, piece]), secrets);
    const end = findSecretStart(bytes, secrets);
    if (end > 0) yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield rest;
}

/** Returns the position where a spelling of the key may start whose end has not arrived yet. */
function findSecretStart(bytes: Buffer, secrets: readonly Buffer[]): number {
  const longest = Math.max(...secrets.map(({ length }) => length));
  for (let at = Math.max(0, bytes.length - longest + 1); at < bytes.length; at += 1) {
    const end = bytes.subarray(at);
    if (secrets.some((secret) => secret.subarray(0, end.length).equals(end))) return at;
  }
  return bytes.length;
}

function hideInBytes(bytes: Buffer, secrets: readonly Buffer[]): Buffer {
  const found = secrets.filter((secret) => bytes.includes(secret));
  if (found.length === 0) return bytes;
  // Latin-1 maps each byte to one character, so no other byte changes.
  const texts = found.map((secret) => secret.toString('latin1'));
  return Buffer.from(hide(bytes.toString('latin1'), texts), 'latin1');
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, REPLACEMENT), text);
}

function redactValue(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return hide(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      hide(name, secrets),
      redactValue(entry, secrets, depth + 1),
    ]),
  );
}
