/**
 * A worker process that reads companies through a client. It prints the number of each company that
 * it received, and exits when nothing is left to do. Warnings go to stderr.
 */
import { Client } from '../../../src/client/client';
import { mapInParallel } from '../../../src/concurrency';
import { REAL_TIME, type ClientSettings } from '../../../src/client/settings';

interface Order {
  readonly settings: ClientSettings;
  readonly windowMs: number;
  readonly companies: number;
}

async function work({ settings, windowMs, companies }: Order): Promise<void> {
  const client = Client.open(
    settings,
    { ...REAL_TIME, windowMs, redisTimeoutMs: 5_000 },
    (warning) => {
      process.stderr.write(`${warning}\n`);
    },
  );
  await mapInParallel(Array.from({ length: companies }), async (_nothing, index) => {
    await client.request({
      method: 'GET',
      path: `/v1/companies/${String(process.pid)}-${String(index)}.com`,
      repeatable: true,
      read: () => undefined,
    });
    process.stdout.write(`${String(index)}\n`);
  });
}

void work(JSON.parse(process.argv[2] ?? '') as Order);
