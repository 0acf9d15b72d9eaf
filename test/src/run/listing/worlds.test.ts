/**
 * Tests random services: whatever they report about pages, the node outputs each row once or warns.
 */
import fc from 'fast-check';

import type { Row } from '../../../../src/run/responses/rows';
import { CreditBudget } from '../../../../src/run/credit-budget';
import type { Page } from '../../../../src/run/responses/page';
import { NotAttemptedError, ServiceError } from '../../../../src/client/errors';
import { type PageRequest, readByOffset, readPages } from './support';

/** What a service reports as its total, given the real number of rows. */
const TOTALS = {
  right: (count: number) => count,
  missing: () => undefined,
  capped: (count: number) => Math.min(count, 40),
  'unknown as 2147483647': () => 2_147_483_647,
  'the largest number': () => Number.MAX_SAFE_INTEGER,
};

const world = fc.record({
  count: fc.nat(330),
  /** The largest page that the service returns. */
  cap: fc.constantFrom(3, 7, 20, 50, 1000),
  saysLimit: fc.boolean(),
  total: fc.constantFrom(...(Object.keys(TOTALS) as Array<keyof typeof TOTALS>)),
  saysMore: fc.boolean(),
  withIds: fc.boolean(),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

const totalOf = ({ count, total }: World): number | undefined => TOTALS[total](count);

const rowsOf = ({ count, withIds }: World): Row[] =>
  Array.from({ length: count }, (_one, id) => (withIds ? { id } : { name: id }));

const idOf = ({ id }: Row) => (id === undefined ? undefined : JSON.stringify(id));

/** Reads a list by page. `billed` counts the rows that cost a credit, `requests` the requests. */
async function readByPage(given: World, wanted: number | undefined, guard?: CreditBudget) {
  const rows = rowsOf(given);
  const told: string[] = [];
  const out: Row[] = [];
  let requests = 0;
  // Rows that were read within the last 30 days are free.
  const billed = new Set<unknown>();
  const fetch = async ({ page, limit: asked }: PageRequest): Promise<Page> => {
    requests += 1;
    await Promise.resolve();
    const limit = Math.min(asked, given.cap);
    const came = rows.slice((page - 1) * limit, page * limit);
    for (const row of came) billed.add(idOf(row) ?? Symbol());
    return {
      rows: came,
      context: {},
      pagination: {
        limit: given.saysLimit ? limit : undefined,
        totalResults: totalOf(given),
        hasNext: given.saysMore ? page * limit < rows.length : undefined,
      },
    };
  };
  const list = { wanted, pageSize: 50, idOf, fetch };
  const pages = readPages(list, { guard, tell: (message) => told.push(message) });
  for await (const page of pages) out.push(...page.rows);
  return { rows, out, told, requests, billed: billed.size };
}

/**
 * Some services hide that more rows exist: they report 40 as the total, or return a short page
 * without comment. The node cannot detect those rows.
 */
const isSilentAboutMore = ({ total, saysMore, saysLimit }: World) =>
  !saysMore && (total === 'capped' || (total === 'missing' && !saysLimit));

it('reads all wanted rows by page, once and in order, in few requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      world,
      fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
      async (given, wanted) => {
        const { rows, out, told, requests } = await readByPage(given, wanted);
        const all = rows.slice(0, wanted);

        if (isSilentAboutMore(given)) expect(out).toEqual(all.slice(0, out.length));
        else expect(out).toEqual(all);
        const lies = (totalOf(given) ?? 0) > given.count;
        if (lies && (wanted ?? Infinity) > given.count) {
          expect(told.join()).toMatch(/reported \d+ rows in the list, but returned \d+/);
        } else {
          expect(told).toEqual([]);
        }
        const pages = Math.ceil(all.length / Math.min(50, given.cap));
        // Allows for pages that must begin at multiples of
        // their size, and for prefetched pages past the end.
        expect(requests).toBeLessThanOrEqual(8 + 3 * pages + Math.min(90, 4 + 4 * pages));
      },
    ),
    { numRuns: 400 },
  );
});

it('never exceeds Max Credits, and spends few credits on a list that it refuses', async () => {
  await fc.assert(
    fc.asyncProperty(world, fc.integer({ min: 1, max: 400 }), async (given, limit) => {
      const guard = new CreditBudget(limit);
      const before = guard.available;
      const result = await readByPage(given, undefined, guard).catch((error: unknown) => error);

      if (result instanceof Error) {
        expect(result).toBeInstanceOf(NotAttemptedError);
        // The first page, and up to two rows that show how long the list is.
        expect(before - guard.available).toBeLessThanOrEqual(Math.min(limit, 50) + 2);
      } else {
        const { billed } = result as { billed: number };
        expect(billed).toBeLessThanOrEqual(limit);
      }
    }),
    { numRuns: 400 },
  );
});

it('with whole: true, reads every row or throws list_incomplete after a refused page', async () => {
  const world = fc.record({
    count: fc.nat(130),
    cap: fc.constantFrom(3, 7, 20, 50),
    status: fc.constantFrom(400, 413, 422),
    refusedFrom: fc.nat(130),
  });
  await fc.assert(
    fc.asyncProperty(world, async ({ count, cap, status, refusedFrom }) => {
      let rows = 0;
      const reading = async () => {
        const list = {
          wanted: undefined,
          whole: true,

          idOf,
          ceilings: new Map<string, number>(),
          endpoint: 'members',
          fetch: async ({ offset, limit }: { offset: number; limit: number }) => {
            await Promise.resolve();
            if (limit > cap || (offset > 0 && offset >= refusedFrom))
              throw new ServiceError({ code: 'refused', message: 'No', hint: '', status });
            const size = Math.min(limit, count - offset);
            return {
              rows: Array.from({ length: size }, (_one, id) => ({ id: offset + id })),
              beside: {},
            };
          },
        };
        for await (const page of readByOffset(list, {})) rows += page.rows.length;
      };
      const failure: unknown = await reading().catch((error: unknown) => error);
      if (failure === undefined) expect(rows).toBe(count);
      else expect(failure).toMatchObject({ code: 'list_incomplete' });
    }),
  );
});
