import { createHash } from 'node:crypto';

import type { Row } from '../answers/rows';

/** What tells a row from others; undefined when nothing in it does but the whole of it. */
export type IdOf = (row: Row) => string | undefined;

/** What a page is known by. */
export interface Marks {
  /** What tells each row from others; undefined where rows are passed on as they come. */
  readonly ids: ReadonlyArray<string | undefined>;
  /** What the page looks like. */
  readonly look: string;
}

/** Rows of a page that stand for the whole page when pages are compared. */
const COMPARED_ROWS = 16;

/** Goes through the rows of a page once. */
export function marksOf(rows: readonly Row[], idOf?: IdOf): Marks {
  const step = Math.ceil(rows.length / COMPARED_ROWS);
  const compared = rows.filter((_row, index) => index % step === 0);
  return {
    ids: rows.map((row) => idOf && (idOf(row) ?? wholeOf(row))),
    look: `${String(rows.length)} ${JSON.stringify(compared)}`,
  };
}

/** Short, because a hundred thousand may be remembered. */
function wholeOf(row: Row): string {
  return createHash('sha256').update(JSON.stringify(row)).digest('base64');
}
