/** A Redis that hangs causes no lost requests and no long waits; processes.test.ts has one that loses its data. */
import { until } from '../src/client/support/timing';
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
