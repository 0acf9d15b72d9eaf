/** Tests lists that are read by offset (`src/run/listing/paging.ts`). */
import fc from 'fast-check';

import { CreditBudget } from '../../../../src/run/credit-budget';
import type { Row } from '../../../../src/run/responses/rows';
import { BadRequestError, NotFoundError } from '../../../../src/client/errors';
import { failureOf } from '../../client/support/client';
import {
  readByOffset,
  type OffsetListing,
  type OffsetRequest,
  type RowsBeside,
  type RunOptions,
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
  /** Runs before the response to a request. */
  readonly before?: (request: OffsetRequest, number: number) => void;
}

/** Simulates a service, and records the requests. */
function serve({ rows, cap = 100, overCap = 'clamp', says = 'total', total, before }: Service) {
  const requests: OffsetRequest[] = [];
  let current = rows;
  const fetch = async (request: OffsetRequest): Promise<RowsBeside> => {
    requests.push(request);
    before?.(request, requests.length);
    await Promise.resolve();
    const { offset, limit } = request;
    if (limit > cap && overCap === 'reject') {
      throw new BadRequestError({ code: 'http_400', message: 'No', hint: '-', status: 400 });
    }
    const end = offset + Math.min(limit, cap);
    return {
      rows: current.slice(offset, end),
      beside: {
        ...(says === 'total' || says === 'both' ? { total_count: total ?? current.length } : {}),
        ...(says === 'hasMore' || says === 'both' ? { has_more: end < current.length } : {}),
      },
    };
  };
  return {
    requests,
    fetch,
    change: (next: readonly Row[]) => {
      current = next;
    },
  };
}

interface Reading extends Partial<OffsetListing> {
  readonly fetch: OffsetListing['fetch'];
}

async function read(reading: Reading, options: RunOptions = {}): Promise<Row[]> {
  const rows: Row[] = [];
  const listing: OffsetListing = {
    wanted: undefined,
    skip: 0,

    idOf: ({ id }) => (id === undefined ? undefined : JSON.stringify(id)),
    ceilings: new Map(),
    endpoint: 'members',
    ...reading,
  };
  for await (const page of readByOffset(listing, options)) rows.push(...page.rows);
  return rows;
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

it('does not request a refused page size again for the next list', async () => {
  const ceilings = new Map<string, number>();
  const first = serve({ rows: rowsOf(10), cap: 200, overCap: 'reject' });
  await read({ fetch: first.fetch, ceilings });
  const second = serve({ rows: rowsOf(10), cap: 200, overCap: 'reject' });
  await read({ fetch: second.fetch, ceilings });

  expect(first.requests.map(({ limit }) => limit)).toEqual([1000, 500, 200]);
  expect(second.requests.map(({ limit }) => limit)).toEqual([200]);
});

it('requests a recomputation until the first page arrives, not with the next one', async () => {
  const { fetch, requests } = serve({ rows: rowsOf(900), cap: 200, overCap: 'reject' });
  await read({ fetch });

  expect(requests.map(({ first, limit }) => [first, limit]).slice(0, 4)).toEqual([
    [true, 1000],
    [true, 500],
    [true, 200],
    [false, 200],
  ]);
});

it('throws a rejection that does not concern the page size, and learns no page size', async () => {
  const fetch = (): Promise<RowsBeside> =>
    Promise.reject(new BadRequestError({ code: 'x', message: 'Bad tier', hint: '-', status: 400 }));

  const ceilings = new Map<string, number>();

  expect((await failureOf(read({ fetch, ceilings }))).message).toBe('Bad tier');
  // The failure must not make later lists use small pages.
  expect(ceilings.size).toBe(0);
});

it('throws any other error and stops reading', async () => {
  const { fetch, requests } = serve({
    rows: rowsOf(5000),
    before: ({ offset }) => {
      if (offset === 100) throw new NotFoundError({ code: 'x', message: 'Gone', hint: '-' });
    },
  });

  expect((await failureOf(read({ fetch }))).message).toBe('Gone');
  expect(requests.length).toBeLessThan(10);
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

const members = rowsOf(350);

it.each([
  ['removes a row before the others', members.slice(1), members],
  ['adds a row before the others', [{ id: 350 }, ...members], [...members, { id: 350 }]],
])('reads all rows when the service %s', async (_what, changed, expected) => {
  const service = serve({
    rows: members,
    before: (_request, number) => {
      if (number === 2) service.change(changed);
    },
  });
  const came = await read({ fetch: service.fetch });

  expect(came.sort((a, b) => Number(a['id']) - Number(b['id']))).toEqual(expected);
});

describe('Max Credits', () => {
  const guarded = (limit: number) => ({ guard: new CreditBudget(limit) });

  it('reads the whole list if it covers all rows and one probe row', async () => {
    const { fetch } = serve({ rows: rowsOf(150) });

    // Plus one credit for the probe that showed the total.
    expect(await read({ fetch }, guarded(151))).toHaveLength(150);
  });

  it('reads a list of unknown length if it covers all rows', async () => {
    const { fetch } = serve({ rows: rowsOf(100), says: 'nothing' });

    expect(await read({ fetch }, guarded(150))).toHaveLength(100);
  });
});
