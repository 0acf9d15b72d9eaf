import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { startSandbox, type Sandbox } from '../../sandbox';
import type { NodeSpec } from '../../test/engine/harness';
import { LIMIT } from '../lib/window';
import type { Line, Row } from '../table';

const EXECUTIONS = 1_000;
const LATENCY_MS = 150;
const MOST_REQUESTS = 20;
const MOST_MS = 3_000;
const CREDENTIAL = 'companyIntelligenceUserApi';

const WHAT = '1,000 executions of one lead each, at once, 150 ms latency';

/** Executions of one lead each, all started at the same time on n8n's engine. */
export const leadsAtOnce: Line = {
  name: 'leads-at-once',
  title: '1,000 executions of one lead each',
  rows: [`${WHAT}: requests`, `${WHAT}: time of the nodes`],
  measure: async (repeat) => await withEngine(async () => await repeat(together)),
};

/** Sets n8n's user folder before n8n-core is loaded, because n8n-core reads the setting then. */
async function withEngine<T>(measure: () => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-bench-'));
  process.env.N8N_USER_FOLDER ??= folder;
  try {
    return await measure();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Measured {
  readonly requests: number;
  readonly throttled: number;
  /** Number of leads with the right result. */
  readonly answered: number;
  /** Time from the start of the first node to the end of the last. */
  readonly milliseconds: number;
}

async function together(): Promise<Row[]> {
  const one = await measured(await bulkEnrich());
  const http = await measured(await helper());
  return [
    {
      what: `${WHAT}: requests`,
      ours: shown(one),
      against: `${HELPER}: ${shown(http)}`,
      ratio: one.requests / http.requests,
      target: '≤ 20, none refused, all answered',
      met: one.requests <= MOST_REQUESTS && one.throttled === 0 && one.answered === EXECUTIONS,
      always: true,
    },
    {
      what: `${WHAT}: time of the nodes`,
      ours: `${(one.milliseconds / 1000).toFixed(1)} s`,
      against: `${HELPER}: ${(http.milliseconds / 1000).toFixed(1)} s`,
      ratio: one.milliseconds / http.milliseconds,
      target: '≤ 3 s',
      met: one.milliseconds <= MOST_MS,
      note: 'From the beginning of the first to the end of the last, the work of the engine for all of them included. One that keeps to the limit of the key needs 100 s for 1,000 requests.',
    },
  ];
}

const HELPER = "n8n's request helper";

function shown({ requests, throttled, answered }: Measured): string {
  return `${String(requests)} requests, ${String(throttled)} refused, ${String(answered)} leads answered`;
}

/** A node to measure, and how to find the domain in its output. */
interface Subject {
  readonly node: (sandbox: Sandbox) => NodeSpec;
  readonly domainOf: (json: IDataObject) => unknown;
}

async function bulkEnrich(): Promise<Subject> {
  const { node } = await import('../../test/engine/harness/index.js');
  const parameters = { domain: '={{ $json.domain }}' };
  const type = 'n8n-nodes-company-intelligence.bulkEnrich';
  return {
    node: () => node(type, { name: 'Measured', parameters }),
    domainOf: (json) => json['enriched_domain'],
  };
}

/** Returns a node that looks up its item like HTTP Request. */
async function helper(): Promise<Subject> {
  const { defineNode } = await import('../../test/engine/harness/index.js');
  const lookUp = ({ baseUrl }: Sandbox) => ({
    type: 'bench.helper',
    implementation: defineNode(
      'Measured',
      async (context: IExecuteFunctions) => {
        const domain = context.getInputData()[0]?.json['domain'] as string;
        const { apiKey } = await context.getCredentials<{ apiKey: string }>(CREDENTIAL);
        const json = (await context.helpers.httpRequest({
          url: `${baseUrl}/v1/companies/${domain}`,
          headers: { 'X-API-Key': apiKey },
          json: true,
        })) as IDataObject;
        return [[{ json }]];
      },
      { credentials: [{ name: CREDENTIAL, required: true }] },
    ),
    options: {},
  });
  return { node: lookUp, domainOf: (json) => json['primary_domain'] };
}

async function measured(subject: Subject): Promise<Measured> {
  const sandbox = await startSandbox({ latencyMs: LATENCY_MS });
  try {
    const done = await Promise.all(
      Array.from(
        { length: EXECUTIONS },
        async (_unused, lead) => await execute(subject, sandbox, lead),
      ),
    );
    const { requests, byStatus } = sandbox.report();
    return {
      requests,
      throttled: byStatus['429'] ?? 0,
      answered: done.filter((one) => one.isRight).length,
      milliseconds:
        Math.max(...done.map(({ to }) => to)) - Math.min(...done.map(({ from }) => from)),
    };
  } finally {
    await sandbox.close();
  }
}

/** Runs one execution. Returns when its node ran, and whether the result was right. */
async function execute({ node, domainOf }: Subject, sandbox: Sandbox, lead: number) {
  const { runWorkflow, source } = await import('../../test/engine/harness/index.js');
  const { companies } = sandbox.world;
  const domain = companies[lead % companies.length]?.primaryDomain;
  const settings = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.user };
  const run = await runWorkflow({
    nodes: [source([{ domain }]), node(sandbox)],
    credentials: { [CREDENTIAL]: { ...settings, requestsPerMinute: LIMIT } },
  });
  const [task] = run.runs('Measured');
  const from = task?.startTime ?? NaN;
  return {
    from,
    to: from + (task?.executionTime ?? NaN),
    isRight: run.status === 'success' && domainOf(run.json('Measured')[0] ?? {}) === domain,
  };
}
