import type { RealHost } from '../../test/host/harness';
import { Service } from '../../test/host/service';
import {
  costOf,
  httpRequest,
  own,
  reportOf,
  resetService,
  run,
  saveCredential,
  saveWorkflow,
  UNLIMITED,
  withHost,
  type MeasuredNode,
} from '../lib/n8n';
import { LIMIT, MINUTE_MS } from '../lib/window';
import type { Line } from '../table';

const ROWS = 10_000;
const COMPANIES = 2_000;
const LATENCY_MS = 50;

/** Factor by which HTTP Request sends faster than the key's limit of ten requests per second. */
const COMPRESSION = 20;

const BATCHING = { batch: { batchSize: 10, batchInterval: 1000 / COMPRESSION } };

interface Measured {
  readonly requests: number;
  readonly credits: number;
  readonly throttled: number;
  readonly milliseconds: number;
  readonly memoryMb: number;
}

/**
 * 10,000 leads of 2,000 companies, with Bulk Enrich and with n8n's HTTP Request node and its
 * batching.
 */
export const leads: Line = {
  name: 'leads',
  title: '10,000 leads in n8n',
  once: 'Measured once: requests and credits are counts, and HTTP Request takes minutes for its 10,000 requests.',
  measure: async () => {
    const { measurable } = await import('../../scripts/lib/n8n-process.mjs');
    return await withHost(
      { env: measurable, sandboxArgs: ['--rate-limits', String(UNLIMITED)] },
      async (host) => {
        const companies = await new Service(host).domains(COMPANIES);
        const domains = Array.from(
          { length: ROWS },
          (_unused, row) => companies[row % COMPANIES] ?? '',
        );
        const parameters = { domain: '={{ $json.domain }}', include: [], options: {} };
        const ours = await measure(host, own('bulkEnrich', parameters), domains);
        const batching = { batching: BATCHING };
        const http = await measure(host, httpRequest(host.sandboxUrl, batching), domains);
        const limitMs = (http.requests / LIMIT) * MINUTE_MS;
        const what = '10,000 leads about 2,000 companies';
        const than = 'HTTP Request with batching';
        return [
          {
            what: `${what}: requests`,
            ours: String(ours.requests),
            against: `${than}: ${String(http.requests)}`,
            ratio: ours.requests / http.requests,
            target: '20',
            met: ours.requests === 20 && ours.throttled === 0,
          },
          {
            what: `${what}: credits`,
            ours: String(ours.credits),
            against: `${than}: ${String(http.credits)}`,
            ratio: ours.credits / http.credits,
            target: '2,000',
            met: ours.credits === COMPANIES,
            note: 'The service does not bill a company twice within 30 days, so asking five times costs requests and time only.',
          },
          {
            what: `${what}: time`,
            ours: `${(ours.milliseconds / 1000).toFixed(1)} s`,
            against: `${than}: ${(limitMs / MINUTE_MS).toFixed(1)} min`,
            ratio: ours.milliseconds / limitMs,
            target: 'less',
            met: ours.milliseconds < limitMs,
            note: `The limit allows 600 of its requests a minute. Against a service without a limit it took ${(http.milliseconds / 1000).toFixed(0)} s, at ${String(COMPRESSION)} times that rate.`,
          },
          {
            what: `${what}: memory of n8n above idle`,
            ours: `${ours.memoryMb.toFixed(0)} MB`,
            against: `${than}: ${http.memoryMb.toFixed(0)} MB`,
            ratio: ours.memoryMb / http.memoryMb,
            target: 'less',
            met: ours.memoryMb < http.memoryMb,
          },
        ];
      },
    );
  },
};

/** Measures one run on a newly started n8n. */
async function measure(
  host: RealHost,
  node: MeasuredNode,
  domains: readonly string[],
): Promise<Measured> {
  await host.kill();
  await host.restart();
  const credential = await saveCredential(host, { requestsPerMinute: LIMIT });
  const id = await saveWorkflow(host, node, credential, domains);
  await resetService(host, LATENCY_MS);
  const { result, memoryMb } = await costOf(host, async () => await run(host, id));
  const { milliseconds, rows } = result;
  if (rows !== ROWS) throw new Error(`${node.type} gave ${String(rows)} rows.`);
  const { requests, charged, byStatus } = await reportOf(host);
  return {
    requests,
    credits: charged,
    throttled: byStatus['429'] ?? 0,
    milliseconds,
    memoryMb,
  };
}
