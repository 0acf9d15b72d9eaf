import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs a script on the SQLite database of a stopped n8n. Uses the Node.js version that runs n8n,
 * because only that version can read SQLite.
 *
 * @param folder a folder that contains the database at any depth
 * @param script a script in which `database` is a `DatabaseSync` of node:sqlite and `values` is
 *   `args`
 * @returns the output of the script
 */
export async function onDatabase(folder: string, script: string, ...args: string[]) {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { node } = await ensureHost();
  const own = mkdtempSync(join(tmpdir(), 'company-intelligence-database-'));
  const path = join(own, 'script.cjs');
  writeFileSync(
    path,
    `const { DatabaseSync } = require('node:sqlite');
    const [, , path, ...values] = process.argv;
    const database = new DatabaseSync(path);
    ${script}`,
  );
  try {
    const run = ['--no-warnings', path, databaseBelow(folder), ...args];
    const { stdout } = await promisify(execFile)(node, run, { maxBuffer: 1024 ** 3 });
    return stdout;
  } finally {
    rmSync(own, { recursive: true });
  }
}

function databaseBelow(folder: string): string {
  const entries = readdirSync(folder, { recursive: true }).map(String);
  const database = entries.find((entry) => entry.endsWith('database.sqlite'));
  if (database === undefined) throw new Error(`There is no database in ${folder}.`);
  return join(folder, database);
}
