import type { RealHost } from '../../test/host/harness';
import { Service } from '../../test/host/service';
import {
  own,
  resetService,
  run,
  saveCredential,
  saveWorkflow,
  UNLIMITED,
  withHost,
} from '../lib/n8n';
import { send } from '../lib/send';
import type { Call } from '../lib/sender-process';
import type { Line } from '../table';

const ROWS = 100_000;
const BATCH = 100;
const LATENCY_MS = 50;
const TARGET = 2;
const WHAT = '100,000 rows through Bulk Enrich, 50 ms latency: time of the node';

/**
 * 100,000 different companies through Bulk Enrich, compared with a loop that sends the same
 * requests.
 */
export const rows: Line = {
  name: 'rows',
  title: '100,000 rows through Bulk Enrich',
  rows: [WHAT],
  measure: async (repeat) => {
    const sandboxArgs = ['--companies', String(ROWS), '--rate-limits', String(UNLIMITED)];
    const env = { NODE_OPTIONS: '--max-old-space-size=8192' };
    return await withHost({ env, sandboxArgs }, async (host) => {
      const domains = await new Service(host).domains(ROWS);
      const node = own('bulkEnrich', { domain: '={{ $json.domain }}', include: [], options: {} });
      const id = await saveWorkflow(host, node, await saveCredential(host), domains);
      return await repeat(async () => {
        const ours = await enriched(host, id);
        const bare = await loop(host, domains);
        return [
          {
            what: WHAT,
            ours: `${(ours / 1000).toFixed(1)} s`,
            against: `an axios loop with the same 1,000 requests, 20 at a time: ${(bare / 1000).toFixed(1)} s`,
            ratio: ours / bare,
            target: '≤ 2',
            met: ours <= TARGET * bare,
          },
        ];
      });
    });
  },
};

/** @returns the node's execution time in milliseconds */
async function enriched(host: RealHost, workflowId: string): Promise<number> {
  await resetService(host, LATENCY_MS);
  const { milliseconds, items } = await run(host, workflowId);
  const { requests } = await host.report();
  if (items.length !== ROWS || requests !== ROWS / BATCH) {
    throw new Error(`${String(items.length)} rows came of ${String(requests)} requests.`);
  }
  return milliseconds;
}

/** @returns the loop's time in milliseconds */
async function loop(host: RealHost, domains: readonly string[]): Promise<number> {
  await resetService(host, LATENCY_MS);
  const { milliseconds } = await send({
    sender: 'axios',
    baseUrl: host.sandboxUrl,
    apiKey: host.keys.user,
    requestsPerMinute: UNLIMITED,
    calls: batches(domains),
    atOnce: 20,
    until: { requests: ROWS / BATCH },
  });
  return milliseconds;
}

function batches(domains: readonly string[]): Call[] {
  return Array.from({ length: domains.length / BATCH }, (_unused, index) => ({
    method: 'POST',
    path: '/v1/companies',
    body: { domains: domains.slice(index * BATCH, (index + 1) * BATCH), include: [] },
  }));
}
