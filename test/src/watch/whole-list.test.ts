import { Client } from '../../../src/client/client';
import { CreditBudget } from '../../../src/run/run-guards';
import { Run } from '../../../src/run/run';
import { fetchAccountsDiff } from '../../../src/watch/account-changes';
import type { PollDiff, PreviousSnapshot } from '../../../src/watch/change';
import { fetchMembersDiff } from '../../../src/watch/list-members';
import { fetchUsersDiff } from '../../../src/watch/tech-users';
import { settingsFor } from '../client/support/client';
import { json, TestService } from '../client/support/service';
import { QUICK } from '../client/support/timing';

afterAll(TestService.stopAll);

type Fetch = (run: Run, earlier?: PreviousSnapshot) => Promise<PollDiff>;

const members: Fetch = async (run, earlier) =>
  await fetchMembersDiff(run, { listId: 'x', tier: 'high' }, earlier);
const users: Fetch = async (run, earlier) =>
  await fetchUsersDiff(
    run,
    { used: { by: 'technology', techKey: 'x' }, withFirmographics: false },
    earlier,
  );
const vendorUsers: Fetch = async (run, earlier) =>
  await fetchUsersDiff(
    run,
    { used: { by: 'vendor', vendorDomain: 'x.com' }, withFirmographics: false },
    earlier,
  );
const accounts: Fetch = async (run, earlier) =>
  await fetchAccountsDiff(
    run,
    { accounts: { from: 'list', listId: 'x' }, events: ['technologyAdopted'] },
    earlier,
  );

const DAY = 86_400_000;
const companies = (from: number, to: number) =>
  Array.from({ length: to - from }, (_one, index) => ({
    slug: `c${String(from + index)}`,
    primary_domain: `c${String(from + index)}.com`,
    last_seen_at: new Date((40_000 - from - index) * DAY).toISOString(),
  }));

/** A service with a list of companies, which it charges once each. */
async function start({ total = true, counts = true, ignoresOffset = false } = {}) {
  const service = await TestService.start();
  const charged = new Set<string>();
  /** Rows, and how many more the total counts. */
  const state = { rows: companies(0, 250), missing: 0 };
  service.answer((request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const { rows, missing } = state;
    if (pathname.endsWith('/materialize')) {
      json({ total_count: 999, ...(counts && { high_count: rows.length }) })(request, response);
      return;
    }
    if (request.method === 'POST') {
      const { domains } = JSON.parse(request.body) as { domains: string[] };
      for (const domain of domains) charged.add(domain);
      const data = domains.map((domain) => ({ domain, status: 'tracked', technologies: [] }));
      json({ data })(request, response);
      return;
    }
    const limit = Number(searchParams.get('limit'));
    const page = Number(searchParams.get('page') ?? 1);
    const offset = Number(searchParams.get('offset') ?? (page - 1) * limit);
    const from = ignoresOffset ? 0 : offset;
    const data = rows.slice(from, from + limit);
    for (const { primary_domain: domain } of data) charged.add(domain);
    const said = total ? { total_results: rows.length + missing } : {};
    json({ data, pagination: said, ...said })(request, response);
  });
  const poll = async (fetch: Fetch, limit?: number, earlier?: PreviousSnapshot) => {
    charged.clear();
    const credits = new CreditBudget(limit);
    const run = new Run(Client.open(settingsFor(service), QUICK), { credits });
    const found = await fetch(run, earlier).catch((error: unknown) => String(error));
    return { found, charged: charged.size, counted: credits.maxSpent };
  };
  return { poll, state, service };
}

const TOO_MANY = expect.stringContaining('There are 250') as string;
const UNKNOWN = expect.stringContaining('The service does not say how many') as string;
const WHOLE = expect.objectContaining({ missing: 0 }) as PollDiff;
const NO_TOTAL = { total: false };
const NO_COUNT = { total: false, counts: false };

it.each<[string, Fetch, object, number, number, unknown]>([
  ['members', members, {}, 249, 1, TOO_MANY],
  ['members', members, {}, 250, 250, WHOLE],
  ['members', members, {}, 251, 250, WHOLE],
  ['members without a total', members, NO_TOTAL, 249, 1, TOO_MANY],
  ['members without a total', members, NO_TOTAL, 250, 250, WHOLE],
  ['members without any count', members, NO_COUNT, 1000, 100, UNKNOWN],
  ['members without any count', members, NO_COUNT, 60, 60, UNKNOWN],
  ['users', users, {}, 249, 1, TOO_MANY],
  ['users', users, {}, 250, 250, WHOLE],
  ['users without a total', users, NO_TOTAL, 249, 249, UNKNOWN],
  ['users without a total', users, NO_TOTAL, 251, 250, WHOLE],
  ['accounts of a list', accounts, {}, 100, 1, TOO_MANY],
  ['accounts of a list', accounts, {}, 250, 250, WHOLE],
])(
  'charges a poll of 250 %s up to Max Credits, or 1 credit or page (%#)',
  async (_what, fetch, says, limit, paid, found) => {
    const { poll, service } = await start(says);

    expect(await poll(fetch, limit)).toEqual({ found, charged: paid, counted: paid });
    const recomputing = service.received.filter(({ url }) => url.includes('force_refresh'));
    expect(recomputing).toHaveLength(fetch === users ? 0 : 1);
  },
);

it.each<[string, Fetch]>([
  ['members', members],
  ['users', users],
  ['users of a vendor', vendorUsers],
  ['accounts', accounts],
])(
  'keeps one of the %s that does not arrive until the total leaves it out',
  async (_what, fetch) => {
    const { poll, state } = await start();
    const tracked = (await poll(fetch)).found as PreviousSnapshot;
    Object.assign(state, { rows: companies(1, 250), missing: 1 });
    const missed = (await poll(fetch, undefined, tracked)).found as PollDiff;
    state.missing = 0;
    const left = (await poll(fetch, undefined, missed)).found as PollDiff;
    Object.assign(state, { rows: companies(1, 251), missing: 1 });
    const noted = (await poll(fetch, undefined, left)).found;

    expect(missed).toMatchObject({ changes: [], missing: 0 });
    expect([missed, left].map(({ table }) => table.length)).toEqual([250, 249]);
    expect(noted).toMatchObject({ note: expect.stringContaining('1 of 251 did not arrive') });
  },
);

it.each([
  ['with known IDs', companies(0, 100)],
  ['without known IDs', companies(0, 100).map(({ slug }) => ({ title: slug }))],
])('fails when the service ignores the offset of a list %s', async (_what, rows) => {
  const { service, state } = await start({ ...NO_TOTAL, ignoresOffset: true });
  Object.assign(state, { rows });
  const run = new Run(Client.open(settingsFor(service), QUICK));

  await expect(members(run)).rejects.toMatchObject({
    code: 'paging_ignored',
    message: expect.stringMatching(/more than these 100 rows, but .* the same rows again$/),
    hint: expect.stringContaining("It can't watch this list"),
  });
});

it('reads few users when Max Credits does not cover all of them', async () => {
  const { poll, state } = await start();
  const { found } = await poll(users);
  const earlier = found as PreviousSnapshot;
  state.rows = companies(0, 249);
  const removed = await poll(users, 100, earlier);
  state.rows = companies(-1, 250);
  const added = await poll(users, 100, earlier);

  expect(removed.found).toContain('There are 249 users: Max Credits (100)');
  expect(removed.charged).toBe(1);
  expect(added).toMatchObject({ found: { changes: [{ id: 'c-1' }] }, charged: 4 });
});
