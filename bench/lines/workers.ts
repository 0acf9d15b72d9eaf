import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { RealHost } from '../../test/host/harness';
import { Service } from '../../test/host/service';
import { own, resetService, saveCredential, saveWorkflow, startRun, withHost } from '../lib/n8n';
import { LIMIT, MINUTE_MS, rateRow } from '../lib/window';
import type { Line, Row } from '../table';

const WORKERS = 3;
/** More rows than a worker can process before the measurement ends. */
const ROWS = 5_000;
const LATENCY_MS = 50;
const TARGET = 0.95;
/** Time that n8n needs to read all rows in all workers. */
const RUN_IN_MS = 30_000;

const WHAT = 'Three n8n workers with one key';
const ROW_NAMES = [
  `${WHAT}: requests in 2 minutes`,
  `${WHAT}: second minute after kill -9 of one`,
  `${WHAT}: second minute after Redis was emptied`,
] as const;

/** Three workers of one n8n share a key. Then one worker is killed, and later Redis loses its data. */
export const workers: Line = {
  name: 'workers',
  title: WHAT,
  rows: ROW_NAMES,
  waits: true,
  once: 'Measured once: the window of the limit is a minute, and it takes six of them.',
  measure: async () => {
    const { startRedis } = await import('../../scripts/lib/redis.mjs');
    const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-bench-'));
    // Use a different Redis from that of n8n's queue, which would not survive data loss.
    const redis = await startRedis({ logPath: join(folder, 'redis.log') });
    const admin = new Redis(redis.url);
    const sandboxArgs = ['--window', 'sliding', '--companies', '8000', '--report-size', '20000'];
    try {
      return await withHost({ workers: WORKERS, sandboxArgs }, async (host) => {
        await startOnEachWorker(host, redis.url);
        return await measure(host, admin);
      });
    } finally {
      admin.disconnect();
      await redis.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
};

/** Measures the rate of two minutes, and then of the second minute after each accident. */
async function measure(host: RealHost, redis: Redis): Promise<Row[]> {
  await sleep(RUN_IN_MS);
  const begun = Date.now();
  await sleep(2 * MINUTE_MS);
  const killed = Date.now();
  await host.workers[0]?.kill();
  await sleep(2 * MINUTE_MS);
  const emptied = Date.now();
  await redis.flushall();
  await sleep(2 * MINUTE_MS);
  const report = await host.report();
  const row = (what: string, from: number, minutes: number) =>
    rateRow(what, report, { from, minutes, target: TARGET });
  return [
    row(ROW_NAMES[0], begun, 2),
    row(ROW_NAMES[1], killed + MINUTE_MS, 1),
    row(ROW_NAMES[2], emptied + MINUTE_MS, 1),
  ];
}

/** Starts runs one by one until every worker has one, and waits until all workers send requests. */
async function startOnEachWorker(host: RealHost, redisUrl: string): Promise<void> {
  const credential = await saveCredential(host, { requestsPerMinute: LIMIT, redisUrl });
  const domains = await new Service(host).domains(ROWS);
  const node = own('companyLookup', { identifier: '={{ $json.domain }}' });
  const id = await saveWorkflow(host, node, credential, domains);
  await resetService(host, LATENCY_MS);
  const isBusy = ({ logPath }: { logPath: string }) =>
    /started execution/i.test(readFileSync(logPath, 'utf8'));
  for (let runs = 0; !host.workers.every(isBusy); runs += 1) {
    if (runs === 10 * WORKERS) throw new Error('A worker gets no execution.');
    await startRun(host, id);
    await sleep(3_000);
  }
}
