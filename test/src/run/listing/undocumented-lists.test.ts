/**
 * Tests lists whose envelope and paging the API spec does
 * not show: the node outputs each row once or warns.
 */
import fc from 'fast-check';

import { readMemberPages } from '../../../../src/service/lists/members';
import { Client } from '../../../../src/client/client';
import type { Row } from '../../../../src/run/responses/rows';
import { ALL_ROWS, collectListing, readListing } from '../../../../src/run/listing/listing';
import { adaptivePaging, offsetPaging } from '../../../../src/run/listing/paging';
import { Run } from '../../../../src/run/run';
import { settingsFor } from '../../client/support/client';
import { json, TestService, type Answering, type Received } from '../../client/support/service';
import { QUICK } from '../../client/support/timing';
import { pageOf, runWith } from './support';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await TestService.start();
  client = Client.open(settingsFor(service, { requestsPerMinute: 1_000_000 }), QUICK);
});
beforeEach(() => {
  client.batchCeilings.clear();
});
afterAll(TestService.stopAll);

const TIERS = ['high', 'medium', 'exploratory'];
const queryOf = ({ url }: Received) => new URL(url, 'http://x').searchParams;

async function members(answering: Answering) {
  service.answer(answering);
  const warnings: string[] = [];
  const run = new Run(client, Infinity, { warn: (message) => warnings.push(message) });
  const filters = { tier: undefined, search_name_or_domain: undefined, force_refresh: undefined };
  const { rows } = await collectListing(readMemberPages(run, 'l1', filters, ALL_ROWS));
  return { rows, warnings };
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_one, id) => id);

const membersOf = (from: number, to: number) =>
  upTo(to)
    .slice(from)
    .map((id) => ({ id }));
const TIERED = { high: membersOf(0, 1), medium: membersOf(1, 3), exploratory: membersOf(3, 6) };

it.each<[unknown]>([[TIERED], [{ members: TIERED, total_count: 6 }]])(
  'reads a response with all members as one list with their tiers: %j',
  async (answer) => {
    const { rows } = await members((request, response) => {
      const past = Number(queryOf(request).get('offset') ?? 0) > 0;
      (past ? json({ detail: 'offset' }, 400) : json(answer))(request, response);
    });

    expect(idsOf(rows)).toEqual(upTo(6));
    const tiers = rows.map(({ tier }) => tier).join(' ');
    expect(tiers).toBe('high medium medium exploratory exploratory exploratory');
  },
);

describe('a list without parameters for paging', () => {
  const ROWS = upTo(7).map((id): Row => ({ id: String(id) }));
  const PAGE = 3;

  /** Fields next to the rows `from` to `to` in a response. */
  type Beside = (from: number, to: number) => Row;

  /**
   * Reads a list from a service that returns three rows per request. `complete` is false if the
   * user is warned that rows may be missing.
   */
  async function read(
    beside: Beside,
    { rows = ROWS, wanted, repeats }: { rows?: Row[]; wanted?: number; repeats?: boolean } = {},
  ) {
    const queries: Array<Readonly<Record<string, unknown>>> = [];
    const warnings: string[] = [];
    const pages = readListing(
      {
        paging: adaptivePaging,
        isFree: true,
        wanted,
        idOf: ({ id }) => String(id),
        fetch: async ({ query }) => {
          queries.push(query);
          const begin = Number(query['offset'] ?? (Number(query['page'] ?? 1) - 1) * PAGE);
          const from = repeats === true ? 0 : begin;
          const to = Math.min(from + PAGE, rows.length);
          return await Promise.resolve(
            pageOf({ rows: rows.slice(from, to), beside: beside(from, to) }),
          );
        },
      },
      runWith(undefined, warnings),
    );
    const result = await collectListing(pages);
    return { rows: result.rows, complete: warnings.length === 0, queries };
  }

  const byOffset = [{}, { offset: 3 }, { offset: 6 }];
  const byPage = [{}, { page: 2 }, { page: 3 }];

  describe.each<[string, Beside, object[]]>([
    ['has_more', (_from, to) => ({ has_more: to < 7 }), byOffset],
    ['a total', () => ({ total: 7 }), byOffset],
    ['a nested total', () => ({ meta: { total_count: 7 } }), byOffset],
    [
      'the documented pagination object',
      (from, to) => ({ pagination: { page: from / 3 + 1, has_next: to < 7, total_results: 7 } }),
      byPage,
    ],
    ['a page number and a total', (from) => ({ page: from / 3 + 1, total: 7 }), byPage],
  ])('whose responses have %s', (_what, beside, queries) => {
    it('is read to the last row', async () => {
      expect(await read(beside)).toEqual({ rows: ROWS, complete: true, queries });
    });

    it('is read only up to the page with the last wanted row', async () => {
      const result = { rows: ROWS.slice(0, 4), complete: true, queries: queries.slice(0, 2) };
      expect(await read(beside, { wanted: 4 })).toEqual(result);
    });
  });

  it.each<[string, Row]>([
    ['has no paging fields', {}],
    ['says that there are no further rows', { has_more: false, total: 99 }],
    ['has paging fields with unknown values', { more: 'yes', total: 'seven' }],
  ])('needs one request when the response %s', async (_what, beside) => {
    const result = { rows: ROWS.slice(0, 3), complete: true, queries: [{}] };
    expect(await read(() => beside)).toEqual(result);
  });

  it.each<[string, Row]>([
    ['has more', { has_more: true }],
    ['has another page', { pagination: { has_next: true } }],
    ['has 100 rows', { total: 100 }],
  ])(
    'ends at the first repeated page when the service always says that it %s',
    async (_what, beside) => {
      const { queries, ...result } = await read(() => beside, { repeats: true });
      expect(result).toEqual({ rows: ROWS.slice(0, 3), complete: false });
      expect(queries).toHaveLength(2);
    },
  );

  it('is complete without rows', async () => {
    expect(await read(() => ({ total: 0 }), { rows: [] })).toMatchObject({
      rows: [],
      complete: true,
    });
  });
});

