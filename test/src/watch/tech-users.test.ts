/**
 * Tests that a poll for users reads few rows and misses no change that order and total can show.
 */
import fc from 'fast-check';

import type { Row } from '../../../src/values/json';
import type { Page } from '../../../src/run/responses/page';
import type { RowRange } from '../../../src/run/listing/listing';
import { CreditBudget } from '../../../src/run/run-guards';
import type { Run } from '../../../src/run/run';
import type { PreviousSnapshot } from '../../../src/watch/change';
import { fetchUsersDiff } from '../../../src/watch/tech-users';

const DAY = 24 * 60 * 60 * 1000;

const watched = {
  used: { by: 'technology', techKey: 'tracker' },
  withFirmographics: false,
} as const;

const firstOf = (count: number): number[] => [...Array(count).keys()];

/** The date of the latest evidence for each company, in days. */
type State = Readonly<Record<string, number>>;

function readerOf(state: State) {
  const rows: Row[] = Object.entries(state)
    .sort(([a, days], [b, more]) => more - days || (a < b ? -1 : 1))
    .map(([slug, days]) => ({
      slug,
      primary_domain: `${slug}.com`,
      ...(Number.isNaN(days) ? {} : { last_seen_at: new Date(days * DAY).toISOString() }),
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

const namesOf = (changes: ReadonlyArray<{ event: string; id: string }>) =>
  changes.map(({ event, id }) => `${event} ${id}`);

const manyUsers = (count: number, day: (index: number) => number): State =>
  Object.fromEntries(firstOf(count).map((index) => [`u${index}`, day(index)]));

async function poll(before: State, state: State) {
  const earlier = await fetchUsersDiff(readerOf(before).run, watched, undefined);
  const { run, read } = readerOf(state);
  const { changes } = await fetchUsersDiff(run, watched, earlier);
  return { changes, read };
}

/** Changes to a few companies between two polls. Evidence only gets newer. */
const step = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  fc.constantFrom('gone', 'seen'),
);

it('reports exactly the changes between two polls, however few rows it reads', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      let earlier: PreviousSnapshot | undefined;
      let before: State = {};
      for (const [day, what] of steps.entries()) {
        const left = Object.entries(before).filter(([slug]) => what[slug] !== 'gone');
        const seen = Object.keys(what).filter((slug) => what[slug] === 'seen');
        const state: State = Object.fromEntries([...left, ...seen.map((slug) => [slug, day + 1])]);
        const { changes, ...saved } = await fetchUsersDiff(readerOf(state).run, watched, earlier);
        const events = [
          ...Object.keys(state).map((slug) => (slug in before ? '' : `startedUsing ${slug}`)),
          ...Object.keys(before).map((slug) => (slug in state ? '' : `noLongerListed ${slug}`)),
        ];
        expect(namesOf(changes).sort()).toEqual(events.filter((one) => one !== '').sort());
        earlier = JSON.parse(JSON.stringify(saved)) as PreviousSnapshot;
        before = state;
      }
    }),
  );
});

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
  const { changes, read } = await poll({ ...state, new: 10_000.5 }, { ...state, new: 10_001 });

  expect(changes).toEqual([]);
  expect(read.rows).toBe(100);
});

it('reads the whole list when the rows are not in the order of their evidence', async () => {
  const before = manyUsers(300, (index) => 10_000 + index);
  const { changes, read } = await poll(before, { ...before, new: NaN });

  expect(namesOf(changes)).toEqual(['startedUsing new']);
  expect(read.rows).toBeGreaterThan(300);
});
