import { Client } from '../../../src/client/client';
import { CreditBudget } from '../../../src/run/run-guards';
import { Run } from '../../../src/run/run';
import type { AccountEvent } from '../../../src/watch/account';
import { fetchAccountsDiff } from '../../../src/watch/account-changes';
import type { Accounts } from '../../../src/watch/account-list';
import type { PollDiff, PreviousSnapshot } from '../../../src/watch/change';
import { fetchMembersDiff } from '../../../src/watch/list-members';
import { fetchUsersDiff, type UsedProduct } from '../../../src/watch/tech-users';
import { settingsFor } from '../client/support/client';
import { json, TestService, type Received } from '../client/support/service';
import { QUICK } from '../client/support/timing';

afterAll(TestService.stopAll);

type Fetch = (run: Run, earlier?: PreviousSnapshot) => Promise<PollDiff>;

const members: Fetch = async (run, earlier) =>
  await fetchMembersDiff(run, { listId: 'x', tier: 'high' }, earlier);
const usersOf =
  (used: UsedProduct): Fetch =>
  async (run, earlier) =>
    await fetchUsersDiff(run, { used, withFirmographics: false }, earlier);
const accountsFor =
  (event: AccountEvent, accounts: Accounts = { from: 'list', listId: 'x' }): Fetch =>
  async (run, earlier) =>
    await fetchAccountsDiff(run, { accounts, events: [event] }, earlier);

const DAY = 86_400_000;
const companies = (from: number, to: number) =>
  Array.from({ length: to - from }, (_one, index) => ({
    slug: `c${String(from + index)}`,
    primary_domain: `c${String(from + index)}.com`,
    last_seen_at: new Date((40_000 - from - index) * DAY).toISOString(),
  }));

const users = usersOf({ by: 'technology', techKey: 'x' });
const vendorUsers = usersOf({ by: 'vendor', vendorDomain: 'x.com' });
const accounts = accountsFor('technologyAdopted');
const partners = accountsFor('partnershipGained');
const typed = companies(0, 79).map(({ primary_domain: domain }) => domain);
const partnersOfTyped = accountsFor('partnershipGained', {
  from: 'domains',
  domains: typed,
  invalid: [],
});

