/**
 * Returns a function that loads a module on first use. n8n loads all nodes when it starts, but few runs
 * need the module: `const zod = lazy(() => require('zod/v4') as typeof Zod)`, with a type import of it.
 */
export function lazy<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined;
  return () => (loaded ??= { value: load() }).value;
}
