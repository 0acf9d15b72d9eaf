import { isRow, type Row } from './rows';
import type { RowsAnywhere } from './rows-anywhere';

/** Where to read on: the parameters to send, in the way the last answer speaks of pages. */
export type Position = Readonly<Record<string, number>>;

/** Rows of a list whose paging the interface does not show. */
export interface RowsSoFar {
  readonly rows: readonly Row[];
  /** False when the service said that there is more, but gave nothing new when asked for it. */
  readonly complete: boolean;
}

/**
 * Reads on for as long as answers say that there is more, in the way they say it: `has_next` or a
 * number of pages means page numbers, `has_more` or a total means an offset. It ends with the first
 * answer that brings no new row, so that it cannot go on for ever.
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
  { page: asked = 1 }: Position,
): Position | undefined {
  const said = Object.assign({}, beside, ...Object.values(beside).filter(isRow)) as Row;
  const page = numberOf(said.page) ?? asked;
  const pages = numberOf(said.total_pages);
  const next = said.has_next ?? (pages === undefined ? undefined : page < pages);
  if (typeof next === 'boolean') return next ? { page: page + 1 } : undefined;
  const total = numberOf(said.total_count) ?? numberOf(said.total_results) ?? numberOf(said.total);
  const more = said.has_more ?? (total !== undefined && read < total);
  return more === true ? { offset: read } : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
