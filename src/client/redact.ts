const REPLACEMENT = '[API key]';

/**
 * Replaces every occurrence of the key in a JSON-like value, so that a service or proxy that echoes
 * the request cannot carry the key into an error, a log or an execution.
 *
 * @returns a copy; keys of objects are cleaned as well as values.
 */
export function redact<T>(value: T, apiKey: string): T {
  if (apiKey === '') return value;
  return clean(value, apiKey) as T;
}

function clean(value: unknown, apiKey: string): unknown {
  if (typeof value === 'string') return value.replaceAll(apiKey, REPLACEMENT);
  if (Array.isArray(value)) return value.map((entry) => clean(entry, apiKey));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, entry]) => [
        name.replaceAll(apiKey, REPLACEMENT),
        clean(entry, apiKey),
      ]),
    );
  }
  return value;
}
