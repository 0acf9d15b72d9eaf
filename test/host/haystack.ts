import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { spellingsOf } from '../attack/judge/spellings';

interface Place {
  readonly name: string;
  readonly text: string;
}

/**
 * Prints every cell of a SQLite file. SQLite splits a text that is longer than a page of its file, so
 * searching the file is not enough.
 */
const DUMP = `
const { DatabaseSync } = require('node:sqlite');
const database = new DatabaseSync(process.argv[1]);
const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
for (const { name } of tables) {
  for (const row of database.prepare('SELECT * FROM "' + name + '"').iterate()) {
    for (const [column, value] of Object.entries(row)) {
      const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
      console.log(JSON.stringify({ name: 'table ' + name + ', ' + column, text }));
    }
  }
}`;

/** The user folder of a stopped n8n: its files, and the cells of its database. */
export async function everythingIn(folder: string): Promise<Place[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes('node_modules'))
    .map((path) => ({
      name: path.slice(folder.length + 1).replace(/\d{6,}|[0-9a-f-]{32,}/g, '…'),
      text: readFileSync(path, 'latin1'),
    }));
  const { ensureHost } = await import('../../scripts/lib/host.mjs');
  // Only the Node.js that runs n8n can read SQLite.
  const { node } = await ensureHost();
  const dump = ['--no-warnings', '-e', DUMP, join(folder, '.n8n', 'database.sqlite')];
  const { stdout } = await promisify(execFile)(node, dump, { maxBuffer: 1024 ** 3 });
  const lines = stdout.trim().split('\n');
  const cells = lines.map((line) => {
    const { name, text } = JSON.parse(line) as Place;
    return { name, text: withoutJsonEscapes(text) };
  });
  return [...files, ...cells];
}

/** Decodes JSON escapes such as `\\u0026`, because cells contain executions as JSON. */
function withoutJsonEscapes(text: string): string {
  return text.replace(/\\u([0-9a-f]{4})/gi, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

export function findingsOf(secret: string, places: readonly Place[]): string[] {
  const spellings = [...spellingsOf(secret)];
  const findings = places.flatMap(({ name, text }) =>
    spellings
      .filter(([, spelling]) => text.includes(spelling))
      .map(([spelling]) => `${name}: ${spelling}`),
  );
  return [...new Set(findings)].sort();
}
