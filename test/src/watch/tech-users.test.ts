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

const firstOf = (count: number): number[] => [...Array(count).keys()];

/** The date of the latest evidence for each company, in days. */
type State = Readonly<Record<string, number>>;

/** Returns a run that reads the companies in the order of the service, and counts what it reads. */
function readerOf(state: State) {
  const rows: Row[] = Object.entries(state)
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

const users = (state: State): ReadonlyMap<string, User> =>
  new Map(
    Object.entries(state).map(([slug, days]) => [
      `slug:${slug}`,
      { domain: `${slug}.com`, lastSeen: days * DAY, isWanted: true },
    ]),
  );

const namesOf = (changes: ReadonlyArray<{ event: string; id: string }>) =>
  changes.map(({ event, id }) => `${event} ${id}`);

/** Returns a state of this many users, with the day of the evidence for each. */
const manyUsers = (count: number, day: (index: number) => number): State =>
  Object.fromEntries(firstOf(count).map((index) => [`u${index}`, day(index)]));

/** Polls a list of users in `state` after the snapshot of `before`. */
async function poll(before: State, state: State) {
  const { run, read } = readerOf(state);
  const earlier = { table: toSnapshot(users(before)), readAt: 0 };
  const { changes } = await fetchUsersDiff(run, watched, earlier);
  return { changes, read };
}

/** Changes to a few companies between two polls. Evidence only gets newer. */
const step = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  fc.oneof(fc.constant('gone' as const), fc.constant('seen' as const)),
);
const history = fc
  .array(fc.tuple(step, fc.integer({ min: 1, max: 60 })), { maxLength: 15 })
  .map((steps) => {
    let state: State = { a: 20_000, b: 20_000 };
    let day = 20_000;
    return steps.map(([what, days]) => {
      day += days;
      const left = Object.entries(state).filter(([slug]) => what[slug] !== 'gone');
      const seen = Object.keys(what).filter((slug) => what[slug] === 'seen');
      state = Object.fromEntries([...left, ...seen.map((slug) => [slug, day] as const)]);
      return { state, readAt: day * DAY * 1000 };
    });
  });

it('reports exactly the changes between two polls, however few rows it reads', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (polls) => {
      let earlier: PreviousSnapshot | undefined;
      let before: State = {};
      for (const { state, readAt } of polls) {
        const { run } = readerOf(state);
        const sight = await fetchUsersDiff(run, watched, earlier);
        const table = (await unpackSnapshot(await packSnapshot(sight.now))) ?? new Map();
        expect(table).toEqual(users(state));
        const gap = { gapDays: watched.gapDays, readAt: earlier?.readAt ?? 0 };
        expect(namesOf(sight.changes).sort()).toEqual(
          namesOf(diffUsers(users(before), users(state), gap)).sort(),
        );
        // A minor diff may stay unsaved, so it must not add or remove users.
        if (sight.isMinor === true) {
          expect(Object.keys(state).sort()).toEqual(Object.keys(before).sort());
        }
        earlier = { table, readAt };
        before = state;
      }
    }),
  );
}, 60_000);

it.each([
  ['no new users', 0, 100],
  ['one new user', 1, 100],
  ['150 new users', 150, 200],
])('of 1,000 users reads only the first pages for %s', async (_title, count, most) => {
  const before = manyUsers(1000, (index) => 10_000 + index);
  const added = Object.fromEntries(firstOf(count).map((index) => [`n${index}`, 21_000]));
  const { changes, read } = await poll(before, { ...before, ...added });

  expect(changes).toHaveLength(count);
  expect(read.rows).toBe(most);
});

it('compares more users than a function call can have arguments', async () => {
  const state = manyUsers(200_000, () => 10_000);
  // The snapshot already holds one newer date, so the first page suffices.
  const { changes, read } = await poll({ ...state, new: 10_000.5 }, { ...state, new: 10_001 });

  expect(changes).toEqual([]);
  expect(read.rows).toBe(100);
});

it('reads the whole list if the total shows that a user left', async () => {
  const { u0, ...others } = manyUsers(300, (index) => 10_000 + index);
  const { changes, read } = await poll({ u0: u0!, ...others }, others);

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

  expect(namesOf(diffUsers(users({ a: 1 }), users({ a: seen }), gap))).toEqual(events);
});
