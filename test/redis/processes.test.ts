import type { ClientSettings } from '../../src/client/settings';
import { json, TestService } from '../src/client/support/service';
import { settingsFor } from '../src/client/support/client';
import { mostInAnyWindow, until } from '../src/client/support/timing';
import { TestRedis } from './support/redis';
import { SpawnedWorker, WINDOW_MS } from './support/spawned-worker';
import { Worker } from './support/worker';

const LIMIT = 120;

let redis: TestRedis;
let service: TestService;
let workers: SpawnedWorker[] = [];

beforeEach(async () => {
  redis = await TestRedis.start();
  service = await TestService.start(json({ name: 'Acme' }));
});
afterEach(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  workers = [];
  Worker.closeAll();
  await TestService.stopAll();
  await TestRedis.stopAll();
});

function begin(companies: number): ClientSettings {
  const settings = settingsFor(service, { requestsPerMinute: LIMIT, redis: redis.address() });
  workers = [1, 2, 3].map(() => new SpawnedWorker(settings, companies));
  return settings;
}

const arrivals = () => service.received.map(({ at }) => at);

it('completes all requests of the other processes, near the limit, when one is killed', async () => {
  begin(100);
  const [killed, ...others] = workers;
  await until(() => workers.every(({ answered }) => answered.length >= 15));
  killed!.child.kill('SIGKILL');
  await Promise.all(others.map(async ({ ended }) => ended));
  for (const { answered, warnings } of others) {
    expect(new Set(answered).size).toBe(100);
    expect(warnings).toBe('');
  }
  // Without sharing, the processes would send all 300 requests immediately. The tolerance of 50% is
  // for a busy machine, whose occasional delays are visible in a window of 6 s.
  expect(mostInAnyWindow(arrivals(), WINDOW_MS)).toBeLessThanOrEqual(LIMIT * 1.5);
  // Turns of the killed process expire soon, so its death must not cause a long pause.
  const pauses = arrivals().map((at, index, all) => at - (all[index - 1] ?? at));
  expect(Math.max(...pauses)).toBeLessThan(10_000);
}, 90_000);

it('loses no request, stays near the limit and shows no key when Redis is killed and restarted', async () => {
  const { apiKey } = begin(80);
  await until(() => workers.every(({ answered }) => answered.length >= 10));
  const admin = redis.admin();
  // Compression could hide the key.
  await admin.config('SET', 'rdbcompression', 'no');
  const keys = await admin.keys('*');
  const stored = await Promise.all(keys.map(async (key) => await admin.dumpBuffer(key)));
  await redis.kill();
  await until(() => workers.every(({ warnings }) => warnings !== ''));
  await redis.startAgain();
  await Promise.all(workers.map(async ({ ended }) => ended));
  expect(keys.length).toBeGreaterThan(1);
  expect([...keys, ...stored.map((bytes) => bytes.toString('latin1'))].join()).not.toContain(
    apiKey,
  );
  for (const { answered, stdout, warnings } of workers) {
    expect(new Set(answered).size).toBe(80);
    expect(warnings.trim().split('\n')).toEqual([expect.stringContaining('Redis')]);
    expect(`${stdout}${warnings}`).not.toContain(apiKey);
  }
  expect(mostInAnyWindow(arrivals(), WINDOW_MS)).toBeLessThanOrEqual(LIMIT * 1.5);
  // Redis, which lost its data, assigns the turns again.
  expect(await redis.admin().keys('company-intelligence:*:turns')).toHaveLength(1);
}, 90_000);

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
