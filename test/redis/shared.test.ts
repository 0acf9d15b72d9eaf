import { setTimeout as after } from 'node:timers/promises';

import { countConnections, TestRedis } from './support/redis';
import { Worker } from './support/worker';

const TURNS = 'company-intelligence:{key}:turns';
const STATED_LIMIT = 'company-intelligence:{key}:limit';

let redis: TestRedis;

beforeAll(async () => {
  redis = await TestRedis.start();
});
afterEach(async () => {
  Worker.closeAll();
  await redis.admin().flushall();
});
afterAll(TestRedis.stopAll);

async function durationOf(...sending: ReadonlyArray<[worker: Worker, count: number]>) {
  const start = performance.now();
  await Promise.all(sending.map(async ([worker, count]) => await worker.sendAll(count)));
  return performance.now() - start;
}

it('spaces the requests of one key over all workers, and not those of other keys', async () => {
  const timing = { windowMs: 5_000 };
  const workers = [1, 2].map(() => new Worker(redis.address(), 50, timing));
  const other = new Worker(redis.address(), 50, timing, 'other');
  const [shared, apart] = await Promise.all([
    durationOf([workers[0]!, 10], [workers[1]!, 10]),
    durationOf([other, 10]),
  ]);
  expect(shared).toBeGreaterThanOrEqual(18 * 100);
  expect(apart).toBeLessThan(shared);
});

it('pauses all workers, including one that starts later, for the time that a 429 requests', async () => {
  const [one, other] = [new Worker(redis.address()), new Worker(redis.address())];
  await Promise.all([one.send(), other.send()]);
  const throttledAt = performance.now();
  one.limiter.throttle(2_000, undefined);
  // Gives the other workers time to receive the pause.
  await after(500);
  const late = new Worker(redis.address());
  await Promise.all([other.send(), late.send()]);
  for (const { service } of [other, late]) {
    expect(service.arrivals.at(-1)! - throttledAt).toBeGreaterThanOrEqual(2_000);
  }
});

it('applies a lower limit that the service states to all workers, for an hour after a 429', async () => {
  const [one, other] = [1, 2].map(() => new Worker(redis.address(), 1_000, { windowMs: 4_000 }));
  await Promise.all([one!.send(), other!.send()]);
  one!.limiter.throttle(1, 20);
  // Other workers learn the limit with their next turn. Turns that they already have stay valid.
  await other!.sendAll(3);
  expect(await durationOf([other!, 6])).toBeGreaterThanOrEqual(5 * 190);
  const admin = redis.admin();
  await admin.pexpire(STATED_LIMIT, 1_000);
  one!.limiter.throttle(1, undefined);
  await one!.send();
  expect(await admin.pttl(STATED_LIMIT)).toBeGreaterThan(59 * 60_000);
  // Now the hour is over, which both workers learn with their next turn.
  await admin.pexpire(STATED_LIMIT, 1);
  await Promise.all([one!.send(), other!.send()]);
  await admin.hset(TURNS, 'gapUntil', 0);
  expect(await durationOf([one!, 6], [other!, 6])).toBeLessThan(5 * 190);
});

it('applies the lowest limit of all workers while it is in use, and then the higher one', async () => {
  const timing = { windowMs: 60_000 };
  const slow = new Worker(redis.address(), 120, timing);
  const fast = new Worker(redis.address(), 6_000, timing);
  await slow.send();
  // 120 requests in a minute are one request every 500 ms.
  expect(await durationOf([fast, 4])).toBeGreaterThanOrEqual(3 * 490);
  slow.limiter.setLimit(6_000);
  // Ends the time for which a slower pace applies after the last turn requested with it.
  await redis.admin().hset(TURNS, 'gapUntil', 0);
  expect(await durationOf([slow, 10], [fast, 10])).toBeLessThan(5_000);
});

it('lets everything in Redis expire, and closes its connection with the limiter', async () => {
  const admin = redis.admin();
  const before = await countConnections(admin);
  const worker = new Worker(redis.address());
  await worker.send();
  const keys = await admin.keys('*');
  expect(keys.sort()).toEqual([TURNS, 'company-intelligence:{key}:workers']);
  for (const key of keys) expect(await admin.pttl(key)).toBeGreaterThan(0);
  expect(await countConnections(admin)).toBe(before + 1);
  worker.limiter.close();
  while ((await countConnections(admin)) > before) await after(20);
});

it('sends all requests without a warning when Redis loses its scripts, its data or its clock', async () => {
  const admin = redis.admin();
  const worker = new Worker(redis.address());
  const tomorrow = Date.now() + 24 * 60 * 60_000;
  for (const lose of [
    async () => await admin.script('FLUSH'),
    async () => await admin.flushall(),
    // The clock of Redis is set back by a day.
    async () => await admin.hset(TURNS, 'last', tomorrow),
  ]) {
    await worker.sendAll(5);
    await lose();
  }
  await worker.sendAll(5);
  expect(worker.service.arrivals).toHaveLength(20);
  expect(worker.warnings).toEqual([]);
});
