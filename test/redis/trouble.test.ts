/** Problems with Redis cause no lost requests and no long waits. */
import { setTimeout as after } from 'node:timers/promises';

import { mostInAnyWindow, until } from '../src/client/support/timing';
import { TestRedis } from './support/redis';
import { Worker } from './support/worker';

let redis: TestRedis;

beforeEach(async () => {
  redis = await TestRedis.start();
});
afterEach(async () => {
  Worker.closeAll();
  await redis.stop();
});

it.each(['stops responding', 'never responds'])('loses no request when Redis %s', async (when) => {
  const pause = async () => await redis.admin().client('PAUSE', 600_000, 'ALL');
  if (when === 'never responds') await pause();
  const worker = new Worker(redis.address(), 1_000, { redisTimeoutMs: 1_000 });
  const sending = [worker.sendAll(40)];
  if (when === 'stops responding') {
    await until(() => worker.service.arrivals.length >= 10);
    await pause();
    // On a slow machine the first requests may all have had their turns before the pause.
    sending.push(worker.sendAll(40));
  }
  await Promise.all(sending);
  expect(worker.service.arrivals).toHaveLength(40 * sending.length);
  expect(worker.warnings.join()).toMatch(/no response within [12]000 ms/);
});

it('keeps to the limit, without a warning, when Redis loses its data repeatedly', async () => {
  const [windowMs, limit] = [6_000, 60];
  const workers = [1, 2, 3].map(() => new Worker(redis.address(), limit, { windowMs }));
  const arrivals = () => workers.flatMap(({ service }) => service.arrivals);
  // With a turn each, all workers know how many workers there are.
  await Promise.all(workers.map(async (worker) => await worker.send()));
  await after(200);
  const sending = Promise.all(workers.map(async (worker) => await worker.sendAll(30)));
  for (const count of [15, 25, 35, 45, 55, 65]) {
    await until(() => arrivals().length >= count);
    await redis.admin().flushall();
  }
  await sending;
  expect(arrivals()).toHaveLength(93);
  expect(mostInAnyWindow(arrivals(), windowMs)).toBeLessThanOrEqual(limit);
  for (const { warnings } of workers) expect(warnings).toEqual([]);
}, 60_000);
