import { replaceLoneSurrogates } from '../values/text';

const REPLACEMENT = '[API key]';

/** Deeper values are omitted, because nobody reads them and walking them could overflow the stack. */
const MAX_DEPTH = 40;

/** A shorter key can occur in unrelated data. */
const MIN_KEY_LENGTH_IN_DATA = 12;

function listSpellings(apiKey: string): readonly string[] {
  const json = JSON.stringify(apiKey).slice(1, -1);
  return [...new Set([apiKey, json, encodeURIComponent(replaceLoneSurrogates(apiKey))])];
}

/**
 * Replaces the key in a copy of a JSON-like value and its property names: a service or proxy that echoes the
 * request must not leak it into an error, a log or an execution.
 */
export function redact<T>(value: T, apiKey: string): T {
  if (apiKey === '') return value;
  return redactValue(value, listSpellings(apiKey), 0) as T;
}

/** Data must not change, so a key that is short enough to be part of a name stays. */
export function redactData<T>(data: T, apiKey: string): T {
  return apiKey.length < MIN_KEY_LENGTH_IN_DATA ? data : redact(data, apiKey);
}

/** Redacts the data of a streamed body, however it is split into chunks. */
export async function* redactStream(
  body: AsyncIterable<Uint8Array>,
  apiKey: string,
): AsyncGenerator<Uint8Array, undefined> {
  // Latin-1 maps each byte to one character, so no other byte changes.
  const secrets = listSpellings(apiKey).map((secret) => Buffer.from(secret).toString('latin1'));
  // A spelling may start here whose end has not arrived yet.
  const keep = Math.max(...secrets.map(({ length }) => length)) - 1;
  if (apiKey.length < MIN_KEY_LENGTH_IN_DATA) {
    yield* body;
    return;
  }
  let rest = '';
  for await (const chunk of body) {
    const text = hideKey(rest + Buffer.from(chunk).toString('latin1'), secrets);
    const end = Math.max(0, text.length - keep);
    if (end > 0) yield Buffer.from(text.slice(0, end), 'latin1');
    rest = text.slice(end);
  }
  if (rest !== '') yield Buffer.from(rest, 'latin1');
}

function hideKey(text: string, secrets: readonly string[]): string {
  return secrets.reduce((hidden, secret) => hidden.replaceAll(secret, REPLACEMENT), text);
}

function redactValue(value: unknown, secrets: readonly string[], depth: number): unknown {
  if (typeof value === 'string') return hideKey(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      hideKey(name, secrets),
      redactValue(entry, secrets, depth + 1),
    ]),
  );
}
