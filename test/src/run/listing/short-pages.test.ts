/** A service that makes shorter pages than it was asked for: every row comes, whatever tells of the next page. */
import fc from 'fast-check';

import type { Row } from '../../../../src/run/answers/rows';
import { CreditGuard } from '../../../../src/run/credit-guard';
import { type Page, pageOf, readPage } from '../../../../src/run/answers/page';
import { readByOffset, readPages } from './support';

const LIST = {
  pageSize: 100,
  creditsPerRow: 1,
  wanted: undefined,
  idOf: ({ id }: Row) => (typeof id === 'string' ? id : undefined),
  ceilings: new Map<string, number>(),
  endpoint: 'x',
};

/** What is a page, and an answer by offset, too. */
type NoRows = () => Promise<Page & { readonly beside: Row }>;

interface Place {
  readonly page: number;
  readonly pages: number;
  readonly count: number;
}

const SIGNS: ReadonlyArray<(place: Place) => object> = [
  () => ({}),
  ({ page, pages }) => ({ pagination: { next_url: page < pages ? 'https://a.example/x' : null } }),
  ({ page, pages, count }) => ({ meta: { has_next: page < pages, total_results: count } }),
  ({ page, pages }) => ({ pagination: { page, total_pages: pages } }),
  ({ page, pages }) => ({ pagination: { has_next: String(page < pages) } }),
  ({ page, pages }) => ({ links: { next: page < pages ? '/v1/x?page=2' : null } }),
];

const LINK = SIGNS.length;
/** The header of the last kind of sign. */
const headersOf = ({ page, pages }: Place): Record<string, string> =>
  page < pages ? { link: '</v1/x?page=1>; rel="prev", </v1/x?page=3>; rel="next"' } : {};

const world = fc.record({
  count: fc.nat(260),
  cap: fc.integer({ min: 7, max: 100 }),
  sign: fc.nat(LINK),
  credits: fc.option(fc.integer({ min: 260, max: 900 }), { nil: undefined }),
});

it('gives every row once, within Max Credits', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ count, cap, sign, credits }) => {
      const rows = Array.from({ length: count }, (_one, id) => ({ id }));
      const guard = new CreditGuard(credits);
      const out: unknown[] = [];
      const list = readPages(
        {
          pageSize: 100,
          creditsPerRow: 1,
          wanted: undefined,
          idOf: ({ id }) => String(id),
          fetch: async ({ page, limit }) => {
            const size = Math.min(limit, cap);
            const data = rows.slice((page - 1) * size, page * size);
            const pages = Math.ceil(count / size);
            const place = { page, pages, count };
            const headers = sign === LINK ? headersOf(place) : {};
            const json = { data, ...SIGNS[sign]?.(place) };
            return await Promise.resolve(
              pageOf({ status: 200, headers, json, text: '' }, readPage),
            );
          },
        },
        { guard },
      );
      for await (const page of list) out.push(...page.rows);
      expect(out).toEqual(rows);
      expect(guard.atMost).toBeLessThanOrEqual(credits ?? Infinity);
    }),
    { numRuns: 300 },
  );
});

it('compares what the header counts with what came', async () => {
  const told: string[] = [];
  const list = readPages(
    {
      pageSize: 100,
      creditsPerRow: 1,
      wanted: undefined,
      idOf: ({ id }) => String(id),
      fetch: async ({ page }) =>
        await Promise.resolve(
          readPage({ technology: { total_companies: 25 }, data: page === 1 ? [{ id: 1 }] : [] }),
        ),
    },
    { tell: (message) => told.push(message) },
  );
  const out: unknown[] = [];
  for await (const page of list) out.push(...page.rows);

  expect(out).toEqual([{ id: 1 }]);
  expect(told.join()).toContain('has 25 rows, but gave 1');
});

it.each([
  ['pages', (fetch: NoRows) => readPages({ ...LIST, fetch }, {})],
  ['offsets', (fetch: NoRows) => readByOffset({ ...LIST, fetch }, {})],
] as const)('does not ask on and on behind what is no row of a list by %s', async (_by, read) => {
  let requests = 0;
  const out: unknown[] = [];
  const fetch = async () => {
    requests += 1;
    const rows = [{ companies: [], at: requests }];
    return await Promise.resolve({ ...readPage({ data: rows }), rows, beside: {} });
  };
  for await (const page of read(fetch)) out.push(...page.rows);
  expect([out, requests]).toEqual([[{ companies: [], at: 1 }], 1]);
});
