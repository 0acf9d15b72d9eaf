import { RUN_CONCURRENT } from '../../src/client/settings';
import type { RealHost } from '../../test/host/harness';
import { Service } from '../../test/host/service';
import {
  costOf,
  httpRequest,
  own,
  resetService,
  run,
  saveCredential,
  saveWorkflow,
  UNLIMITED,
  withHost,
  type MeasuredNode,
} from '../lib/n8n';
import { LIMIT, MINUTE_MS } from '../lib/window';
import type { Line, Row } from '../table';

const ROWS = 10_000;
const COMPANIES = 2_000;
const LATENCY_MS = 50;
const LOOKUPS = 1_000;
const MOST_CPU = 0.6;

/** Factor by which HTTP Request sends faster than the key's limit of ten requests per second. */
const COMPRESSION = 20;

const BATCHING = { batch: { batchSize: 10, batchInterval: 1000 / COMPRESSION } };

const WHAT = '10,000 leads about 2,000 companies';
const SINGLE = '1,000 single lookups';
const HTTP = 'HTTP Request with batching';

/**
 * 10,000 leads of 2,000 companies, with Bulk Enrich, and single lookups with Company Lookup. The
 * baseline is n8n's HTTP Request node with its batching.
 */
export const leads: Line = {
  name: 'leads',
  title: '10,000 leads in n8n',
  rows: [
    ...['requests', 'credits', 'time', 'memory of n8n above idle'].map((row) => `${WHAT}: ${row}`),
    ...['TCP connections', 'CPU time of all of n8n'].map((row) => `${SINGLE}: ${row}`),
  ],
  once: 'Measured once: requests and credits are counts, and HTTP Request takes minutes for its 10,000 requests.',
  measure: async () => {
    const { measurable } = await import('../../scripts/lib/n8n-process.mjs');
    const sandboxArgs = ['--rate-limits', String(UNLIMITED)];
    return await withHost({ env: measurable, sandboxArgs }, async (host) => {
      const companies = await new Service(host).domains(COMPANIES);
      return [...(await manyLeads(host, companies)), ...(await singleLookups(host, companies))];
    });
  },
};

async function manyLeads(host: RealHost, companies: readonly string[]): Promise<Row[]> {
  const domains = Array.from({ length: ROWS }, (_unused, row) => companies[row % COMPANIES] ?? '');
  const parameters = { domain: '={{ $json.domain }}', include: [], options: {} };
  const ours = await measure(host, own('bulkEnrich', parameters), domains);
  const http = await measure(host, httpRequest(host.sandboxUrl, { batching: BATCHING }), domains);
  const limitMs = (http.requests / LIMIT) * MINUTE_MS;
  return [
    {
      what: `${WHAT}: requests`,
      ours: String(ours.requests),
      against: `${HTTP}: ${String(http.requests)}`,
      ratio: ours.requests / http.requests,
      target: '20',
      met: ours.requests === 20 && ours.throttled === 0,
    },
    {
      what: `${WHAT}: credits`,
      ours: String(ours.credits),
      against: `${HTTP}: ${String(http.credits)}`,
      ratio: ours.credits / http.credits,
      target: '2,000',
      met: ours.credits === COMPANIES,
      note: "The service doesn't charge a company twice within 30 days, so repeated lookups cost only requests and time.",
    },
    {
      what: `${WHAT}: time`,
      ours: `${(ours.milliseconds / 1000).toFixed(1)} s`,
      against: `${HTTP}: ${(limitMs / MINUTE_MS).toFixed(1)} min`,
      ratio: ours.milliseconds / limitMs,
      target: 'less',
      met: ours.milliseconds < limitMs,
      note: `The limit allows HTTP Request 600 requests per minute. Against a service without a limit it took ${(http.milliseconds / 1000).toFixed(0)} s, at ${String(COMPRESSION)} times that rate.`,
    },
    {
      what: `${WHAT}: memory of n8n above idle`,
      ours: `${ours.memoryMb.toFixed(0)} MB`,
      against: `${HTTP}: ${http.memoryMb.toFixed(0)} MB`,
      ratio: ours.memoryMb / http.memoryMb,
      target: 'less',
      met: ours.memoryMb < http.memoryMb,
    },
  ];
}

interface Measured {
  readonly requests: number;
  readonly credits: number;
  readonly throttled: number;
  readonly milliseconds: number;
  readonly memoryMb: number;
}

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
  const { milliseconds, items } = result;
  if (items.length !== ROWS) throw new Error(`${node.type} gave ${String(items.length)} rows.`);
  const { requests, charged, byStatus } = await host.report();
  const throttled = byStatus['429'] ?? 0;
  return { requests, credits: charged, throttled, milliseconds, memoryMb };
}

async function singleLookups(host: RealHost, companies: readonly string[]): Promise<Row[]> {
  // Each batch is sent when the response to the previous one should have arrived.
  const batching = { batch: { batchSize: RUN_CONCURRENT, batchInterval: LATENCY_MS } };
  const credential = await saveCredential(host);
  const look = async (node: MeasuredNode) => {
    const { memoryOf } = await import('../../scripts/lib/n8n-process.mjs');
    const id = await saveWorkflow(host, node, credential, companies.slice(0, LOOKUPS));
    await resetService(host, LATENCY_MS);
    await run(host, id);
    const { connections } = await host.report();
    // The first run also loads and compiles code.
    const { cpuMs } = memoryOf(host.userFolder);
    const before = cpuMs();
    const { items } = await run(host, id);
    if (items.length !== LOOKUPS) throw new Error(`${String(items.length)} rows came out.`);
    return { connections, seconds: (cpuMs() - before) / 1000 };
  };
  const ours = await look(own('companyLookup', { identifier: '={{ $json.domain }}' }));
  const http = await look(httpRequest(host.sandboxUrl, { batching }));
  return [
    {
      what: `${SINGLE}: TCP connections`,
      ours: String(ours.connections),
      against: `${HTTP}: ${String(http.connections)}`,
      ratio: ours.connections / http.connections,
      target: `≤ ${String(RUN_CONCURRENT)}`,
      met: ours.connections <= RUN_CONCURRENT,
    },
    {
      what: `${SINGLE}: CPU time of all of n8n`,
      ours: `${ours.seconds.toFixed(1)} s`,
      against: `${HTTP}: ${http.seconds.toFixed(1)} s`,
      ratio: ours.seconds / http.seconds,
      target: `≤ ${String(MOST_CPU)}`,
      met: ours.seconds <= MOST_CPU * http.seconds,
    },
  ];
}
