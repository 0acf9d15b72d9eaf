/**
 * Runs a share of a project's test files as one file. Jest then loads shared modules, above all
 * n8n's engine, once instead of once per file. `npm test` uses this file; `jest` on its own runs
 * each test file separately. See `parts` in jest.config.mjs.
 */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

interface Share {
  /** Folders in test/. */
  readonly folders: readonly string[];
  /** Counted from 0. */
  readonly part: number;
  readonly parts: number;
}

const { folders, part, parts } = (globalThis as unknown as { share: Share }).share;

const files = folders
  .flatMap((folder) =>
    readdirSync(join(__dirname, folder), { recursive: true }).map((name) =>
      join(__dirname, folder, String(name)),
    ),
  )
  .filter((path) => path.endsWith('.test.ts'))
  .sort()
  .filter((_path, index) => index % parts === part);

for (const path of files) {
  describe(relative(join(__dirname, '..'), path), () => {
    jest.requireActual(path);
  });
}
