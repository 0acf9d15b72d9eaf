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

/** Does the same with a file. Without a key in them, these are the same bytes and no copy. */
export function redactBytes(bytes: Buffer, apiKey: string): Buffer {
  if (apiKey.length < MIN_KEY_LENGTH_IN_DATA) return bytes;
  return listSpellings(apiKey).reduce(hideInBytes, bytes);
}

function hideInBytes(bytes: Buffer, secret: string): Buffer {
  const parts: Buffer[] = [];
  const { length } = Buffer.from(secret);
  let from = 0;
  for (let at = bytes.indexOf(secret); at >= 0; at = bytes.indexOf(secret, from)) {
    parts.push(bytes.subarray(from, at), Buffer.from(REPLACEMENT));
    from = at + length;
  }
  return from === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
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
