import { InvalidResponseError } from '../client/errors';
import { isRow, type Row } from './rows';

/** Rows of an answer whose envelope the interface does not show. */
export interface RowsAnywhere {
  readonly rows: readonly Row[];
  /** What stands beside the rows: totals, `has_more`, … */
  readonly beside: Row;
}

/** How deep an envelope may be: `{ result: { data: { members: [] } } }`. */
const DEEPEST = 4;

/**
 * Finds the rows of an answer, whatever their key or depth: a bare array, `{ members: [] }`,
 * `{ data: [] }`, `{ result: { items: [] } }`. Of several lists the one with the expected name
 * counts, then the least deep one with rows in it. Entries that are no objects become `{ value }`.
 *
 * @param expected names the rows may have, the likeliest first.
 * @throws {InvalidResponseError} when there is no list at all.
 */
export function rowsAnywhere(json: unknown, expected: readonly string[]): RowsAnywhere {
  if (Array.isArray(json)) return { rows: json.map(asRow), beside: {} };
  const candidates = [...listsIn(json, 1)];
  const best =
    expected
      .map((name) => candidates.find((candidate) => candidate.name === name))
      .find((candidate) => candidate !== undefined) ??
    candidates.find(({ list }) => list.some(isRow)) ??
    candidates[0];
  if (best !== undefined) {
    const beside = Object.entries(best.parent).filter(([name]) => name !== best.name);
    return { rows: best.list.map(asRow), beside: Object.fromEntries(beside) };
  }
  throw new InvalidResponseError({
    code: 'invalid_response',
    message: 'The answer has no list of rows',
    hint: 'Check the Base URL in the credential; if it is right, the service has changed its answers.',
  });
}

interface Candidate {
  readonly name: string;
  readonly list: readonly unknown[];
  readonly parent: Row;
}

/** The lists of an object, its own before those of the objects in it. */
function* listsIn(json: unknown, depth: number): Generator<Candidate> {
  if (!isRow(json) || depth > DEEPEST) return;
  for (const [name, list] of Object.entries(json)) {
    if (Array.isArray(list)) yield { name, list, parent: json };
  }
  for (const inner of Object.values(json)) yield* listsIn(inner, depth + 1);
}

function asRow(entry: unknown): Row {
  return isRow(entry) ? entry : { value: entry };
}
