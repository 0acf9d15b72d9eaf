import { startSandbox } from '../../sandbox';
import { Service } from '../../test/host/service';
import {
  httpRequest,
  reportOf,
  resetService,
  run,
  saveCredential,
  saveWorkflow,
  UNLIMITED,
  withHost,
} from '../lib/n8n';
import { lookups, send } from '../lib/send';
import type { Line } from '../table';

const REQUESTS = 500;
const AT_ONCE = 20;
const LATENCY_MS = 50;

/** How many TCP connections 500 requests take: through the client, and through n8n's own helper. */
export const connections: Line = {
  name: 'connections',
  title: 'TCP connections of 500 requests',
  measure: async () => {
    const ours = await ofClient();
    const helper = await ofHttpRequest();
    return [
      {
        what: 'TCP connections for 500 requests, 20 at a time',
        ours: String(ours),
        against: `n8n's helper (HTTP Request, batches of 20): ${String(helper)}`,
        ratio: ours / helper,
        target: '≤ 20',
        met: ours <= AT_ONCE,
      },
    ];
  },
};

async function ofClient(): Promise<number> {
  const sandbox = await startSandbox({ latencyMs: LATENCY_MS });
  try {
    await send({
      sender: 'client',
      baseUrl: sandbox.baseUrl,
      apiKey: sandbox.keys.user,
      requestsPerMinute: 600,
      calls: lookups(sandbox),
      atOnce: AT_ONCE,
      until: { requests: REQUESTS },
    });
    return sandbox.report().connections;
  } finally {
    await sandbox.close();
  }
}

async function ofHttpRequest(): Promise<number> {
  return await withHost({ sandboxArgs: ['--rate-limits', String(UNLIMITED)] }, async (host) => {
    const domains = await new Service(host).domains(REQUESTS);
    const batching = { batch: { batchSize: AT_ONCE, batchInterval: 4 * LATENCY_MS } };
    const node = httpRequest(host.sandboxUrl, { batching });
    const id = await saveWorkflow(host, node, await saveCredential(host), domains);
    await resetService(host, LATENCY_MS);
    await run(host, id);
    return (await reportOf(host)).connections;
  });
}
