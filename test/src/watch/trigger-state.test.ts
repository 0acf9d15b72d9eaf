/**
 * Tests that saved state can be restored, or the note says why not, that no important change stays
 * unsaved, and that a change has one id.
 */
import fc from 'fast-check';

import { packSnapshot } from '../../../src/watch/trigger-state';
import {
  makeChangeId,
  nextTriggerState,
  parseTriggerState,
  toScope,
  serializeTriggerState,
  withSnapshot,
  type TriggerState,
} from '../../../src/watch/trigger-state';

const scope = toScope('lst_1', ['k', 'all']);
const table = [{ slug: 'a', tier: 'high' }];
const stored = async (): Promise<TriggerState> => ({
  version: 1,
  scope,
  readAt: 5,
  savedAt: 4,
  missing: 1,
  newestEvidence: 3,
  table: await packSnapshot(table),
});

it('restores a stored state unchanged', async () => {
  const state = await stored();
  const loaded = { last: state };

  expect(parseTriggerState(serializeTriggerState(state), scope)).toEqual(loaded);
  const earlier = { table, missing: 1, newestEvidence: 3 };
  expect(await withSnapshot(loaded)).toEqual({ ...loaded, earlier });
});

it('stores neither the API key nor what is watched as plain text', async () => {
  const state = { ...(await stored()), scope: toScope('lst_secret', 'ci_secret') };

  expect(serializeTriggerState(state)).not.toContain('secret');
});

it('starts over, and says so, when the stored text or its table is damaged', async () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.jsonValue(), fc.json()), (damaged) => {
      const { last, startOverReason } = parseTriggerState(damaged, scope);
      expect([last, startOverReason === undefined]).toEqual([undefined, damaged === null]);
    }),
  );
  for (const rest of [{}, { table: '' }, { scope: {} }, { scope: null, table: '' }]) {
    const text = JSON.stringify({ version: 1, ...rest });
    expect(parseTriggerState(text, scope).startOverReason).toBeDefined();
  }
  expect(parseTriggerState(undefined, scope)).toEqual({});
  const state = await stored();
  const startOverReason = expect.stringContaining('cannot be read') as string;
  for (const packed of [state.table.slice(4), '', 'AAAA', 'not base64 at all', '{}']) {
    const last = { ...state, table: packed };
    expect(await withSnapshot({ last })).toEqual({ startOverReason, isOfSame: true });
  }
});

it.each([
  ['changes were emitted', { emitted: 1 }, {}, true],
  ['something changed without being emitted', {}, { table: [{ slug: 'b' }] }, true],
  ['another number of rows is missing', {}, { missing: 2 }, true],
  ['nothing changed', {}, {}, false],
  ['only the evidence is newer', {}, { newestEvidence: 9 }, false],
])('saves the state, or not, when %s', async (_what, completed, change, mustSave) => {
  const diff = { table, missing: 1, newestEvidence: 3, ...change };
  const poll = { scope, readAt: 10, emitted: 0, note: 'why', ...completed };
  const after = await nextTriggerState(await stored(), diff, poll);

  expect(after.mustSave).toBe(mustSave);
  expect(after.state).toMatchObject({ readAt: 10, savedAt: mustSave ? 10 : 4 });
  expect(after.state.note).toBe(poll.emitted > 0 ? undefined : 'why');
  const { earlier } = await withSnapshot({ last: after.state });
  expect(earlier).toEqual(diff);
});

it('gives a change the same id until the state is saved, and another id than any other change', () => {
  const change = { event: 'added', id: 'a' };
  const id = makeChangeId(scope, 4, change);
  const others = [
    makeChangeId(scope, 10, change),
    makeChangeId(toScope('lst_2', ['k', 'all']), 4, change),
    makeChangeId(scope, 4, { ...change, event: 'removed' }),
    makeChangeId(scope, 4, { ...change, id: 'b' }),
  ];

  expect(makeChangeId(scope, 4, { ...change })).toBe(id);
  expect(new Set([id, ...others]).size).toBe(5);
});
