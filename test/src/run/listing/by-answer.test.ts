/**
 * Tests lists whose paging the API spec does not show:
 * the node reads all pages, whatever their form.
 */
import type { Row } from '../../../../src/run/responses/rows';
import { readPagesAnywhere, type Position } from './support';

const ROWS = Array.from({ length: 7 }, (_one, index): Row => ({ id: String(index) }));
const PAGE = 3;

/** Fields next to the rows `from` to `to` in a response. */
type Beside = (from: number, to: number) => Row;

/** Simulates a service that returns three rows per request, and records the requests. */
function service(beside: Beside, rows: readonly Row[] = ROWS) {
  const asked: Position[] = [];
  return {
    asked,
    fetch: async (position: Position) => {
      asked.push(position);
      const from = position['offset'] ?? ((position['page'] ?? 1) - 1) * PAGE;
      const to = Math.min(from + PAGE, rows.length);
      return await Promise.resolve({ rows: rows.slice(from, to), beside: beside(from, to) });
    },
  };
}

const read = async ({ fetch }: ReturnType<typeof service>, wanted?: number) =>
  await readPagesAnywhere(fetch, (row) => String(row['id']), wanted);

describe.each<[string, Beside, Position[]]>([
  ['has_more', (_from, to) => ({ has_more: to < 7 }), [{}, { offset: 3 }, { offset: 6 }]],
  ['a total', () => ({ total: 7 }), [{}, { offset: 3 }, { offset: 6 }]],
  ['a nested total', () => ({ meta: { total_count: 7 } }), [{}, { offset: 3 }, { offset: 6 }]],
  [
    'the documented pagination object',
    (from, to) => ({ pagination: { page: from / 3 + 1, has_next: to < 7, total_results: 7 } }),
    [{}, { page: 2 }, { page: 3 }],
  ],
  [
    'a page number and a total',
    (from) => ({ page: from / 3 + 1, total: 7 }),
    [{}, { page: 2 }, { page: 3 }],
  ],
])('a list whose responses have %s', (_what, beside, questions) => {
  it('is read to the last row', async () => {
    const paged = service(beside);

    await expect(read(paged)).resolves.toEqual({ rows: ROWS, complete: true });
    expect(paged.asked).toEqual(questions);
  });

  it('is read only up to the page with the last wanted row', async () => {
    const paged = service(beside);

    await expect(read(paged, 4)).resolves.toEqual({ rows: ROWS.slice(0, 4), complete: true });
    expect(paged.asked).toEqual(questions.slice(0, 2));
  });
});

it.each<[string, Row]>([
  ['has no paging fields', {}],
  ['says that there are no further rows', { has_more: false, total: 99 }],
  ['has paging fields with unknown values', { more: 'yes', total: 'seven' }],
])('sends one request when the response %s', async (_what, beside) => {
  const paged = service(() => beside);

  await expect(read(paged)).resolves.toEqual({ rows: ROWS.slice(0, 3), complete: true });
  expect(paged.asked).toEqual([{}]);
});

it.each<[string, Row]>([
  ['has more', { has_more: true }],
  ['has another page', { pagination: { has_next: true } }],
  ['has 100 rows', { total: 100 }],
])(
  'stops at the first repeated page when the service always says that it %s',
  async (_what, beside) => {
    const asked: Position[] = [];
    const fetch = async (position: Position) => {
      asked.push(position);
      return await Promise.resolve({ rows: ROWS.slice(0, 3), beside });
    };

    await expect(readPagesAnywhere(fetch, (row) => String(row['id']))).resolves.toEqual({
      rows: ROWS.slice(0, 3),
      complete: false,
    });
    expect(asked).toHaveLength(2);
  },
);

it('treats a list without rows as complete', async () => {
  await expect(read(service(() => ({ total: 0 }), []))).resolves.toEqual({
    rows: [],
    complete: true,
  });
});
