const REPLACEMENT = '[API key]';

/** Deeper values are left out: nobody reads them, and following them could exhaust the stack. */
const MAX_DEPTH = 40;

/** The ways in which an answer may spell the key: as it is, in a URL, in HTML. */
function spellings(apiKey: string): string[] {
  const html = apiKey.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
  const namedHtml = apiKey
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  return [...new Set([apiKey, encodeURIComponent(apiKey), html, namedHtml])];
}

/**
 * Replaces every occurrence of the key in a JSON-like value, so that a service or proxy that echoes
 * the request cannot carry the key into an error, a log or an execution.
 *
 * @returns a copy; keys of objects are cleaned as well as values.
 */
export function redact<T>(value: T, apiKey: string): T {
  if (apiKey === '') return value;
  return clean(value, spellings(apiKey), 0) as T;
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
