import { isRow, type Row } from './rows';
import { pagingOf, type RowsAnywhere } from './rows-anywhere';

/** Where to read on: the parameters to send, in the way the last answer speaks of pages. */
export type Position = Readonly<Record<string, number>>;

/** Rows of a list whose paging the interface does not show. */
export interface RowsSoFar {
  readonly rows: readonly Row[];
  /** False when the service said that there is more, but gave nothing new when asked for it. */
  readonly complete: boolean;
}

/**
 * Reads on for as long as answers say that there is more, in the way they say it: by page number
 * where they speak of pages, or else by offset. No `limit` is sent, the interface shows none for these
 * lists. It ends with the first answer that brings no new row, so that it cannot go on for ever.
 *
 * @param idOf tells rows apart.
 * @param wanted number of rows; undefined for all.
 */
export async function readPagesAnywhere(
  fetch: (position: Position) => Promise<RowsAnywhere>,
  idOf: (row: Row) => string,
  wanted = Infinity,
): Promise<RowsSoFar> {
  const rows = new Map<string, Row>();
  let position: Position | undefined = {};
  while (position !== undefined && rows.size < wanted) {
    const before: number = rows.size;
    const answer: RowsAnywhere = await fetch(position);
    for (const row of answer.rows) rows.set(idOf(row), row);
    position = nextPosition(answer, rows.size, position);
    if (position !== undefined && rows.size === before) {
      return { rows: [...rows.values()], complete: false };
    }
  }
  return { rows: [...rows.values()].slice(0, wanted), complete: true };
}

/** Undefined when there is no more. */
function nextPosition(
  { beside }: RowsAnywhere,
  read: number,
  { page = 1 }: Position,
): Position | undefined {
  const { total, hasMore } = pagingOf(beside);
  const more = hasMore ?? (total !== undefined && read < total);
  if (!more) return undefined;
  return countsPages(beside) ? { page: page + 1 } : { offset: read };
}

/** Whether an answer speaks of pages, as the standard pagination object does; others count rows. */
function countsPages(beside: Row): boolean {
  return [beside, ...Object.values(beside)].some(
    (said) => isRow(said) && (typeof said.page === 'number' || typeof said.has_next === 'boolean'),
  );
}
