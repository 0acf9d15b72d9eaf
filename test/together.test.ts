/**
 * A share of a project's test files in one, so that what they all load, n8n's engine above all, is
 * loaded once for them and not by each. `npm test` runs them so; jest by itself runs each file apart.
 * See `parts` in jest.config.mjs.
 */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

interface Share {
  /** Folders of test/. */
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
