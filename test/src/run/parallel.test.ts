import { setImmediate } from 'node:timers/promises';

import { RUN_CONCURRENT } from '../../../src/client/settings';
import { mapInParallel } from '../../../src/concurrency';

const numbers = (count: number) => Array.from({ length: count }, (_unused, index) => index);

it('returns the results in the order of the input, whichever finishes first', async () => {
  const things = numbers(500);
  const results = await mapInParallel(things, async (thing) => {
    for (let turn = thing % 7; turn > 0; turn -= 1) await setImmediate();
    return thing * 2;
  });

  expect(results).toEqual(things.map((thing) => thing * 2));
});

it('processes each item once, RUN_CONCURRENT items at the same time', async () => {
  const begun: number[] = [];
  let busy = 0;
  let busiest = 0;
  await mapInParallel(numbers(RUN_CONCURRENT * 3), async (thing, index) => {
    expect(index).toBe(thing);
    begun.push(thing);
    busy += 1;
    busiest = Math.max(busiest, busy);
    await setImmediate();
    busy -= 1;
  });

  expect(begun).toEqual(numbers(RUN_CONCURRENT * 3));
  expect(busiest).toBe(RUN_CONCURRENT);
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

it('returns an empty list without a call when the input is empty', async () => {
  await expect(mapInParallel([], () => Promise.reject(new Error('called')))).resolves.toEqual([]);
});
