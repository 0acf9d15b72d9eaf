/**
 * Tests lists with the irregularities of real services.
 * They must not count as changes or stop a trigger.
 */
import { Client } from '../../../src/client/client';
import { Run } from '../../../src/run/run';
import { fetchAccountsDiff, type WatchedAccounts } from '../../../src/watch/account-changes';
import type { PreviousSnapshot, PollDiff } from '../../../src/watch/change';
import { fetchMembersDiff } from '../../../src/watch/list-members';
import { fetchUsersDiff } from '../../../src/watch/tech-users';
import type { WatchedUsers } from '../../../src/watch/users';
import { settingsFor } from '../client/support/client';
import { json, TestService, type Received } from '../client/support/service';
import { QUICK } from '../client/support/timing';

afterAll(TestService.stopAll);

type Row = Record<string, unknown>;

/** How the simulated service sends a list. */
interface Sends {
  readonly rows: readonly Row[];
  /** Fields next to the rows in the response; none by default. */
  readonly beside?: Row;
  /** Maximum rows per page. */
  readonly most?: number;
  /** The service refuses the page that begins at this row. */
  readonly refusesAt?: number;
  /** Every page is the first one. */
  readonly ignoresOffset?: boolean;
}

const named = (name: string): Row => ({
  slug: name,
  primary_domain: `${name}.com`,
  tier: 'high',
  last_seen_at: '2026-01-01T00:00:00Z',
});
const companies = (count: number): Row[] =>
  Array.from({ length: count }, (_one, index) => named(`c${String(index)}`));

/** Returns a page by `offset` (list members) or by `page` (users of a technology). */
function pageOf(
  { url }: Received,
  { rows, most = 1000, ignoresOffset }: Sends,
): { from: number; page: Row[] } {
  const { searchParams } = new URL(url, 'http://localhost');
  const limit = Math.min(most, Number(searchParams.get('limit')));
  const from = Number(searchParams.get('offset') ?? (Number(searchParams.get('page')) - 1) * limit);
  const start = ignoresOffset === true ? 0 : from;
  return { from, page: rows.slice(start, start + limit) };
}

/** Watches a list; each poll defines what the service sends. */
async function watch(
  look: (run: Run, earlier: PreviousSnapshot | undefined) => Promise<PollDiff>,
  rowsAs: string,
) {
  const service = await TestService.start();
  const settings = settingsFor(service);
  let earlier: PreviousSnapshot | undefined;
  return {
    service,
    poll: async (sends: Sends) => {
      service.answer((request, response) => {
        if (request.method === 'POST') {
          const { domains } = JSON.parse(request.body) as { domains: string[] };
          const data = domains.map((domain) => ({ domain, status: 'tracked', technologies: [] }));
          json({ data })(request, response);
          return;
        }
        const { from, page } = pageOf(request, sends);
        if (from === sends.refusesAt) json({ message: 'No' }, 422)(request, response);
        else json({ [rowsAs]: page, ...sends.beside })(request, response);
      });
      const client = Client.open(settings, QUICK);
      const { changes, note, ...state } = await look(new Run(client), earlier);
      earlier = JSON.parse(JSON.stringify(state)) as PreviousSnapshot;
      return { changes: changes.map(({ event, id }) => `${event} ${id}`), note };
    },
    known: () => earlier?.table ?? [],
  };
}

const members = async () =>
  await watch(
    async (run, earlier) => await fetchMembersDiff(run, { listId: 'x', tier: undefined }, earlier),
    'members',
  );

const watchedUsers: WatchedUsers = {
  used: { by: 'technology', techKey: 'x' },
  withFirmographics: false,
};
const users = async () =>
  await watch(async (run, earlier) => await fetchUsersDiff(run, watchedUsers, earlier), 'data');

const incomplete = { code: 'list_incomplete' };

const beside = (of: 'members' | 'users', total: number): Row =>
  of === 'members' ? { total_count: total } : { pagination: { total_results: total } };

describe.each([
  ['members', members, 'removed c3', 'added new'],
  ['users', users, 'noLongerListed c3', 'startedUsing new'],
] as const)('watching %s', (of, start, gone, came) => {
  const without = (name: string) => companies(100).filter(({ slug }) => slug !== name);

  it('reports a missing row as removed only when the total no longer includes it', async () => {
    const { poll } = await start();
    const rows = without('c3');
    await poll({ rows: companies(100), beside: beside(of, 100) });
    const missed = await poll({ rows, beside: beside(of, 100) });
    const again = await poll({ rows: companies(100), beside: beside(of, 100) });
    const left = await poll({ rows, beside: beside(of, 99) });

    expect([missed.changes, again.changes, left.changes]).toEqual([[], [], [gone]]);
    // From here on, the total is one too high.
    const more = await poll({ rows: [named('new'), ...rows], beside: beside(of, 101) });
    const fewer = await poll({ rows, beside: beside(of, 100) });

    expect(more).toMatchObject({ changes: [came] });
    expect(more.note).toContain('1 of 101 did not arrive');
    expect(fewer).toMatchObject({ changes: [gone.replace('c3', 'new')] });
  });

  it('throws list_incomplete when more rows are missing', async () => {
    const { poll } = await start();
    await poll({ rows: companies(100), beside: beside(of, 100) });

    await expect(poll({ rows: companies(90), beside: beside(of, 100) })).rejects.toMatchObject(
      incomplete,
    );
    await expect(poll({ rows: [], beside: beside(of, 1) })).rejects.toMatchObject(incomplete);
  });
});

it('fails when the service refuses a page after a full one of a list without a total', async () => {
  const { poll } = await members();
  const list = { rows: companies(170), most: 100 };
  await poll(list);

  await expect(poll({ ...list, refusesAt: 100 })).rejects.toMatchObject({ code: 'http_422' });
  expect((await poll(list)).changes).toEqual([]);
});

it.each([
  ['with known IDs', companies(100)],
  ['without known IDs', companies(100).map(({ slug }) => ({ title: slug }))],
])('fails when the service ignores the offset of a list %s', async (_what, rows) => {
  const { poll } = await members();

  await expect(poll({ rows, ignoresOffset: true })).rejects.toMatchObject({
    code: 'paging_ignored',
    message: expect.stringMatching(/more than these 100 rows, but .* the same rows again$/),
    hint: expect.stringContaining("It can't watch this list"),
  });
});

it.each([
  ['too low', 2_500, { total_count: 2_000 }],
  ['0', 2_500, { total_count: 0 }],
  ['capped', 10_500, { total_count: 10_000, capped: true }],
])('reads all members when the total is %s', async (_what, count, said) => {
  const { poll, known } = await members();
  await poll({ rows: companies(count), beside: said });
  const { changes } = await poll({ rows: companies(count).reverse(), beside: said });

  expect([known().length, changes]).toEqual([count, []]);
});

it('keeps watching a missing account while the total of the list still includes it', async () => {
  const watched: WatchedAccounts = {
    accounts: { from: 'list', listId: 'x' },
    events: ['technologyAdopted'],
  };
  const { poll, known } = await watch(
    async (run, earlier) => await fetchAccountsDiff(run, watched, earlier),
    'members',
  );
  await poll({ rows: companies(100), beside: { total_count: 100 } });
  await poll({ rows: companies(99), beside: { total_count: 100 } });
  expect(known()).toHaveLength(100);
  await poll({ rows: companies(99), beside: { total_count: 99 } });
  expect(known()).toHaveLength(99);
});
