const REPLACEMENT = '[API key]';

/** Deeper values are left out: nobody reads them, and following them could exhaust the stack. */
const MAX_DEPTH = 40;

/**
 * Replaces every occurrence of the key in a JSON-like value, so that a service or proxy that echoes
 * the request cannot carry the key into an error, a log or an execution.
 *
 * @returns a copy; keys of objects are cleaned as well as values.
 */
export function redact<T>(value: T, apiKey: string): T {
  if (apiKey === '') return value;
  return clean(value, apiKey, 0) as T;
}

function clean(value: unknown, apiKey: string, depth: number): unknown {
  if (typeof value === 'string') return value.replaceAll(apiKey, REPLACEMENT);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[nested too deeply]';
  if (Array.isArray(value)) return value.map((entry) => clean(entry, apiKey, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, entry]) => [
      name.replaceAll(apiKey, REPLACEMENT),
      clean(entry, apiKey, depth + 1),
    ]),
  );
}
