/** What is remembered is found again, or it is said why not; and nothing that matters stays unsaved. */
import fc from 'fast-check';

import {
  recall,
  remember,
  savingOf,
  scopeOf,
  storable,
  tableOf,
  type Remembered,
} from '../../../src/watch/remembered';

const scope = scopeOf({ list: 'lst_1', filters: 'all', key: 'k' });
const about = { scope, since: '2026-01-01T00:00:00.000Z', revision: 3, readAt: 5, savedAt: 4 };
const table = new Map([['slug:a', ['a.com', 'high']]]);
const memory = async () => await remember(table, about);

it('is found again as it was', async () => {
  const state = await memory();

  expect(recall(storable(state), scope)).toEqual({ kind: 'known', state });
  expect(await tableOf(state)).toEqual(table);
});

it('shows neither the key nor what is watched', async () => {
  const stored = storable(
    await remember(table, { ...about, scope: scopeOf({ key: 'ci_secret' }) }),
  );

  expect(stored).not.toContain('ci_secret');
});

it.each([
  [{ list: 'lst_2', filters: 'all', key: 'k' }, 'the list changed'],
  [{ list: 'lst_1', filters: 'high', key: 'other' }, 'the filters and the key changed'],
  [{ technology: 'x', key: 'k' }, 'the technology and the list and the filters changed'],
])('says what changed: %j', async (parts, why) => {
  expect(recall(storable(await memory()), scopeOf(parts))).toEqual({ kind: 'over', why });
});

it('of anything else says that it cannot be read', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.jsonValue(), fc.json()), (stored) => {
      const { kind } = recall(stored, scope);
      expect(kind).toBe(stored === null ? 'none' : 'over');
    }),
  );
  expect(recall(undefined, scope)).toEqual({ kind: 'none' });
});

it('notices a table that was damaged', async () => {
  const state = await memory();

  expect(await tableOf({ ...state, rows: 2 })).toBeUndefined();
  expect(await tableOf({ ...state, table: state.table.slice(4) })).toBeUndefined();
});

describe('saving', () => {
  const DAY = 24 * 60 * 60_000;
  const last = { savedAt: 0 } as Remembered;

  it.each([
    ['something was emitted', 'known', 'same', 1, 0, 'now'],
    ['a new watch, whose activation is saved', 'none', 'changed', 0, 0, 'anyway'],
    ['a new watch that emitted all', 'none', 'changed', 1, 0, 'now'],
    ['a watch that started over', 'over', 'changed', 0, 0, 'now'],
    ['something changed that nobody wanted to know', 'known', 'changed', 0, 0, 'now'],
    ['nothing changed', 'known', 'same', 0, 2 * DAY, 'later'],
    ['evidence got newer', 'known', 'minor', 0, DAY / 2, 'later'],
    ['evidence got newer, since a day', 'known', 'minor', 0, 2 * DAY, 'now'],
  ] as const)('%s', (_title, recalled, moved, emitted, now, expected) => {
    expect(savingOf(recalled, moved, emitted, last, now)).toBe(expected);
  });
});
