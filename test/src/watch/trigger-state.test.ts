/**
 * Tests that saved state can be restored, or the trigger starts over, that no important change stays unsaved, that
 * a change has one ID, and when a poll may read again.
 */
import fc from 'fast-check';

import type { PollDiff } from '../../../src/watch/change';
import {
  isPaused,
  packSnapshot,
  parseTriggerState,
  serializeTriggerState,
  takePollStep,
  toFailedState,
  toScope,
  unpackTriggerState,
  type TriggerState,
} from '../../../src/watch/trigger-state';

const scope = toScope('lst_1', ['https://api.test', 'all']);
const table = [{ slug: 'a', tier: 'high' }];
const earlier = { table, missing: 1, newestEvidence: 3 };
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
  const last = await stored();

  expect(parseTriggerState(serializeTriggerState(last), scope)).toEqual(last);
  expect(await unpackTriggerState(last)).toEqual({ last, earlier, refused: new Set() });
});

it('stores neither the Base URL nor what is watched as plain text', async () => {
  const state = { ...(await stored()), scope: toScope('lst_secret', 'https://secret.test') };

  expect(serializeTriggerState(state)).not.toContain('secret');
});

const AGAIN = { isStartingOver: true };

it.each<[string, unknown, object]>([
  ['there is none yet', undefined, { isStartingOver: false }],
  ['it watches something else', toScope('lst_2', 'x'), { isStartingOver: false }],
  ['the Base URL or the tier is another', toScope('lst_1', 'x'), AGAIN],
  ['the text is empty', '', AGAIN],
  ['another program wrote it', { version: 2, scope, table: 'AA' }, AGAIN],
  ['its scope is missing', { version: 1, table: '' }, AGAIN],
  ['its scope is damaged', { version: 1, scope: {}, table: '' }, AGAIN],
])('begins with a first poll when %s', async (_what, given, expected) => {
  const isScope = given instanceof Object && 'watched' in given;
  const state = isScope ? { ...(await stored()), scope: given } : given;
  const text = typeof state === 'object' ? JSON.stringify(state) : state;

  expect(parseTriggerState(text, scope)).toMatchObject({ readAt: 0, scope, ...expected });
});

it('starts over when the state is lost, or its text or its table is damaged', async () => {
  expect(parseTriggerState(undefined, scope, true)).toMatchObject(AGAIN);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.jsonValue(), fc.json()), (damaged) => {
      const { table: found, isStartingOver } = parseTriggerState(damaged, scope);
      expect([found, isStartingOver]).toEqual([undefined, damaged !== null]);
    }),
  );
  const state = await stored();
  for (const packed of [state.table?.slice(4), '', 'AAAA', 'not base64 at all', '{}']) {
    const { last, earlier: found } = await unpackTriggerState({ ...state, table: packed ?? '' });
    expect([last.isStartingOver, found]).toEqual([true, undefined]);
  }
});

const change = { event: 'added', id: 'a', facts: {} };
const NOW = { startedAt: 10, emitExisting: false, events: new Set(['added']) };
const stepOf = async (state: TriggerState, diff: Partial<PollDiff> = {}, poll = NOW) =>
  await takePollStep(
    await unpackTriggerState(state),
    { ...earlier, changes: [], losses: [], ...diff },
    poll,
  );

it.each<[string, Partial<PollDiff>, boolean, number]>([
  ['changes were emitted', { changes: [change] }, true, 1],
  ['something changed without being emitted', { table: [{ slug: 'b' }] }, true, 0],
  ['another number of rows is missing', { missing: 2 }, true, 0],
  ['nothing changed', { changes: [{ ...change, event: 'removed' }] }, false, 0],
  ['only the evidence is newer', { newestEvidence: 9 }, false, 0],
])('saves the state, or not, when %s', async (_what, diff, mustSave, emitted) => {
  const step = await stepOf(await stored(), diff);

  expect([step.mustSave, step.changes.length]).toEqual([mustSave, emitted]);
  expect(step.state).toMatchObject({ readAt: 10, savedAt: mustSave ? 10 : 4 });
  const { table: entries, missing, newestEvidence } = { ...earlier, ...diff };
  const saved = { table: entries, missing, newestEvidence };
  expect((await unpackTriggerState(step.state)).earlier).toEqual(saved);
});

it.each([
  ['Emit Existing is on', true, undefined, 1],
  ['Emit Existing is off', false, undefined, 0],
  ['the trigger starts over', true, true, 0],
])(
  'emits what a first poll finds, or nothing, when %s',
  async (_what, emitExisting, isStartingOver, emitted) => {
    const state = { ...(await stored()), table: undefined, isStartingOver };
    const step = await stepOf(state, { changes: [change] }, { ...NOW, emitExisting });

    expect([step.changes.length, step.mustSave]).toEqual([emitted, true]);
  },
);

it('gives a change the same ID until the state is saved, and another ID than any other change', async () => {
  const last = await stored();
  const idOf = async (state: TriggerState, one = change) => {
    const events = new Set([one.event]);
    return (await stepOf(state, { changes: [one] }, { ...NOW, events })).changes[0]?.changeId;
  };
  const id = await idOf(last);
  const others = [
    await idOf({ ...last, savedAt: 10 }),
    await idOf({ ...last, scope: toScope('lst_2', ['k', 'all']) }),
    await idOf(last, { ...change, event: 'removed' }),
    await idOf(last, { ...change, id: 'b' }),
  ];

  expect(await idOf({ ...last, readAt: 9 })).toBe(id);
  expect(new Set([id, ...others]).size).toBe(5);
});

it('refuses a large loss until a poll after the refusal finds it again', async () => {
  const last = await stored();
  const ids = Array.from({ length: 12 }, (_one, index) => `c${String(index)}`);
  const losses = [{ what: 'members', before: 12, ids }];
  const failed = await toFailedState(last, 8, { parameters: 'p', refused: new Set(ids) });

  await expect(stepOf(last, { losses })).rejects.toThrow('12 of 12 members would be removed');
  const { state } = await stepOf(failed, { losses });
  expect([failed.table, failed.readAt, state.failed]).toEqual([last.table, 8, undefined]);
});

const MINUTE = 60_000;
const READ = 1_000 * MINUTE;
const FAILED = { parameters: 'p', refused: '' };

it.each<[string, Partial<TriggerState>, number, boolean]>([
  ['a read', {}, READ + 59 * MINUTE, true],
  ['a read', {}, READ + 59.4 * MINUTE, true],
  ['a read, as schedules fire up to 30 s early', {}, READ + 59.5 * MINUTE, false],
  ['a read later than now, as the clock was set back', {}, READ - 1, false],
  ['a failed read with these parameters', { failed: FAILED }, READ + 59 * MINUTE, true],
  [
    'a failed read with others',
    { failed: { ...FAILED, parameters: 'q' } },
    READ + 59 * MINUTE,
    false,
  ],
  ['a poll whose changes n8n stores', { handedOverAt: READ }, READ + MINUTE - 1, true],
  ['a poll whose changes n8n did not store', { handedOverAt: READ }, READ + MINUTE, false],
  ['a poll whose changes n8n stores', { handedOverAt: READ + MINUTE }, READ + MINUTE, true],
])('with 60 Min Minutes, waits or not after %s (%#)', async (_what, given, now, paused) => {
  const state = { ...(await stored()), readAt: READ, ...given };

  expect(isPaused(state, { now, minMinutes: 60, parameters: 'p' })).toBe(paused);
});