/** A service with a list of companies, which it charges once each. */
async function start({
  total = true,
  counts = true,
  ignoresOffset = false,
  partnersFrom = Infinity,
} = {}) {
  const service = await TestService.start();
  const charged = new Set<string>();
  /** Rows, and how many more the total counts. */
  const state = { rows: companies(0, 250), missing: 0 };
  const lookUp = (domain: string) => {
    const count = Number(domain.slice(1, -4)) < partnersFrom ? 0 : 3;
    const names = companies(0, count).map(({ slug }) => `${slug}-of-${domain}`);
    for (const one of [domain, ...names]) charged.add(one);
    const partnerships = names.map((partner_slug) => ({ partner_slug }));
    return { domain, status: 'tracked', technologies: [], partnerships };
  };
  const bodyFor = ({ method, url, body }: Received) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const { rows, missing } = state;
    if (pathname.endsWith('/materialize'))
      return { total_count: 999, ...(counts && { high_count: rows.length }) };
    if (method === 'POST') {
      const { domains } = JSON.parse(body) as { domains: string[] };
      return { data: domains.map(lookUp) };
    }
    const limit = Number(searchParams.get('limit'));
    const page = Number(searchParams.get('page') ?? 1);
    const offset = Number(searchParams.get('offset') ?? (page - 1) * limit);
    const from = ignoresOffset ? 0 : offset;
    const data = rows.slice(from, from + limit);
    for (const { primary_domain: domain } of data) charged.add(domain);
    const said = total ? { total_results: rows.length + missing } : {};
    return { data, pagination: said, ...said };
  };
  service.answer((request, response) => {
    json(bodyFor(request))(request, response);
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

const SPENT = expect.stringMatching(
  /accounts need \d+ credits or more, and \d+ are left/,
) as string;

it.each<[string, Fetch, number, number | undefined, number, number, unknown]>([
  ['of a list', partners, 0, 80, 79, 0, SPENT],
  ['of a list', partners, 0, 157, 79, 0, SPENT],
  ['of a list', partners, 0, 200, 109, 1, SPENT],
  ['of a list', partners, 0, 316, 316, 4, WHOLE],
  ['of a list', partners, 0, undefined, 316, 1, WHOLE],
  ['of a list, of which the first 10 have no', partners, 10, 200, 169, 3, SPENT],
  ['of typed accounts', partnersOfTyped, 0, 78, 0, 0, SPENT],
  ['of typed accounts', partnersOfTyped, 0, 79, 40, 1, SPENT],
  ['of typed accounts', partnersOfTyped, 0, 316, 316, 4, WHOLE],
])(
  'never passes Max Credits for the partners %s (%#)',
  async (_what, fetch, partnersFrom, limit, paid, lookups, found) => {
    const { poll, service, state } = await start({ partnersFrom });
    state.rows = companies(0, 79);

    expect(await poll(fetch, limit)).toEqual({ found, charged: paid, counted: paid });
    expect(service.received.filter(({ body }) => body !== '')).toHaveLength(lookups);
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

it.each([
  ['is outgrown by 40 new users, with 30 removed', 500, 40, 30, 1, undefined],
  ['is outgrown by 150 new users, with 10 removed', 500, 150, 10, 1, undefined],
  ['covers 20 new users, with 30 removed', 500, 20, 30, 490, 20],
  // Max Credits was lowered since the last poll: users that were paid are told.
  ['is lowered, and 40 users are new, with 30 removed', 499, 40, 30, 64, 40],
  ['is lowered, and more users are new than it covers', 100, 600, 0, 100, 100],
  ['is lowered, and one user is new', 100, 1, 0, 4, 1],
  ['is lowered, and one user is removed', 100, 0, 1, 1, undefined],
])(
  'charges one row, or tells the new users, when Max Credits %s',
  async (_what, limit, came, went, paid, told) => {
    const { poll, state } = await start();
    state.rows = companies(0, 500);
    const earlier = (await poll(users)).found as PreviousSnapshot;
    state.rows = companies(-came, 500 - went);
    const { found, ...credits } = await poll(users, limit, earlier);

    expect(credits).toEqual({ charged: paid, counted: paid });
    if (told === undefined) expect(found).toContain(`users: Max Credits (${String(limit)})`);
    else {
      const { changes } = found as PollDiff;
      expect(changes.filter(({ event }) => event === 'startedUsing')).toHaveLength(told);
    }
  },
);

const numbered = (fields: (name: string) => object) =>
  Array.from({ length: 3 }, (_one, index) => fields(`c${String(index)}`));

it.each([
  ['members', members, 'members has a slug or a domain', 'title, city'],
  ['users', users, 'users has a slug or a domain', 'title'],
  ['accounts', accounts, 'members has a domain', 'slug'],
] as const)(
  'fails with the fields of %s that it cannot compare',
  async (_what, fetch, lack, names) => {
    const { poll, state } = await start();
    const withValue = (value: string) =>
      Object.fromEntries(names.split(', ').map((name) => [name, value]));
    Object.assign(state, { rows: numbered(withValue) });

    const { found } = await poll(fetch);
    expect(found).toMatch(new RegExp(`None of the 3 ${lack}; their fields are ${names}$`));
    state.rows = [];
    expect((await poll(fetch)).found).toMatchObject({ table: [] });
  },
);

it.each<[string, (name: string) => object]>([
  ['company_domain', (name) => ({ company_domain: `${name}.com` })],
  ['website', (name) => ({ website: `https://www.${name}.com/about` })],
  ['company.website', (name) => ({ company: { website: `${name}.com` } })],
  ['company_slug', (name) => ({ company_slug: name })],
])('compares members under %s', async (field, fields) => {
  const { poll, state } = await start();
  Object.assign(state, { rows: numbered(fields) });
  const name = field.endsWith('slug') ? { slug: 'c0' } : { domain: 'c0.com' };

  const { table, changes } = (await poll(members)).found as PollDiff;
  expect([table[0], table.length]).toEqual([name, 3]);
  expect(changes[0]?.facts).toMatchObject(name);
});

it('takes a tier in another case for the same tier', async () => {
  const { poll, service } = await start();
  service.answer(json({ members: [{ slug: 'a', tier: 'HIGH' }], high_count: 1 }));
  const { found } = await poll(members, undefined, { table: [{ slug: 'a', tier: 'high' }] });
  expect(found).toMatchObject({ changes: [] });
});
