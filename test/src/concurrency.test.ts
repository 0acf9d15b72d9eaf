import { getEventListeners } from 'node:events';
import { setImmediate } from 'node:timers/promises';

import { CancelledError } from '../../src/client/errors';
import { RUN_CONCURRENT } from '../../src/client/settings';
import { abortable, mapInParallel, sleep } from '../../src/concurrency';

const numbers = (count: number) => Array.from({ length: count }, (_unused, index) => index);

describe('mapInParallel', () => {
  it('returns results in the order of the input, from RUN_CONCURRENT calls at the same time', async () => {
    const things = numbers(RUN_CONCURRENT * 3);
    const begun: number[] = [];
    let busy = 0;
    let busiest = 0;
    const results = await mapInParallel(things, async (thing, index) => {
      expect(index).toBe(thing);
      begun.push(thing);
      busy += 1;
      busiest = Math.max(busiest, busy);
      for (let turn = thing % 7; turn >= 0; turn -= 1) await setImmediate();
      busy -= 1;
      return thing * 2;
    });

    expect(results).toEqual(things.map((thing) => thing * 2));
    expect([begun, busiest]).toEqual([things, RUN_CONCURRENT]);
    await expect(mapInParallel([], () => Promise.reject(new Error('called')))).resolves.toEqual([]);
  });

  it('rejects with the first error and stops starting items', async () => {
    const begun: number[] = [];
    const working = mapInParallel(numbers(RUN_CONCURRENT * 3), async (thing) => {
      begun.push(thing);
      await setImmediate();
      if (thing === 5 || thing === 6) throw new Error(`failed at ${String(thing)}`);
    });

    await expect(working).rejects.toThrow('failed at 5');
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    // Workers before the failing one may have started another item.
    expect(begun.length).toBeLessThanOrEqual(RUN_CONCURRENT + 5);
  });
});

describe('sleep', () => {
  it('rejects as soon as it is cancelled, and removes its timer and listener', async () => {
    const signal = AbortSignal.timeout(10);
    const cleared = jest.spyOn(globalThis, 'clearTimeout');
    await expect(sleep(60_000, signal)).rejects.toBeInstanceOf(CancelledError);
    expect(cleared).toHaveBeenCalled();
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
    cleared.mockRestore();
  });

  it('rejects when it was cancelled before, and removes its listener when it ends', async () => {
    await expect(sleep(60_000, AbortSignal.abort())).rejects.toBeInstanceOf(CancelledError);
    const { signal } = new AbortController();
    await sleep(1, signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });
});

it('causes no unhandled rejection when a call fails after its cancellation', async () => {
  const unhandled = jest.fn();
  process.on('unhandledRejection', unhandled);
  const stop = new AbortController();
  const late = abortable(async () => {
    await sleep(5);
    throw new Error('too late to matter');
  }, stop.signal);
  stop.abort();
  await expect(late).rejects.toBeInstanceOf(CancelledError);
  await sleep(20);
  process.off('unhandledRejection', unhandled);
  expect(unhandled).not.toHaveBeenCalled();
});
