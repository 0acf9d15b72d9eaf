/** Three processes with one key, as n8n's workers are, and a service that counts. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import type { ClientSettings } from '../../src/client/settings';
import { json, TestService } from '../src/client/support/service';
import { settingsFor } from '../src/client/support/client';
import { mostInAnyWindow, until } from '../src/client/support/timing';
import { TestRedis } from './support/redis';

const WORKER = join(__dirname, 'support', 'worker-process.ts');
const WINDOW_MS = 6_000;
const LIMIT = 120;

/** A worker process, and what it printed. */
class WorkerProcess {
  readonly child: ChildProcess;
  answered: string[] = [];
  warnings = '';
  readonly ended: Promise<unknown>;

  constructor(settings: ClientSettings, companies: number) {
    const order = JSON.stringify({ settings, windowMs: WINDOW_MS, companies });
    this.child = spawn(process.execPath, ['--import', 'tsx', WORKER, order]);
    this.child.stdout?.on('data', (text: Buffer) => {
      this.answered.push(...text.toString().trim().split('\n'));
    });
    this.child.stderr?.on('data', (text: Buffer) => (this.warnings += text.toString()));
    this.ended = once(this.child, 'exit');
  }
}

let redis: TestRedis;
let service: TestService;
let workers: WorkerProcess[] = [];

beforeEach(async () => {
  redis = await TestRedis.start();
  service = await TestService.start(json({ name: 'Acme' }));
});
afterEach(async () => {
  for (const { child } of workers) child.kill('SIGKILL');
  workers = [];
  await service.stop();
  await redis.stop();
});

function begin(companies: number): ClientSettings {
  const settings = settingsFor(service, { requestsPerMinute: LIMIT, redis: redis.address() });
  workers = [1, 2, 3].map(() => new WorkerProcess(settings, companies));
  return settings;
}

const arrivals = () => service.received.map(({ at }) => at);

it('one is killed: the others take over its share, and lose nothing', async () => {
  begin(100);
  const [killed, ...others] = workers;
  await until(() => workers.every(({ answered }) => answered.length >= 15));
  killed!.child.kill('SIGKILL');
  await Promise.all(others.map(async ({ ended }) => ended));
  for (const { answered, warnings } of others) {
    expect(new Set(answered).size).toBe(100);
    expect(warnings).toBe('');
  }
  // On their own they would send all 300 at once. A busy machine is late now and then, and a window
  // of six seconds shows it.
  expect(mostInAnyWindow(arrivals(), WINDOW_MS)).toBeLessThanOrEqual(LIMIT * 1.5);
  // No pause after the death: turns that nobody takes any more hold nobody up for long.
  const pauses = arrivals().map((at, index, all) => at - (all[index - 1] ?? at));
  expect(Math.max(...pauses)).toBeLessThan(10_000);
}, 90_000);

it('Redis is killed and comes back: nothing is lost, and the limit is kept', async () => {
  begin(80);
  await until(() => workers.every(({ answered }) => answered.length >= 10));
  await redis.kill();
  await until(() => workers.every(({ warnings }) => warnings !== ''));
  await redis.startAgain();
  await Promise.all(workers.map(async ({ ended }) => ended));
  for (const { answered, warnings } of workers) {
    expect(new Set(answered).size).toBe(80);
    expect(warnings.trim().split('\n')).toHaveLength(1);
  }
  expect(mostInAnyWindow(arrivals(), WINDOW_MS)).toBeLessThanOrEqual(LIMIT * 1.5);
}, 90_000);

it('neither Redis nor the output ever sees the API key', async () => {
  const { apiKey } = begin(10);
  await Promise.all(workers.map(async ({ ended }) => ended));
  const admin = redis.admin();
  const keys = await admin.keys('*');
  const contents = await Promise.all(
    keys.map(async (key) => (await admin.dumpBuffer(key)).toString()),
  );
  expect(keys.length).toBeGreaterThan(1);
  expect([...keys, ...contents].join()).not.toContain(apiKey);
}, 90_000);
