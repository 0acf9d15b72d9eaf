/**
 * Tests lists whose envelope and paging the API spec does
 * not show: the node outputs each row once or warns.
 */
import fc from 'fast-check';

import { readMemberPages } from '../../../../src/service/lists/members';
import { Client } from '../../../../src/client/client';
import type { Row } from '../../../../src/run/responses/rows';
import { offsetPaging } from '../../../../src/run/listing/paging';
import { Run } from '../../../../src/run/run';
import { settingsFor } from '../../client/support/client';
import { json, TestService, type Answering, type Received } from '../../client/support/service';
import { QUICK } from '../../client/support/timing';

let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await TestService.start();
  client = Client.open(
    settingsFor(service, { requestsPerMinute: 1_000_000, requestsPerDay: 100_000_000 }),
    QUICK,
  );
});
beforeEach(() => {
  client.batchCeilings.clear();
});
afterAll(async () => {
  await TestService.stopAll();
});

const TIERS = ['high', 'medium', 'exploratory'];
const queryOf = ({ url }: Received) => new URL(url, 'http://x').searchParams;

async function members(answering: Answering) {
  service.answer(answering);
  const told: string[] = [];
  const run = new Run(client, Infinity, { warn: (message) => told.push(message) });
  const filters = { tier: undefined, search_name_or_domain: undefined, force_refresh: undefined };
  const rows: Row[] = [];
  for await (const page of readMemberPages(run, 'l1', filters, { wanted: undefined })) {
    rows.push(...page.rows);
  }
  return { rows, told };
}

const idsOf = (rows: readonly Row[]) => rows.map(({ id }) => Number(id)).sort((a, b) => a - b);
const upTo = (count: number) => Array.from({ length: count }, (_one, id) => id);

describe('a response that contains all members', () => {
  const rows = (from: number, to: number) =>
    upTo(to)
      .slice(from)
      .map((id) => ({ id }));
  const TIERED = { high: rows(0, 1), medium: rows(1, 3), exploratory: rows(3, 6) };

  it.each<[unknown, boolean]>([
    [TIERED, true],
    [{ members: TIERED, total_count: 6 }, true],
  ])('is read as one list with the tier of each member: %j', async (answer, tiered) => {
    const result = await members((request, response) => {
      const past = Number(queryOf(request).get('offset') ?? 0) > 0;
      (past ? json({ detail: 'offset' }, 400) : json(answer))(request, response);
    });

    expect(idsOf(result.rows)).toEqual(upTo(6));
    if (tiered) {
      expect(result.rows.map(({ tier }) => tier)).toEqual([
        'high',
        'medium',
        'medium',
        'exploratory',
        'exploratory',
        'exploratory',
      ]);
    }
  });
});

/** Returns the fields that point to the next page. */
type Cursor = (next: string | null) => Row;
const CURSORS: Array<[string, string, Cursor]> = [
  ['next_cursor', 'cursor', (next) => ({ next_cursor: next })],
  ['a nested next_cursor', 'cursor', (next) => ({ pagination: { next_cursor: next } })],
  ['a page token', 'page_token', (next) => (next === null ? {} : { next_page_token: next })],
  [
    'a URL',
    'cursor',
    (next) => ({
      next: next === null ? null : `https://elsewhere.test/v1/x?limit=5&cursor=${next}`,
    }),
  ],
  [
    'a relative link',
    'after',
    (next) => ({ links: { next: next === null ? null : `/v1/x?after=${next}` } }),
  ],
  ['a plain value', 'cursor', (next) => ({ next })],
  [
    'next_cursor with has_more',
    'cursor',
    (next) => ({ has_more: next !== null, next_cursor: next ?? 'end' }),
  ],
  ['next_cursor with a total', 'cursor', (next) => ({ total_count: 17, next_cursor: next })],
];

it.each(CURSORS)(
  'reads all pages of a list that has a cursor: %s',
  async (_what, parameter, said) => {
    const { rows, told } = await members((request, response) => {
      const query = queryOf(request);
      const from = Number(query.get(parameter)?.replace('c', '') ?? 0);
      const limit = Math.min(5, Number(query.get('limit') ?? 5));
      const page = upTo(17)
        .slice(from, from + limit)
        .map((id) => ({ id }));
      const next = from + limit < 17 ? `c${String(from + limit)}` : null;
      json({ members: page, ...said(next) })(request, response);
    });

    expect(idsOf(rows)).toEqual(upTo(17));
    expect(told).toEqual([]);
  },
);

const world = fc.record({
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
    fc.asyncProperty(world, async (given) => {
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
