import { wellFormed } from './values';

const REPLACEMENT = '[API key]';

/** Deeper values are left out: nobody reads them, and following them could exhaust the stack. */
const MAX_DEPTH = 40;

/** Shorter codes would be found in words that have nothing to do with the key. */
const SHORTEST_CODE = 10;

/** A shorter key may well be in data that has nothing to do with it. */
const SHORTEST_KEY_IN_DATA = 12;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** The key that was used last; all that is redacted in one run is redacted for the same key. */
let latest: { readonly apiKey: string; readonly spellings: readonly string[] } | undefined;

/** The ways in which an answer may spell the key: as it is, in a URL, in HTML, in base64, in hex. */
function spellingsOf(apiKey: string): readonly string[] {
  if (latest?.apiKey === apiKey) return latest.spellings;
  const json = JSON.stringify(apiKey).slice(1, -1);
  const plain = [
    apiKey,
    json,
    json.replaceAll('/', '\\/'),
    // In a quoted cell of CSV.
    apiKey.replaceAll('"', '""'),
    ...urlSpellings(wellFormed(apiKey)),
    apiKey.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`),
    apiKey.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character),
  ];
  const codes = [...base64Of(apiKey), ...hexOf(apiKey)].filter(
    (code) => code.length >= SHORTEST_CODE,
  );
  latest = { apiKey, spellings: [...new Set([...plain, ...codes])] };
  return latest.spellings;
}

/** In a path, in a query or a form; the digits of `%2F` in either case. */
function urlSpellings(apiKey: string): string[] {
  const form = new URLSearchParams({ key: apiKey }).toString().slice('key='.length);
  return [encodeURIComponent(apiKey), form].flatMap((spelling) => [
    spelling,
    spelling.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
  ]);
}

/**
 * The key as it is in the base64 of any text around it. Three bytes are four characters, so there
 * are three ways to write it; characters that hold bits of what is beside it are left out.
 */
function base64Of(apiKey: string): string[] {
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

function hexOf(apiKey: string): string[] {
  const hex = Buffer.from(apiKey).toString('hex');
  return [hex, hex.toUpperCase()];
}

/**
 * Replaces every occurrence of the key in a JSON-like value, so that a service or proxy that echoes
 * the request cannot carry the key into an error, a log or an execution.
 *
 * @returns a copy; keys of objects are cleaned as well as values.
 */
export function redact<T>(value: T, apiKey: string): T {
  if (apiKey === '') return value;
  return clean(value, spellingsOf(apiKey), 0) as T;
}

/**
 * The same for what the service answers when all is well. A key so short that it may be part of a
 * name is left there, because data must not change.
 */
export function redactData<T>(data: T, apiKey: string): T {
  return apiKey.length < SHORTEST_KEY_IN_DATA ? data : redact(data, apiKey);
}

/** The same for a body that is read as it arrives, however it is cut into pieces. */
export async function* redactStream(
  body: AsyncIterable<Uint8Array>,
  apiKey: string,
): AsyncGenerator<Uint8Array, undefined> {
  if (apiKey.length < SHORTEST_KEY_IN_DATA) {
    yield* body;
    return;
  }
  const secrets = spellingsOf(apiKey).map((secret) => Buffer.from(secret));
  let rest: Uint8Array = Buffer.alloc(0);
  for await (const piece of body) {
    const bytes = hideIn(Buffer.concat([rest, piece]), secrets);
    const end = startOfSecret(bytes, secrets);
    if (end > 0) yield bytes.subarray(0, end);
    rest = bytes.subarray(end);
  }
  if (rest.length > 0) yield rest;
}

/** Where a spelling of the key may begin of which the end has not come yet. */
function startOfSecret(bytes: Buffer, secrets: readonly Buffer[]): number {
  const longest = Math.max(...secrets.map(({ length }) => length));
  for (let at = Math.max(0, bytes.length - longest + 1); at < bytes.length; at += 1) {
    const end = bytes.subarray(at);
    if (secrets.some((secret) => secret.subarray(0, end.length).equals(end))) return at;
  }
  return bytes.length;
}

function hideIn(bytes: Buffer, secrets: readonly Buffer[]): Buffer {
  const found = secrets.filter((secret) => bytes.includes(secret));
  if (found.length === 0) return bytes;
  // A character of Latin-1 for each byte, so that no other byte changes.
  const texts = found.map((secret) => secret.toString('latin1'));
  return Buffer.from(hide(bytes.toString('latin1'), texts), 'latin1');
}

function hide(text: string, secrets: readonly string[]): string {
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, REPLACEMENT), text);
}

function clean(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return hide(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((entry) => clean(entry, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      hide(name, secrets),
      clean(entry, secrets, depth + 1),
    ]),
  );
}
