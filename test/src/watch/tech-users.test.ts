/**
 * Tests that a poll for users reads few rows and misses no change that order and total can show.
 */
import fc from 'fast-check';

import type { Row } from '../../../src/run/responses/rows';
import type { Page } from '../../../src/run/responses/page';
import type { RowRange } from '../../../src/run/listing/listing';
import { CreditBudget } from '../../../src/run/credit-budget';
import type { Run } from '../../../src/run/run';
import type { PreviousSnapshot } from '../../../src/watch/change';
import { packSnapshot, unpackSnapshot } from '../../../src/watch/snapshot';
import { diffUsers, fetchUsersDiff } from '../../../src/watch/tech-users';
import { toSnapshot } from '../../../src/watch/entities';
import type { User, WatchedUsers } from '../../../src/watch/users';

const DAY = 24 * 60 * 60;

const watched: WatchedUsers = {
  used: { by: 'technology', techKey: 'tracker' },
  filters: { industry: [], country: [], employee_range: [] },
  withFirmographics: false,
  gapDays: 30,
  maxGonePercent: 100,
};

/** The date of the latest evidence for each company, in days. */
type World = Readonly<Record<string, number>>;

/** Returns a run that reads the companies in the order of the service, and counts what it reads. */
function readerOf(world: World) {
  const rows: Row[] = Object.entries(world)
    .sort(([a, days], [b, more]) => more - days || (a < b ? -1 : 1))
    .map(([slug, days]) => ({
      slug,
      primary_domain: `${slug}.com`,
      last_seen_at: new Date(days * DAY * 1000).toISOString(),
    }));
  const read = { rows: 0, requests: 0 };
  const pages = async function* ({ wanted, skip = 0 }: RowRange): AsyncGenerator<Page> {
    await Promise.resolve();
    const page = rows.slice(skip, wanted === undefined ? undefined : skip + wanted);
    read.rows += page.length;
    read.requests += 1;
    const pagination = { limit: wanted, totalResults: rows.length, hasNext: undefined };
    yield { rows: page, context: {}, pagination };
  };
  return { run: { readPages: pages, credits: new CreditBudget() } as unknown as Run, read };
}

const users = (world: World): ReadonlyMap<string, User> =>
  new Map(
    Object.entries(world).map(([slug, days]) => [
      `slug:${slug}`,
      { domain: `${slug}.com`, lastSeen: days * DAY, isWanted: true },
    ]),
  );

/** Changes to a few companies between two polls. Evidence only gets newer. */
const step = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  fc.oneof(fc.constant('gone' as const), fc.constant('seen' as const)),
);
const history = fc
  .array(fc.tuple(step, fc.integer({ min: 1, max: 60 })), { maxLength: 15 })
  .map((steps) => {
    let world: World = { a: 20_000, b: 20_000 };
    let day = 20_000;
    return steps.map(([what, days]) => {
      day += days;
      const left = Object.entries(world).filter(([slug]) => what[slug] !== 'gone');
      const seen = Object.keys(what).filter((slug) => what[slug] === 'seen');
      world = Object.fromEntries([...left, ...seen.map((slug) => [slug, day] as const)]);
      return { world, readAt: day * DAY * 1000 };
    });
  });

it('reports exactly the changes between two polls, however few rows it reads', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (worlds) => {
      let earlier: PreviousSnapshot | undefined;
      let before: World = {};
      for (const { world, readAt } of worlds) {
        const { run } = readerOf(world);
        const sight = await fetchUsersDiff(run, watched, earlier);
        const table = (await unpackSnapshot(await packSnapshot(sight.now))) ?? new Map();
        expect(table).toEqual(users(world));
        const brief = (changes: typeof sight.changes) =>
          changes.map(({ event, id }) => `${event} ${id}`).sort();
        expect(brief(sight.changes)).toEqual(
          brief(
            diffUsers(users(before), users(world), {
              gapDays: watched.gapDays,
              readAt: earlier?.readAt ?? 0,
            }),
          ),
        );
        // A minor diff may stay unsaved, so it must not add or remove users.
        if (sight.isMinor === true) {
          expect(Object.keys(world).sort()).toEqual(Object.keys(before).sort());
        }
        earlier = { table, readAt };
        before = world;
      }
    }),
  );
}, 60_000);

it.each([
  ['no new users', {}, 100],
  ['one new user', { new: 21_000 }, 100],
  [
    '150 new users',
    Object.fromEntries(Array.from({ length: 150 }, (_one, index) => [`n${String(index)}`, 21_000])),
    200,
  ],
])('of 1,000 users reads only the first pages for %s', async (_title, more: World, most) => {
  const world: World = Object.fromEntries(
    Array.from({ length: 1000 }, (_one, index) => [`u${String(index)}`, 10_000 + index]),
  );
  const before = { table: toSnapshot(users(world)), readAt: 0 };
  const { run, read } = readerOf({ ...world, ...more });
  const { changes } = await fetchUsersDiff(run, watched, before);

  expect(changes).toHaveLength(Object.keys(more).length);
  expect(read.rows).toBe(most);
});

it('compares more users than a function call can have arguments', async () => {
  const world: World = Object.fromEntries(
    Array.from({ length: 200_000 }, (_one, index) => [`u${String(index)}`, 10_000]),
  );
  const { run, read } = readerOf({ ...world, new: 10_001 });
  // The snapshot already holds one newer date, so the first page suffices.
  const before = { table: toSnapshot(users({ ...world, new: 10_000.5 })), readAt: 0 };
  const { changes } = await fetchUsersDiff(run, watched, before);

  expect(changes).toEqual([]);
  expect(read.rows).toBe(100);
});

it('reads the whole list if the total shows that a user left', async () => {
  const world: World = Object.fromEntries(
    Array.from({ length: 300 }, (_one, index) => [`u${String(index)}`, 10_000 + index]),
  );
  const left = Object.fromEntries(Object.entries(world).filter(([slug]) => slug !== 'u0'));
  const { run, read } = readerOf(left);
  const before = { table: toSnapshot(users(world)), readAt: 0 };
  const { changes } = await fetchUsersDiff(run, watched, before);

  expect(changes).toEqual([expect.objectContaining({ event: 'noLongerListed', id: 'slug:u0' })]);
  expect(read.rows).toBe(100 + 299);
});

it.each([
  ['a gap that the last poll saw', 100, 95, ['seenAgain slug:a']],
  ['a gap that was still too short at the last poll', 100, 20, []],
  ['a gap that was just long enough at the last poll', 100, 31, ['seenAgain slug:a']],
  ['no gap', 20, 19, []],
])('reports a company as seen again, or not, after %s', (_title, seen, readOn, events) => {
  const gap = { gapDays: 30, readAt: readOn * DAY * 1000 };
  const changes = diffUsers(users({ a: 1 }), users({ a: seen }), gap);

  expect(changes.map(({ event, id }) => `${event} ${id}`)).toEqual(events);
});
