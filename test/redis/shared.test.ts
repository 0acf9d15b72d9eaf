/** Limits that workers share through Redis. */
import { TestRedis } from './support/redis';
import { Worker } from './support/worker';

let redis: TestRedis;

beforeAll(async () => {
  redis = await TestRedis.start();
});
afterEach(async () => {
  jest.restoreAllMocks();
  Worker.closeAll();
  await redis.admin().flushall();
});
afterAll(async () => {
  await redis.stop();
});

it('does not share the rate limit of one key with other keys', async () => {
  const slow = new Worker(redis.address(), { requestsPerMinute: 1 }, { windowMs: 60_000 }, 'slow');
  await slow.send();
  const waiting = slow.send();
  const other = new Worker(redis.address(), {}, {}, 'other');
  await other.sendAll(20);
  expect(slow.service.arrivals).toHaveLength(1);
  slow.limiter.close();
  slow.limiter.setLimit(100);
  await waiting;
});

it('pauses all workers, including one that starts later, for the time that a 429 requests', async () => {
  const [one, other] = [new Worker(redis.address()), new Worker(redis.address())];
  await Promise.all([one.send(), other.send()]);
  const throttledAt = Date.now();
  one.limiter.throttle(3_000, undefined);
  // Gives the other workers time to receive the pause.
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const late = new Worker(redis.address());
  await Promise.all([other, late].map(async (worker) => worker.send('after the pause')));
  for (const { service } of [other, late]) {
    expect(service.arrivals.at(-1)! - throttledAt).toBeGreaterThanOrEqual(3_000);
  }
});

it('applies a lower limit reported by the service to all workers', async () => {
  const windowMs = 4_000;
  const pace = { requestsPerMinute: 1_000 };
  const one = new Worker(redis.address(), pace, { windowMs });
  const other = new Worker(redis.address(), pace, { windowMs });
  await Promise.all([one.send(), other.send()]);
  one.limiter.throttle(1, 20);
  // Other workers learn the new limit with their next turn. Turns that they already have stay
  // valid.
  await other.sendAll(3);
  const start = Date.now();
  await other.sendAll(8);
  // Shared or not, 20 requests in 4 s are one request every 200 ms.
  expect(Date.now() - start).toBeGreaterThanOrEqual(7 * 190);
});

it('applies a limit that was raised in the credential to all workers', async () => {
  // At this limit, the requests would take 20 minutes, and the test would time out.
  const slow = { requestsPerMinute: 1 };
  const one = new Worker(redis.address(), slow, { windowMs: 60_000 });
  await one.send();
  const fast = { requestsPerMinute: 6_000 };
  const other = new Worker(redis.address(), fast, { windowMs: 60_000 });
  one.limiter.setLimit(fast.requestsPerMinute);
  // A slower pace also applies for some time after the last turn requested with it. Ends that time.
  await redis.admin().hset('company-intelligence:{key}:turns', 'gapUntil', 0);
  await Promise.all([one.sendAll(20), other.sendAll(20)]);
  expect(one.service.arrivals).toHaveLength(21);
  expect(other.service.arrivals).toHaveLength(20);
});

it('applies the lowest limit in use when workers have different limits', async () => {
  const windowMs = 60_000;
  const slow = new Worker(redis.address(), { requestsPerMinute: 120 }, { windowMs });
  const fast = new Worker(redis.address(), { requestsPerMinute: 6_000 }, { windowMs });
  await slow.send();
  const start = Date.now();
  await fast.sendAll(6);
  // 120 requests in a minute are one request every 500 ms.
  expect(Date.now() - start).toBeGreaterThanOrEqual(5 * 490);
});

it('sets an expiry on everything that Redis stores for a key', async () => {
  const worker = new Worker(redis.address(), {}, { redisAnswerMs: 1_000 });
  await worker.send();
  const admin = redis.admin();
  const names = ['sent', 'turns', 'workers'].map((name) => `company-intelligence:{key}:${name}`);
  let keys: string[] = [];
  // The worker reports sent requests to Redis a moment later.
  while (keys.length < names.length) keys = await admin.keys('*');
  expect(keys.sort()).toEqual(names);
  for (const key of keys) expect(await admin.pttl(key)).toBeGreaterThan(0);
});

it('closes the Redis connection when the limiter is closed', async () => {
  const admin = redis.admin();
  const connections = async (): Promise<string[]> =>
    String(await admin.client('LIST')).match(/^id=\d+/gm) ?? [];
  const before = await connections();
  const worker = new Worker(redis.address());
  await worker.send();
  const opened = (await connections()).filter((id) => !before.includes(id));
  expect(opened).toHaveLength(1);
  worker.limiter.close();
  const left = async () => (await connections()).filter((id) => opened.includes(id));
  while ((await left()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
});

/** Returns how often Redis has run a command, from Redis's own statistics. */
async function callsOf(command: string): Promise<number> {
  const stats = await redis.admin().info('commandstats');
  return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
}

describe('heartbeat', () => {
  it('keeps its interval when the Redis response timeout is shorter', async () => {
    await redis.admin().config('RESETSTAT');
    const worker = new Worker(
      redis.address(),
      {},
      { redisAnswerMs: 1_000, redisHeartbeatMs: 60_000 },
    );
    await worker.send();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    // The only call was made when the connection was opened.
    expect(await callsOf('hgetall')).toBe(1);
  });

  it('waits for the previous heartbeat to end when Redis is slow', async () => {
    const worker = new Worker(redis.address(), {}, { redisAnswerMs: 5_000, redisHeartbeatMs: 100 });
    await worker.send();
    const before = await callsOf('hgetall');
    await redis.admin().client('PAUSE', 2_000, 'ALL');
    // Redis responds to this command after the pause, together with the commands sent during the
    // pause.
    expect((await callsOf('hgetall')) - before).toBeLessThan(8);
    expect(worker.warnings).toEqual([]);
  });
});

it('sends each script to Redis once, and again after Redis loses it', async () => {
  await redis.admin().config('RESETSTAT');
  const worker = new Worker(redis.address());
  await worker.sendAll(20);
  // One script is for turns, and the other one is for the heartbeat.
  expect(await callsOf('eval')).toBe(2);
  expect(await callsOf('evalsha')).toBeGreaterThanOrEqual(19);
  await redis.admin().script('FLUSH');
  await worker.sendAll(20);
  expect(await callsOf('eval')).toBeGreaterThan(2);
  expect(worker.service.arrivals).toHaveLength(40);
  expect(worker.warnings).toEqual([]);
});
