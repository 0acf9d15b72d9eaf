/** Tests lists that are read by offset (`src/run/listing/paging.ts`). */
import fc from 'fast-check';

import { collectListing } from '../../../../src/run/listing/listing';
import type { Row } from '../../../../src/run/responses/rows';
import { BadRequestError, ServiceError } from '../../../../src/client/errors';
import { failureOf } from '../../client/support/client';
import {
  drain,
  readByOffset,
  type OffsetListing,
  type OffsetRequest,
  type RowsBeside,
} from './support';

const rowsOf = (count: number): Row[] => Array.from({ length: count }, (_one, id) => ({ id }));

interface Service {
  readonly rows: readonly Row[];
  /** The largest page that the service returns. */
  readonly cap?: number;
  readonly overCap?: 'clamp' | 'reject';
  readonly says?: 'total' | 'hasMore' | 'both' | 'nothing';
  /** A wrong total that the service reports. */
  readonly total?: number | undefined;
}

/** Simulates a service, and records the requests. */
function serve({ cap = 100, overCap = 'clamp', says = 'total', total, rows }: Service) {
  const requests: OffsetRequest[] = [];
  const fetch = async (request: OffsetRequest): Promise<RowsBeside> => {
    requests.push(request);
    await Promise.resolve();
    const { offset, limit } = request;
    if (limit > cap && overCap === 'reject') {
      throw new BadRequestError({ code: 'http_400', message: 'No', hint: '-', status: 400 });
    }
    const end = offset + Math.min(limit, cap);
    return {
      rows: rows.slice(offset, end),
      beside: {
        ...(says === 'total' || says === 'both' ? { total_count: total ?? rows.length } : {}),
        ...(says === 'hasMore' || says === 'both' ? { has_more: end < rows.length } : {}),
      },
    };
  };
  return { requests, fetch };
}

const idOf = ({ id }: Row) => (id === undefined ? undefined : JSON.stringify(id));

async function read(list: Partial<OffsetListing> & Pick<OffsetListing, 'fetch'>): Promise<Row[]> {
  const { rows } = await collectListing(readByOffset({ wanted: undefined, idOf, ...list }));
  return [...rows];
}

it('reads exactly the wanted rows, once and in order, however the service pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.record({
        count: fc.integer({ min: 0, max: 700 }),
        // Services with a cap below 20 never reject a large page (see `overCap` below).
        cap: fc.constantFrom(3, 7, 20, 37, 50, 100, 1000, 5000),
        overCap: fc.constantFrom<Array<'clamp' | 'reject'>>('clamp', 'reject'),
        says: fc.constantFrom<Array<NonNullable<Service['says']>>>(
          'total',
          'hasMore',
          'both',
          'nothing',
        ),
        total: fc.constantFrom(undefined, undefined, 40, 2_147_483_647, Number.MAX_SAFE_INTEGER),
        wanted: fc.option(fc.integer({ min: 1, max: 800 }), { nil: undefined }),
        skip: fc.integer({ min: 0, max: 300 }),
        withIds: fc.boolean(),
      }),
      async ({ count, wanted, skip, withIds, ...service }) => {
        const rows = withIds ? rowsOf(count) : rowsOf(count).map(({ id }) => ({ name: id }));
        const overCap = service.cap < 20 ? 'clamp' : service.overCap;
        const { fetch, requests } = serve({ rows, ...service, overCap });
        const out = await read({ fetch, wanted, skip });
        const all = rows.slice(skip).slice(0, wanted);

        // If the service reports a total of 40, the node cannot know that more rows exist.
        const isSilent = service.says === 'total' && service.total === 40;
        expect(out).toEqual(isSilent ? all.slice(0, out.length) : all);
        const end = Math.max(...requests.map(({ offset, limit }) => offset + limit));
        expect(end).toBeLessThanOrEqual(skip + (wanted ?? Infinity));
        if (service.total !== undefined) return;
        const needed = Math.ceil(count / Math.min(service.cap, 1000));
        // Allows for attempts with smaller pages, and for
        // requests past the end if nothing marks the end.
        expect(requests.length).toBeLessThanOrEqual(Math.ceil(count / 20) + needed + 8);
        expect(requests.filter(({ first }) => !first).every(({ offset }) => offset > skip)).toBe(
          true,
        );
      },
    ),
    { numRuns: 400 },
  );
});

