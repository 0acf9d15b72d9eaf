/** Tests that replaying the changes of any history of a list reproduces each state. */
import fc from 'fast-check';

import { diffMembers, fetchMembersDiff } from '../../../src/watch/list-members';
import type { Row } from '../../../src/run/responses/rows';
import type { Run } from '../../../src/run/run';
import { makeChangeId } from '../../../src/watch/trigger-state';
import { packSnapshot, unpackSnapshot, type Snapshot } from '../../../src/watch/snapshot';

const TIERS = ['high', 'medium', 'exploratory'];

/**
 * A possible state of a list. It draws from four
 * companies, so that companies return after a removal.
 */
const anyState = fc
  .dictionary(
    fc.constantFrom('slug:a', 'slug:b', 'slug:c', 'company_id:7'),
    fc.constantFrom(...TIERS),
  )
  .map(
    (tiers) =>
      new Map(
        Object.entries(tiers).map(([id, tier]) => [id, { domain: `${id}.com`, tier, name: '' }]),
      ),
  );

const NOTHING = new Map<string, never>();

it('reports exactly the changes between two states', () => {
  fc.assert(
    fc.property(fc.array(anyState, { maxLength: 12 }), (history) => {
      const replayed = new Map<string, unknown>();
      for (const [index, now] of history.entries()) {
        for (const { event, id, facts } of diffMembers(history[index - 1] ?? NOTHING, now)) {
          // Every change adds something: no event repeats what an earlier one reported.
          if (event === 'added') expect(replayed.has(id)).toBe(false);
          else expect(replayed.has(id)).toBe(true);
          if (event === 'tierChanged') {
            expect(facts['previous_tier']).toBe(replayed.get(id));
            expect(facts['tier']).not.toBe(replayed.get(id));
          }
          if (event === 'removed') replayed.delete(id);
          else replayed.set(id, facts['tier']);
        }
        expect(replayed).toEqual(new Map(Array.from(now, ([id, { tier }]) => [id, tier])));
      }
    }),
  );
}, 60_000);

it('creates a unique ID for every change, and the same IDs in a repeated poll', () => {
  fc.assert(
    fc.property(fc.array(anyState, { maxLength: 12 }), (history) => {
      const ids = history.flatMap((now, revision) => {
        const before = history[revision - 1] ?? NOTHING;
        const poll = () =>
          diffMembers(before, now).map((change) =>
            makeChangeId('a list', { since: 'then', revision }, change),
          );
        expect(poll()).toEqual(poll());
        return poll();
      });
      expect(new Set(ids).size).toBe(ids.length);
    }),
  );
});

const run = (rows: readonly Row[], totalResults?: number) =>
  ({
    async *readPages() {
      await Promise.resolve();
      yield { rows, context: {}, pagination: { limit: 1000, totalResults, hasNext: undefined } };
      yield { rows: [], context: {}, pagination: { limit: 1000, totalResults: 0, hasNext: false } };
    },
  }) as unknown as Run;
const look = async (rows: readonly Row[], before?: Snapshot, total = rows.length, odd = 0) =>
  await fetchMembersDiff(
    run(rows, total),
    { listId: 'x', tier: 'high', maxGonePercent: 100 },
    before && { table: before, readAt: 0, odd },
  );

/** A row of a company with some of its IDs; it may lack a tier. */
const member = (index: number) =>
  fc.record(
    {
      company_id: fc.constantFrom(index + 1, 0, 2 ** 60),
      slug: fc.constantFrom(`s${String(index)}`, ''),
      primary_domain: fc.constant(`c${String(index)}.com`),
      tier: fc.constantFrom('high', '', null),
    },
    { requiredKeys: ['primary_domain'] },
  );

it('recognizes a company by any of its IDs, and keeps the tier if a poll lacks it', async () => {
  const state = fc.tuple(member(0), member(1), member(2));
  await fc.assert(
    fc.asyncProperty(fc.array(state, { minLength: 2, maxLength: 6 }), async (states) => {
      let before: Snapshot | undefined;
      for (const rows of states) {
        const { now, changes } = await look(rows, before);
        if (before !== undefined) expect(changes).toEqual([]);
        const text = await packSnapshot(now);
        before = await unpackSnapshot(text);
        // The same rows in another order must not change the saved text.
        expect(await packSnapshot((await look([...rows].reverse(), before)).now)).toBe(text);
      }
    }),
  );
});

it('throws when the list is incomplete, even with a tier filter', async () => {
  await expect(look([{ slug: 'a' }], new Map(), 3)).rejects.toThrow('only 1 of 3 members arrived');
});

describe('rows that cannot be compared', () => {
  const company = (name: string): Row => ({ slug: name, tier: 'high' });
  const eventsOf = ({ changes }: Awaited<ReturnType<typeof look>>) =>
    changes.map(({ event, id }) => [event, id]);

  it('are skipped with a warning, and the rest is compared', async () => {
    const rows = [company('a'), company('b'), { name: 'without an id' }, company('a')];
    const first = await look(rows);
    const later = await look([company('a'), { name: 'without an id' }], first.now, 2, first.odd);

    expect(first.note).toBe('Not compared among the members: 1 without an id, 1 returned twice');
    expect(eventsOf(later)).toEqual([['removed', 'slug:b']]);
  });

  it('keep a missing member from counting as removed, because it may be one of them', async () => {
    const first = await look([company('a'), company('b')]);
    const hidden = await look([company('a'), { name: 'b' }], first.now);
    const again = await look([company('a'), { name: 'b' }], hidden.now, 2, hidden.odd);
    const gone = await look([company('a')], again.now, 1, again.odd);

    expect([eventsOf(hidden), eventsOf(again)]).toEqual([[], []]);
    expect(eventsOf(gone)).toEqual([['removed', 'slug:b']]);
  });
});

it.each([
  [{ domain: 'acme.com' }, 'www.acme.com', 'high'],
  [{ domain: 'acme.com' }, 'ACME.com.', 'High'],
  [{ domain: 'acme.com' }, 'acme.com', 'HIGH'],
  [{ primary_domain: 'müller.de' }, 'xn--mller-kva.de', 'high'],
])(
  'recognizes the member %j when it is sent as %s with the tier %s',
  async (known, domain, tier) => {
    const { now } = await look([{ ...known, tier: 'high' }]);

    expect((await look([{ domain, tier }], now)).changes).toEqual([]);
  },
);
