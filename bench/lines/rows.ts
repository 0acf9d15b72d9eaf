import { Service } from '../../test/host/service';
import {
  own,
  resetService,
  reportOf,
  run,
  saveCredential,
  saveWorkflow,
  UNLIMITED,
  withHost,
} from '../lib/n8n';
import { send } from '../lib/send';
import type { Call } from '../lib/sender-process';
import { median, type Line } from '../table';

const ROWS = 100_000;
const BATCH = 100;
const ROUNDS = 3;
const TARGET = 2;

/** 100,000 different companies through Bulk Enrich, beside a loop that sends the same requests. */
export const rows: Line = {
  name: 'rows',
  title: '100,000 rows through Bulk Enrich',
  measure: async () => {
    const sandboxArgs = ['--companies', String(ROWS), '--rate-limits', String(UNLIMITED)];
    return await withHost(
      { env: { NODE_OPTIONS: '--max-old-space-size=8192' }, sandboxArgs },
      async (host) => {
        const domains = await new Service(host).domains(ROWS);
        const node = own('bulkEnrich', { domain: '={{ $json.domain }}', include: [], options: {} });
        const id = await saveWorkflow(host, node, await saveCredential(host), domains);
        const ours: number[] = [];
        const bare: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          await resetService(host, 0);
          const { milliseconds, rows: given } = await run(host, id);
          const { requests } = await reportOf(host);
          if (given !== ROWS || requests !== ROWS / BATCH) {
            throw new Error(`${String(given)} rows came of ${String(requests)} requests.`);
          }
          ours.push(milliseconds);
          await resetService(host, 0);
          const sent = await send({
            sender: 'axios',
            baseUrl: host.sandboxUrl,
            apiKey: host.keys.user,
            requestsPerMinute: UNLIMITED,
            calls: batches(domains),
            atOnce: 20,
            until: { requests: ROWS / BATCH },
          });
          bare.push(sent.milliseconds);
        }
        const time = median(ours, Number);
        const loop = median(bare, Number);
        return [
          {
            what: '100,000 rows through Bulk Enrich, time of the node',
            ours: `${(time / 1000).toFixed(1)} s`,
            against: `a bare axios loop with the same 1,000 requests, 20 at a time: ${(loop / 1000).toFixed(1)} s`,
            ratio: time / loop,
            target: '≤ 2',
            met: time <= TARGET * loop,
            reason:
              'Nearly all of it is n8n, which keeps each row as it passes from node to node. The domain of a row is read without evaluating an expression where it is one field of it.',
          },
        ];
      },
    );
  },
};

function batches(domains: readonly string[]): Call[] {
  return Array.from({ length: domains.length / BATCH }, (_unused, index) => ({
    method: 'POST',
    path: '/v1/companies',
    body: { domains: domains.slice(index * BATCH, (index + 1) * BATCH), include: [] },
  }));
}
