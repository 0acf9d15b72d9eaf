/** Credit caps that workers share through Redis. */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';

import { Client } from '../../src/client/client';
import type { CappedQuota } from '../../src/client/limiter/credit-quota';
import { REAL_TIME } from '../../src/client/settings';
import { settingsFor } from '../src/client/support/client';
import { TestRedis } from './support/redis';
import { Worker } from './support/worker';

/** The folder in which Redis keeps its data across a restart. */
const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-credits-'));

let redis: TestRedis;

beforeAll(async () => {
  redis = await TestRedis.start([
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
  ]);
});
afterEach(async () => {
  Worker.closeAll();
  await redis.admin().flushall();
});
afterAll(async () => {
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
});

const capOf = (maxCreditsPerDay: number, name = 'key'): CappedQuota =>
  new Worker(redis.address(), {}, {}, name).limiter.credits.withCaps({ maxCreditsPerDay });

const keys = async () => await redis.admin().keys('company-intelligence:*:credits:*');

/** Waits until a worker sees this number of remaining credits. */
async function untilLeft(cap: CappedQuota, left: number): Promise<void> {
  while (cap.left !== left) {
    await cap.refresh();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

it('enforces one credit cap across all workers', async () => {
  const [one, other] = [capOf(10), capOf(10)];
  expect(await one.reserve(7)).toBe(true);
  expect(await other.reserve(4)).toBe(false);
  expect(other.left).toBe(3);
  expect(await other.reserve(3)).toBe(true);
  one.settle(7, 2);
  await untilLeft(other, 5);
  expect(other.limitError(6)?.message).toContain('leaves 5 of 10 credits and resets in ');
});

it('enforces the credit cap of each key separately', async () => {
  const [one, other] = [capOf(10), capOf(10, 'other')];
  expect([await one.reserve(10), await other.reserve(10)]).toEqual([true, true]);
});

it("keeps a worker's spent and reserved credits when the worker and Redis are restarted", async () => {
  const one = capOf(10);
  await one.reserve(4);
  await one.reserve(3);
  one.settle(4, 1);
  await untilLeft(capOf(10), 6);
  Worker.closeAll();
  await redis.kill();
  await redis.startAgain();
  const later = capOf(10);
  expect([await later.reserve(7), await later.reserve(6)]).toEqual([false, true]);
});

it('restores reserved credits from the worker after Redis loses its data', async () => {
  const [one, other] = [capOf(10), capOf(10)];
  await one.reserve(6);
  await redis.admin().flushall();
  await one.refresh();
  expect(await other.reserve(5)).toBe(false);
});

it('limits each worker to a quarter of the remaining credits, with a hint, when Redis is unavailable', async () => {
  const [one, other] = [capOf(100), capOf(100)];
  await one.reserve(20);
  await other.refresh();
  await redis.kill();
  await one.refresh();
  await other.refresh();
  try {
    expect([await one.reserve(21), await other.reserve(21)]).toEqual([false, false]);
    expect([await one.reserve(20), await other.reserve(20)]).toEqual([true, true]);
    expect(other.limitError(1)?.hint).toContain('While Redis cannot be used');
  } finally {
    await redis.startAgain();
  }
});

it('names credit counters in Redis by key hash and period, and expires all of them', async () => {
  const settings = settingsFor({ baseUrl: 'https://api.example.com' }, { maxCreditsPerDay: 10 });
  const timing = { ...REAL_TIME, redisAnswerMs: 5_000 };
  await Client.open({ ...settings, redis: redis.address() }, timing).creditCap.reserve(1);
  const names = await keys();
  // Ends the connection.
  Client.open(settings, timing);
  // All workers, also those with an older version of the package, must compute the same hash.
  const text = `https://api.example.com ${settings.apiKey}`;
  const hash = createHash('sha256').update(text).digest('hex');
  const periodless = (name: string) => name.replace(/[\d-]+$/, (one) => one.replace(/\d/g, '0'));
  expect(names.map(periodless).sort()).toEqual([
    `company-intelligence:{${hash}}:credits:0000-00`,
    `company-intelligence:{${hash}}:credits:0000-00-00`,
  ]);
  for (const name of names) expect(await redis.admin().pttl(name)).toBeGreaterThan(0);
});

it('stores no credit counters in Redis when no credits are reserved', async () => {
  await new Worker(redis.address()).send();
  expect(await keys()).toEqual([]);
});

const STEP = fc.record({
  worker: fc.nat({ max: 2 }),
  credits: fc.integer({ min: 1, max: 30 }),
  cost: fc.double({ min: 0, max: 1, noNaN: true }),
});

it('never exceeds the cap when workers reserve and settle credits at the same time', async () => {
  let world = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 40 }), async (steps) => {
      world += 1;
      const caps = Array.from({ length: 3 }, () => capOf(100, `world-${String(world)}`));
      let reserved = 0;
      let spent = 0;
      await Promise.all(
        steps.map(async ({ worker, credits, cost }) => {
          const cap = caps[worker]!;
          if (!(await cap.reserve(credits))) return;
          reserved += credits;
          expect(reserved + spent).toBeLessThanOrEqual(100);
          await new Promise((resolve) => setImmediate(resolve));
          const paid = Math.round(credits * cost);
          reserved -= credits;
          spent += paid;
          cap.settle(credits, paid);
        }),
      );
      for (const cap of caps) await untilLeft(cap, 100 - spent);
      Worker.closeAll();
    }),
    { numRuns: 15 },
  );
});