it('requests up to six pages at the same time', async () => {
  let inFlight = 0;
  let most = 0;
  const service = serve({ rows: rowsOf(5000) });
  const fetch = async (request: OffsetRequest): Promise<RowsBeside> => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    await new Promise((resolve) => setTimeout(resolve, 1));
    inFlight -= 1;
    return await service.fetch(request);
  };

  expect(await read({ fetch })).toHaveLength(5000);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(6);
});

it('finds the page size once, and requests a recomputation only until the first page', async () => {
  const ceilings = new Map<string, number>();
  const requests = async () => {
    const service = serve({ rows: rowsOf(400), cap: 200, overCap: 'reject' });
    await read({ fetch: service.fetch, ceilings });
    return service.requests.map(({ first, limit }) => `${first ? 'first ' : ''}${limit}`);
  };

  expect(await requests()).toEqual(['first 1000', 'first 500', 'first 200', '200']);
  expect(await requests()).toEqual(['first 200', '200']);
});

it('throws a rejection that does not concern the page size, and learns no page size', async () => {
  const fetch = (): Promise<RowsBeside> =>
    Promise.reject(new BadRequestError({ code: 'x', message: 'Bad tier', hint: '-', status: 400 }));

  const ceilings = new Map<string, number>();

  expect((await failureOf(read({ fetch, ceilings }))).message).toBe('Bad tier');
  // The failure must not make later lists use small pages.
  expect(ceilings.size).toBe(0);
});

it.each([
  ['because it ignores the offset, with ids', 'id', 0],
  ['because it ignores the offset, without ids', 'name', 0],
  ['because its last page never ends, with ids', 'id', 100],
  ['because its last page never ends, without ids', 'name', 100],
])('throws offset_ignored when the service repeats rows %s', async (_why, field, last) => {
  const fetch = ({ offset }: OffsetRequest): Promise<RowsBeside> => {
    const start = Math.min(offset, last);
    const rows = Array.from({ length: 50 }, (_one, index): Row => ({ [field]: start + index }));
    return Promise.resolve({ rows, beside: {} });
  };

  expect(await failureOf(read({ fetch }))).toMatchObject({
    code: 'offset_ignored',
    message: expect.stringContaining('returned the same rows again') as unknown,
  });
});

it('does not request further pages after entries that are not rows', async () => {
  let requests = 0;
  const fetch = (): Promise<RowsBeside> => {
    requests += 1;
    return Promise.resolve({ rows: [{ companies: [], at: requests }], beside: {} });
  };

  expect(await read({ fetch })).toEqual([{ companies: [], at: 1 }]);
});

it('with whole: true, reads every row or throws list_incomplete after a refused page', async () => {
  const refusing = fc.record({
    count: fc.nat(130),
    cap: fc.constantFrom(3, 7, 20, 50),
    status: fc.constantFrom(400, 413, 422),
    refusedFrom: fc.nat(130),
  });
  await fc.assert(
    fc.asyncProperty(refusing, async ({ count, cap, status, refusedFrom }) => {
      const list = readByOffset({
        wanted: undefined,
        whole: true,
        idOf,
        ceilings: new Map(),
        fetch: async ({ offset, limit }) => {
          await Promise.resolve();
          if (limit > cap || (offset > 0 && offset >= refusedFrom))
            throw new ServiceError({ code: 'refused', message: 'No', hint: '', status });
          const size = Math.min(limit, count - offset);
          const rows = Array.from({ length: size }, (_one, id) => ({ id: offset + id }));
          return { rows, beside: {} };
        },
      });
      const { rows, failure } = await drain(list);
      if (failure === undefined) expect(rows).toHaveLength(count);
      else expect(failure).toMatchObject({ code: 'list_incomplete' });
    }),
  );
});
