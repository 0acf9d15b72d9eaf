/**
 * Loads what few runs need when it is first needed, because n8n loads all nodes when it starts:
 * `const zod = lazily(() => require('zod/v4') as typeof Zod)`, with a type import of the same.
 */
export function lazily<T>(load: () => T): () => T {
  let loaded: { readonly value: T } | undefined;
  return () => (loaded ??= { value: load() }).value;
}
