import fc from 'fast-check';

import {
  InvalidResponseError,
  NotAttemptedError,
  ServiceError,
} from '../../../../src/client/errors';
import { getGaps } from '../../../../src/run/listing/incomplete';
import { ListService, readList, type Sends } from './list-service';

const range = {
  by: fc.constantFrom('page' as const, 'offset' as const),
  size: fc.constantFrom(20, 50),
  skip: fc.oneof(fc.constant(0), fc.nat(150)),
  wanted: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
  streamed: fc.boolean(),
};
const says = fc.constantFrom<NonNullable<Sends['says']>>('total', 'more', 'both', 'nothing');
const delays = fc.array(fc.nat(6), { minLength: 1, maxLength: 5 });
const upTo = (count: number) => Array.from({ length: count }, (_one, id) => id);

/** Whether the service hides that more rows exist: by a total that is too low, or by short pages. */
const hidesRows = ({ says: said, total, cap = Infinity, statesLimit }: Sends, by: string) =>
  (said === 'total' && total === 40) ||
  (said === 'nothing' && by === 'page' && cap < 50 && statesLimit !== true);

it('outputs exactly the wanted rows, once and in order, however the service pages', async () => {
  const sends = fc.record({
    count: fc.nat(330),
    cap: fc.constantFrom(1, 3, 7, 20, 37, 1000),
    statesLimit: fc.boolean(),
    says,
    total: fc.constantFrom(undefined, undefined, 40, 2_147_483_647),
    delays,
  });
  await fc.assert(
    fc.asyncProperty(sends, fc.record(range), async (given, reading) => {
      const { by, size, skip, wanted = Infinity } = reading;
      const service = new ListService(given);
      const { out, failure, warnings, firsts } = await readList(service, reading);
      const all = upTo(given.count).slice(skip, skip + wanted);

      expect(failure).toBeUndefined();
      expect(out).toEqual(hidesRows(given, by) ? all.slice(0, out.length) : all);
      // The service's total is wrong, and more rows than that were wanted.
      const isTotal = given.says === 'total' || given.says === 'both';
      const expected = Math.min(wanted, (given.total ?? 0) - skip);
      expect(warnings.length > 0).toBe(isTotal && out.length < expected);
      expect(firsts.lastIndexOf(true)).toBe(0);
      const { requests } = service;
      expect(Math.min(...requests.map(({ from }) => from))).toBe(skip);
      const end = Math.max(...requests.map(({ from, limit }) => from + limit));
      expect(end).toBeLessThanOrEqual(skip + wanted);
      // Pages by number start at multiples of their size, so the first and last ones can be small.
      const pages = Math.ceil(all.length / Math.min(size, given.cap));
      const prefetched = given.total === undefined ? 0 : 8 + 8 * pages;
      expect(requests.length).toBeLessThanOrEqual(12 + 4 * pages + prefetched);
    }),
    { numRuns: 600 },
  );
});

it('outputs every charged row, never exceeds Max Credits, and names the missing rows', async () => {
  const sends = fc.record({
    count: fc.nat(400),
    says,
    statesLimit: fc.boolean(),
    broken: fc.array(fc.nat(400), { maxLength: 2 }),
    balance: fc.option(fc.nat(500), { nil: Infinity }),
    delays,
  });
  const reading = fc.record({
    ...range,
    maxCredits: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(sends, reading, async (given, how) => {
      const { maxCredits = Infinity, skip, wanted = Infinity } = how;
      const service = new ListService(given);
      const { out, failure, warnings, credits } = await readList(service, how);
      const all = upTo(given.count).slice(skip, skip + wanted);

      expect([...service.billed].sort((a, b) => a - b)).toEqual(out);
      expect(credits.maxSpent).toBeGreaterThanOrEqual(service.billed.size);
      expect(credits.maxSpent).toBeLessThanOrEqual(maxCredits);
      const missing = all.filter((id) => !out.includes(id));
      if (failure === undefined) {
        expect(out).toEqual(all.slice(0, maxCredits));
        if (missing.length > 0) expect(warnings.join()).toContain('The credits covered');
        const isTotal = given.says === 'total' || given.says === 'both';
        if (isTotal && missing.length > 0)
          expect(warnings).toEqual([expect.stringContaining(` of ${all.length} rows.`)]);
        if (maxCredits > all.length) expect(warnings).toEqual([]);
      } else if (failure instanceof ServiceError && out.length > 0) {
        const named = getGaps(failure).flatMap(({ first, last = Infinity }) =>
          all.filter((id) => id >= first - 1 && id < last),
        );
        expect(named).toEqual(missing);
      }
    }),
    { numRuns: 600 },
  );
});

it('outputs no row of a changing list twice, and reports missing rows if it can notice', async () => {
  const sends = fc.record({
    count: fc.nat(330),
    cap: fc.constantFrom(3, 7, 20, 1000),
    says,
    statesLimit: fc.boolean(),
    moves: fc.array(
      fc.record({
        before: fc.integer({ min: 1, max: 16 }),
        at: fc.nat(330),
        rows: fc.constantFrom(1, 1, 7, 60, -1, -7, -60),
      }),
      { maxLength: 3 },
    ),
    delays,
  });
  const reading = fc.record({
    ...range,
    skip: fc.constant(0),
    wanted: fc.constant(undefined),
    whole: fc.boolean(),
    maxCredits: fc.option(fc.integer({ min: 1, max: 500 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(sends, reading, async (given, how) => {
      const service = new ListService(given);
      const { out, failure, warnings, credits } = await readList(service, how);

      expect(new Set(out).size).toBe(out.length);
      expect(out.filter((id) => !service.held.has(id))).toEqual([]);
      expect(credits.maxSpent).toBeLessThanOrEqual(how.maxCredits ?? Infinity);
      if (failure !== undefined) {
        expect(how.whole).toBe(true);
        const kinds = [
          InvalidResponseError,
          ...(how.maxCredits === undefined ? [] : [NotAttemptedError]),
        ];
        expect(kinds.some((kind) => failure instanceof kind)).toBe(true);
        return;
      }
      if (how.whole) expect(warnings).toEqual([]);
      // Equal numbers of inserted and deleted rows, and deletions without a total, cannot be noticed.
      const isTotal = given.says === 'total' || given.says === 'both';
      const isInsert = given.moves.every(({ rows }) => rows > 0);
      const isDelete = given.moves.every(({ rows }) => rows < 0);
      const isNoticed = isTotal ? isInsert || isDelete : false;
      const missing = [...service.kept].filter((id) => !out.includes(id));
      if (!isNoticed || missing.length === 0 || hidesRows(given, how.by)) return;
      if (how.whole) expect(missing.length).toBeLessThanOrEqual(Math.max(1, out.length / 99));
      else expect(warnings).not.toEqual([]);
    }),
    { numRuns: 600 },
  );
});
