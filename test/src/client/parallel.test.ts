import { setImmediate } from 'node:timers/promises';

import { RUN_CONCURRENT } from '../../../src/client/limiter/key-limiter';
import { inOrder, inParallel } from '../../../src/client/parallel';

const numbers = (count: number) => Array.from({ length: count }, (_unused, index) => index);

it('keeps the order of what was given, whatever is finished first', async () => {
  const things = numbers(500);
  const results = await inParallel(things, async (thing) => {
    for (let turn = thing % 7; turn > 0; turn -= 1) await setImmediate();
    return thing * 2;
  });

  expect(results).toEqual(things.map((thing) => thing * 2));
});

it('works on each thing once, on as many at the same time as a key may have requests', async () => {
  const begun: number[] = [];
  let busy = 0;
  let busiest = 0;
  await inParallel(numbers(RUN_CONCURRENT * 3), async (thing, index) => {
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

it('gives the first failure, and begins nothing after it', async () => {
  const begun: number[] = [];
  const working = inParallel(numbers(RUN_CONCURRENT * 3), async (thing) => {
    begun.push(thing);
    await setImmediate();
    if (thing === 5 || thing === 6) throw new Error(`failed at ${String(thing)}`);
  });

  await expect(working).rejects.toThrow('failed at 5');
  for (let turn = 0; turn < 20; turn += 1) await setImmediate();
  // Those before the failing one may have begun their next.
  expect(begun.length).toBeLessThanOrEqual(RUN_CONCURRENT + 5);
});

it('gives nothing for nothing', async () => {
  await expect(inParallel([], () => Promise.reject(new Error('called')))).resolves.toEqual([]);
});

describe('in order', () => {
  it('hands over in order, whatever is finished first', async () => {
    const things = numbers(100);
    const results: number[] = [];
    const working = inOrder(things, 5, async (thing) => {
      for (let turn = thing % 7; turn > 0; turn -= 1) await setImmediate();
      return thing * 2;
    });
    for await (const result of working) results.push(result);

    expect(results).toEqual(things.map((thing) => thing * 2));
  });

  it.each([1, 3, 10])('works on %i at once, and no further ahead of the reader', async (ahead) => {
    let begun = 0;
    let taken = 0;
    let busy = 0;
    let busiest = 0;
    const working = inOrder(numbers(40), ahead, async () => {
      begun += 1;
      busy += 1;
      busiest = Math.max(busiest, busy);
      expect(begun - taken).toBeLessThanOrEqual(ahead + 1);
      await setImmediate();
      busy -= 1;
    });
    for (let next = await working.next(); next.done !== true; next = await working.next()) {
      taken += 1;
      // A slow reader: whatever could be begun now is.
      for (let turn = 0; turn < 5; turn += 1) await setImmediate();
    }

    expect([begun, taken, busiest]).toEqual([40, 40, ahead]);
  });

  it('hands over what comes before a failure, then the first failure, and begins nothing after it', async () => {
    const begun: number[] = [];
    const taken: number[] = [];
    const working = inOrder(numbers(50), 4, async (thing) => {
      begun.push(thing);
      // The third fails because of the fourth, which failed before it.
      for (let turn = 0; turn < (thing === 2 ? 9 : 1); turn += 1) await setImmediate();
      if (thing === 2 || thing === 3) throw new Error(`failed at ${String(thing)}`);
      return thing;
    });
    const reading = async () => {
      for await (const result of working) taken.push(result);
    };

    await expect(reading()).rejects.toThrow('failed at 3');
    expect(taken).toEqual([0, 1]);
    expect(begun.length).toBeLessThanOrEqual(6);
  });

  it('begins nothing more when nobody reads on', async () => {
    const begun: number[] = [];
    const working = inOrder(numbers(50), 2, async (thing) => {
      begun.push(thing);
      return await Promise.resolve(thing);
    });
    for await (const result of working) if (result === 3) break;
    const sofar = begun.length;
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();

    expect(begun).toHaveLength(sofar);
    expect(sofar).toBeLessThanOrEqual(6);
  });

  it('gives nothing for nothing', async () => {
    const working = inOrder([], 3, () => Promise.reject(new Error('called')));

    expect(await working.next()).toEqual({ done: true, value: undefined });
  });
});
