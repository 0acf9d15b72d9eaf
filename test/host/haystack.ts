import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { spellingsOf } from '../attack/judge/spellings';
import { onDatabase } from './database';

interface Place {
  readonly name: string;
  readonly text: string;
}

/** SQLite splits a text that is longer than a page of its file, so searching the file is not enough. */
const DUMP = `
const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
for (const { name } of tables) {
  for (const row of database.prepare('SELECT * FROM "' + name + '"').iterate()) {
    for (const [column, value] of Object.entries(row)) {
      const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
      console.log(JSON.stringify({ name: 'table ' + name + ', ' + column, text }));
    }
  }
}`;

export async function everythingIn(folder: string): Promise<Place[]> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => !path.includes('node_modules'))
    .map((path) => ({
      name: path.slice(folder.length + 1).replace(/\d{6,}|[0-9a-f-]{32,}/g, '…'),
      text: readFileSync(path, 'latin1'),
    }));
  const lines = (await onDatabase(folder, DUMP)).trim().split('\n');
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