it.each<[parameter: string, after: (to: number) => object]>([
  ['page_token', (to) => ({ next_page_token: String(to) })],
  ['after', (to) => ({ links: { next: `/x?after=${String(to)}` } })],
  ['cursor', (to) => ({ next_cursor: String(to), total_count: 17 })],
])('reads all pages by %s, which the responses name for the next page', async (name, after) => {
  const { rows, warnings } = await members((request, response) => {
    const query = queryOf(request);
    const from = Number(query.get(name) ?? 0);
    const to = Math.min(17, from + Math.min(5, Number(query.get('limit') ?? 5)));
    const page = upTo(to).slice(from);
    const next = to < 17 ? after(to) : {};
    json({ members: page.map((id) => ({ id })), ...next })(request, response);
  });

  expect(idsOf(rows)).toEqual(upTo(17));
  expect(warnings).toEqual([]);
});

const scenarios = fc.record({
  count: fc.nat(60),
  /** The largest page that the service returns. */
  cap: fc.constantFrom(1, 2, 3, 7, 10, 25, 1000),
  /** Status for a `limit` above `cap`; 0 if the service returns a smaller page instead. */
  refuses: fc.constantFrom(0, 400, 413, 422),
  pastTheEnd: fc.constantFrom('empty', 'null', '400', '422'),
  total: fc.constantFrom('right', 'text', 'missing', 'nested'),
  more: fc.constantFrom('said', 'missing', 'cursor'),
  envelope: fc.constantFrom('members', 'bare', 'tiers', 'records'),
});

it('returns exactly the rows of the service, whatever its responses look like', async () => {
  await fc.assert(
    fc.asyncProperty(scenarios, async (given) => {
      const { count, cap } = given;
      client.batchCeilings.clear();
      service.received.length = 0;
      const { rows } = await members((request, response) => {
        const query = queryOf(request);
        const limit = Number(query.get('limit'));
        const from = Number(query.get(given.more === 'cursor' ? 'cursor' : 'offset') ?? 0);
        const beyond = from > 0 && from >= count;
        if ((given.refuses > 0 && limit > cap) || (beyond && given.pastTheEnd.startsWith('4'))) {
          const status =
            given.refuses > 0 && limit > cap ? given.refuses : Number(given.pastTheEnd);
          json({ detail: 'No.' }, status)(request, response);
          return;
        }
        const end = Math.min(count, from + Math.min(limit, cap));
        const page = upTo(end)
          .slice(from)
          .map((id) => ({ id, slug: `s${String(id)}`, tier: TIERS[id % 3] }));
        const beside = {
          ...(given.total === 'right' ? { total_count: count } : {}),
          ...(given.total === 'text' ? { total_count: String(count) } : {}),
          ...(given.total === 'nested' ? { meta: { page: { total: count } } } : {}),
          ...(given.more === 'said' ? { has_more: end < count } : {}),
          ...(given.more === 'cursor' ? { next_cursor: end < count ? String(end) : null } : {}),
        };
        const isBare = given.envelope === 'bare' && Object.keys(beside).length === 0;
        const none = beyond && given.pastTheEnd === 'null' ? null : undefined;
        const group = (tier: string) => page.filter((row) => row.tier === tier);
        const answers: Record<string, unknown> = {
          members: { members: none === undefined ? page : none, ...beside },
          bare: isBare ? page : { data: page, ...beside },
          tiers: { ...Object.fromEntries(TIERS.map((tier) => [tier, group(tier)])), ...beside },
          records: { list: { list_id: 7, name: 'Fit' }, records: page, ...beside },
        };
        json(answers[given.envelope])(request, response);
      });

      expect(idsOf(rows)).toEqual(upTo(count));
      // Allows for attempts with smaller pages, one request per page, and a request past the end.
      const size = given.refuses > 0 ? offsetPaging.sizes.find((one) => one <= cap) : cap;
      expect(service.received.length).toBeLessThanOrEqual(20 + 2 * Math.ceil(count / (size ?? 1)));
    }),
    { numRuns: 100 },
  );
}, 120_000);
