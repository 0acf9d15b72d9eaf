import type { Row, Rows } from '../answers/rows';
import { Fingerprints } from './fingerprints';

/** What tells a row from others; undefined when nothing in it does but the whole of it. */
export type IdOf = (row: Row) => string | undefined;

/** What a page is known by. */
export interface Marks {
  /** What tells each row from others, row by row. */
  readonly ids: Fingerprints;
  /** What the page looks like. */
  readonly look: string;
}

/** Rows of a page that stand for the whole page when pages are compared. */
const COMPARED_ROWS = 16;

/** Goes through the rows of a page once. */
export function marksOf(rows: Rows, idOf?: IdOf): Marks {
  const ids = new Fingerprints(rows.length);
  const step = Math.ceil(rows.length / COMPARED_ROWS);
  const compared: string[] = [];
  let index = 0;
  for (const row of rows) {
    if (idOf !== undefined) ids.set(index, idOf(row) ?? JSON.stringify(row));
    if (index % step === 0) compared.push(JSON.stringify(row));
    index += 1;
  }
  return { ids, look: `${String(rows.length)} ${compared.join()}` };
}
