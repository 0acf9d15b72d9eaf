/**
 * Tests that saved state can be restored, or the note says
 * why not, and that no important change stays unsaved.
 */
import fc from 'fast-check';

import { packSnapshot } from '../../../src/watch/snapshot';
import {
  nextTriggerState,
  parseTriggerState,
  toScope,
  serializeTriggerState,
  withSnapshot,
  type TriggerState,
} from '../../../src/watch/trigger-state';

const scope = toScope({ list: 'lst_1', filters: 'all', key: 'k' });
const about = { scope, since: '2026-01-01T00:00:00.000Z', revision: 3, readAt: 5, savedAt: 4 };
const table = new Map([['slug:a', ['a.com', 'high']]]);
const memory = async (): Promise<TriggerState> => ({
  ...about,
  version: 1,
  rows: table.size,
  table: await packSnapshot(table),
});

it('restores a stored state unchanged', async () => {
  const state = await memory();

  const recalled = { last: state, isOfSame: true };

  expect(parseTriggerState(serializeTriggerState(state), scope)).toEqual(recalled);
  expect(await withSnapshot(recalled)).toEqual({ ...recalled, earlier: { table, readAt: 5 } });
});

it('stores neither the API key nor what is watched as plain text', async () => {
  const stored = serializeTriggerState({
    ...(await memory()),
    scope: toScope({ list: 'lst_secret', key: 'ci_secret' }),
  });

  expect(stored).not.toContain('secret');
});

it.each([
  [{ list: 'lst_2', filters: 'all', key: 'k' }, 'the list changed', false],
  [{ list: 'lst_1', filters: 'high', key: 'other' }, 'the filters and the key changed', true],
  [{ technology: 'x', key: 'k' }, 'the technology and the list and the filters changed', false],
])('names the parameters that changed: %j', async (parts, over, isOfSame) => {
  expect(parseTriggerState(serializeTriggerState(await memory()), toScope(parts))).toEqual({
    over,
    isOfSame,
  });
});

it.each([{}, { table: '' }, { scope: {} }, { scope: null, table: '' }])(
  'reports a problem when the stored state lacks a part (%j)',
  (rest) => {
    expect(parseTriggerState(JSON.stringify({ version: 1, ...rest }), scope).over).toBeDefined();
  },
);

it('reports a problem for any other stored value, but not for null or undefined', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.jsonValue(), fc.json()), (stored) => {
      const { last, over } = parseTriggerState(stored, scope);
      expect([last, over === undefined]).toEqual([undefined, stored === null]);
    }),
  );
  expect(parseTriggerState(undefined, scope)).toEqual({ isOfSame: false });
});

it('reports that a damaged snapshot cannot be read', async () => {
  const state = await memory();
  for (const damage of [{ rows: 2 }, { table: state.table.slice(4) }]) {
    const recalled = await withSnapshot({ last: { ...state, ...damage }, isOfSame: true });

    expect(recalled).toEqual({ over: expect.stringContaining('cannot be read'), isOfSame: true });
  }
});

describe('saving the state immediately', () => {
  const DAY = 24 * 60 * 60_000;
  const fresh = { isOfSame: false };
  const startedOver = { over: 'why', isOfSame: true };
  const known = async () => await withSnapshot({ last: await memory(), isOfSame: true });
  const other = new Map([['slug:b', ['b.com', 'high']]]);

  const minor = { now: other, isMinor: true };

  it.each([
    ['is required when changes were emitted', known, { now: table }, 1, 0, true],
    ['is not required for a new watch', fresh, { now: table }, 0, 0, false],
    ['is not required for a new watch that emitted all', fresh, { now: table }, 1, 0, false],
    ['is required when a watch started over', startedOver, { now: table }, 0, 0, true],
    ['is required when something changed without being emitted', known, { now: other }, 0, 0, true],
    ['is not required when nothing changed', known, { now: table }, 0, 2 * DAY, false],
    ['is not required when only the evidence is newer', known, minor, 0, DAY / 2, false],
    [
      'is required when only the evidence is newer, a day after the last save',
      known,
      minor,
      0,
      2 * DAY,
      true,
    ],
  ] as const)('%s', async (_title, before, sight, emitted, now, mustSave) => {
    const recalled = typeof before === 'function' ? await before() : before;
    const polled = { scope, now, emitted, note: undefined };
    const after = await nextTriggerState(recalled, { changes: [], ...sight }, polled);

    expect(after.mustSave).toBe(mustSave);
    const isSaved = mustSave || recalled === fresh;
    expect(after.state).toMatchObject({
      scope,
      readAt: now,
      savedAt: isSaved ? now : 4,
      revision: (recalled === fresh || !('last' in recalled) ? 0 : 3) + (isSaved ? 1 : 0),
    });
    expect((await withSnapshot({ last: after.state, isOfSame: true })).earlier?.table).toEqual(
      sight.now,
    );
  });
});
