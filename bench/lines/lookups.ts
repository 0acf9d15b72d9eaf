import { RUN_CONCURRENT } from '../../src/client/settings';
import type { RealHost } from '../../test/host/harness';
import { Service } from '../../test/host/service';
import {
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
import type { Line, Row } from '../table';

const LOOKUPS = 1_000;
const LATENCY_MS = 200;
const TARGET_TIME = 1;
const TARGET_CPU = 0.5;

interface Measured {
  readonly milliseconds: number;
  readonly connections: number;
  /** CPU time of the whole n8n process. */
  readonly cpuMs: number;
}

/**
 * Single lookups with n8n's HTTP Request node and with Company Lookup. The line compares the time
 * when both have the same number of connections. It compares the CPU time when HTTP Request has its
 * default settings and sends all requests at the same time.
 */
export const lookups: Line = {
  name: 'lookups',
  title: '1,000 single lookups in n8n',
  measure: async ({ repeat }) =>
    await withHost({ sandboxArgs: ['--rate-limits', String(UNLIMITED)] }, async (host) => {
      // Each batch is sent when the response to the previous one should have arrived.
      const batching = { batch: { batchSize: RUN_CONCURRENT, batchInterval: LATENCY_MS } };
      const domains = await new Service(host).domains(LOOKUPS);
      const credential = await saveCredential(host);
      const save = async (node: MeasuredNode) =>
        await saveWorkflow(host, node, credential, domains);
      const ours = await save(own('companyLookup', { identifier: '={{ $json.domain }}' }));
      const batched = await save(httpRequest(host.sandboxUrl, { batching }));
      const http = await save(httpRequest(host.sandboxUrl));
      const round = async () =>
        rowsOf(await measure(host, ours), await measure(host, batched), await measure(host, http));
      // The first round loads and compiles the code. Later rounds can reuse open connections.
      const [opened] = await round();
      const [, ...others] = await repeat(round);
      return opened === undefined ? others : [opened, ...others];
    }),
};

async function measure(host: RealHost, workflowId: string): Promise<Measured> {
  const { memoryOf } = await import('../../scripts/lib/n8n-process.mjs');
  const { cpuMs } = memoryOf(host.userFolder);
  await resetService(host, LATENCY_MS);
  const before = cpuMs();
  const { milliseconds, rows } = await run(host, workflowId);
  if (rows !== LOOKUPS) throw new Error(`${String(rows)} rows came out.`);
  const { connections } = await reportOf(host);
  return { milliseconds, connections, cpuMs: cpuMs() - before };
}

function rowsOf(ours: Measured, batched: Measured, http: Measured): Row[] {
  const seconds = (milliseconds: number) => `${(milliseconds / 1000).toFixed(2)} s`;
  const what = '1,000 single lookups';
  const peer = "n8n's HTTP Request";
  return [
    {
      what: `TCP connections for ${what}, ${String(RUN_CONCURRENT)} at a time`,
      ours: String(ours.connections),
      against: `${peer} with batching: ${String(batched.connections)}`,
      ratio: ours.connections / batched.connections,
      target: `≤ ${String(RUN_CONCURRENT)}`,
      met: ours.connections <= RUN_CONCURRENT,
    },
    {
      what: `${what}, 200 ms latency, ${String(RUN_CONCURRENT)} at a time`,
      ours: seconds(ours.milliseconds),
      against: `${peer} with batching: ${seconds(batched.milliseconds)}`,
      ratio: ours.milliseconds / batched.milliseconds,
      target: '≤ 1',
      met: ours.milliseconds <= TARGET_TIME * batched.milliseconds,
    },
    {
      what: `${what}: CPU time of all of n8n`,
      ours: seconds(ours.cpuMs),
      against: `${peer}: ${seconds(http.cpuMs)}`,
      ratio: ours.cpuMs / http.cpuMs,
      target: '≤ 0.5',
      met: ours.cpuMs <= TARGET_CPU * http.cpuMs,
      reason:
        'It counts what n8n itself does for each row of either node: reading the file, passing items on, storing the execution.',
    },
  ];
}
