/**
 * The limiter by itself, without n8n.
 *
 *     node --expose-gc --import tsx bench/limiter.ts memory [requests]
 *     node --import tsx bench/limiter.ts shared [seconds]
 *
 * `memory` sends a million requests of three runs, time compressed, and prints the heap after each
 * tenth. `shared` starts Redis and three processes with one key of 600 requests a minute, kills one
 * process, empties Redis and restarts it, and prints what a service behind them would have counted.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';

import { KeyLimiter } from '../src/client/limiter/key-limiter';
import { readRedisUrl, REAL_TIME } from '../src/client/settings';

const MINUTE = 60_000;
const PER_MINUTE = 600;

async function memory(requests: number): Promise<void> {
  const pace = { requestsPerMinute: 1_000_000, requestsPerDay: Infinity };
  const limiter = new KeyLimiter(pace, { ...REAL_TIME, windowMs: 200 });
  let sent = 0;
  const work = async (run: number): Promise<void> => {
    while (sent < requests) {
      sent += 1;
      if (sent % (requests / 10) === 0) printHeap(sent);
      await limiter.run(async () => await Promise.resolve(), { run, again: false });
    }
  };
  await Promise.all(Array.from({ length: 90 }, async (_unused, index) => work(index % 3)));
}

function printHeap(sent: number): void {
  globalThis.gc?.();
  const megabytes = process.memoryUsage().heapUsed / 1024 / 1024;
  console.log(`${sent.toLocaleString('en-US').padStart(9)} requests ${megabytes.toFixed(1)} MB`);
}

/** A process of its own: prints the moment of each request until it is killed. */
async function worker(redisUrl: string): Promise<void> {
  const pace = { requestsPerMinute: PER_MINUTE, requestsPerDay: Infinity };
  const limiter = new KeyLimiter(pace, REAL_TIME);
  limiter.shareThrough(readRedisUrl(redisUrl), 'bench');
  const send = async (): Promise<void> => {
    console.log(Date.now());
    await sleep(50);
  };
  const work = async (): Promise<void> => {
    for (;;) await limiter.run(send, { run: 'bench', again: false });
  };
  await Promise.all(Array.from({ length: 90 }, work));
}

async function shared(seconds: number): Promise<void> {
  const { startRedis } = await import('../scripts/lib/redis.mjs');
  const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-bench-'));
  const logPath = join(folder, 'redis.log');
  let redis = await startRedis({ logPath });
  const { port, url } = redis;
  const moments: number[] = [];
  const workers = [1, 2, 3].map(() => {
    const child = spawn(process.execPath, ['--import', 'tsx', __filename, 'worker', url]);
    createInterface({ input: child.stdout }).on('line', (line) => moments.push(Number(line)));
    return child;
  });
  while (moments.length === 0) await sleep(100);
  const start = Date.now();
  const part = (seconds * 1_000) / 4;
  const events: Array<[what: string, happens: () => Promise<unknown>]> = [
    ['three processes', async () => Promise.resolve()],
    ['one killed', async () => Promise.resolve(workers[0]?.kill('SIGKILL'))],
    ['Redis emptied', async () => emptied(url)],
    [
      'Redis restarted',
      async () => {
        await redis.kill();
        redis = await startRedis({ logPath, port });
      },
    ],
  ];
  for (const [what, happens] of events) {
    const from = Date.now();
    await happens();
    await sleep(from + part - Date.now());
    const sent = moments.filter((moment) => moment >= from).length;
    const rate = (sent / (Date.now() - from)) * MINUTE;
    console.log(`${what.padEnd(16)} ${((rate / PER_MINUTE) * 100).toFixed(1)} % of the limit`);
  }
  console.log(`most in any 60 s ${String(mostInAnyMinute(moments))} of ${String(PER_MINUTE)}`);
  console.log(
    `sent             ${String(moments.length)} in ${String((Date.now() - start) / 1_000)} s`,
  );
  for (const child of workers) child.kill('SIGKILL');
  await redis.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function emptied(url: string): Promise<void> {
  const admin = new Redis(url);
  await admin.flushall();
  admin.disconnect();
  await once(admin, 'end');
}

function mostInAnyMinute(moments: readonly number[]): number {
  const sorted = [...moments].sort((one, other) => one - other);
  return Math.max(
    ...sorted.map((moment, index) => {
      const after = sorted.slice(index).findIndex((other) => other - moment >= MINUTE);
      return after === -1 ? sorted.length - index : after;
    }),
  );
}

async function main([part, argument]: readonly string[]): Promise<void> {
  if (part === 'memory') await memory(Number(argument ?? 1_000_000));
  else if (part === 'shared') await shared(Number(argument ?? 180));
  else if (part === 'worker') await worker(argument ?? '');
  else console.error('Which part: memory or shared?');
}

void main(process.argv.slice(2));
