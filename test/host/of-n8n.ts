import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Loads a package on which n8n or one of its packages depends. */
export async function packageOfN8n<T>(name: string): Promise<T> {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { n8n } = await ensureHost();
  // pnpm links the dependencies of all packages in this folder.
  const packages = join(dirname(n8n), '..', '..', '.pnpm', 'node_modules', 'index.js');
  return createRequire(packages)(name) as T;
}
