import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/**
 * Runs a script with `database`, a `DatabaseSync`, and `values` on the SQLite file below a folder of a
 * stopped n8n. Only the Node.js that runs n8n can read it.
 */
export async function onDatabase(folder: string, script: string, ...args: string[]) {
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  const { node } = await ensureHost();
  const entries = readdirSync(folder, { recursive: true }).map(String);
  const path = entries.find((entry) => entry.endsWith('database.sqlite')) ?? '';
  const whole = `const { DatabaseSync } = require('node:sqlite');
    const [, path, ...values] = process.argv;
    const database = new DatabaseSync(path);
    ${script}`;
  const run = ['--no-warnings', '-e', whole, join(folder, path), ...args];
  const { stdout } = await promisify(execFile)(node, run, { maxBuffer: 1024 ** 3 });
  return stdout;
}
