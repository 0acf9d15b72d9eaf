import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRealHost, type HostOptions, type RealHost } from '../../test/host/harness';
import { OVER } from '../../test/host/production-workflow';
import { Service } from '../../test/host/service';
import { nodeOf, saveNew, to } from '../../test/host/workflows';

/** Name of the measured node in its workflow. */
const MEASURED = 'Measured';

const CREDENTIAL_TYPE = 'companyIntelligenceUserApi';

/** A limit that no measurement reaches. */
export const UNLIMITED = 1_000_000_000;

const LONGEST_RUN_MS = 30 * 60_000;

/**
 * Interval between polls. Each poll makes n8n load the execution, which leaves half a megabyte of
 * garbage.
 */
const LOOK_EVERY_MS = 4000;

/** A node to measure, as in the JSON of a workflow. */
export interface MeasuredNode {
  readonly type: string;
  readonly typeVersion: number;
  readonly parameters: Readonly<Record<string, unknown>>;
}

interface Credential {
  readonly id: string;
  readonly name: string;
}

/** A successful run. */
export interface Run {
  /** Execution time of the measured node alone. */
  readonly milliseconds: number;
  /** Output items of the measured node. */
  readonly items: readonly Item[];
}

export interface Item {
  readonly json: Readonly<Record<string, unknown>>;
  readonly binary?: { readonly data: { readonly id: string; readonly bytes: number } };
}

interface Settings {
  readonly baseUrl?: string;
  readonly requestsPerMinute?: number;
  readonly redisUrl?: string;
}

/** Saves a credential with the user key of the host's service. */
export async function saveCredential(
  host: RealHost,
  { baseUrl = host.sandboxUrl, requestsPerMinute = UNLIMITED, redisUrl = '' }: Settings = {},
): Promise<Credential> {
  return (await host.rest.request('POST', '/rest/credentials', {
    name: 'Bench',
    type: CREDENTIAL_TYPE,
    data: {
      baseUrl,
      apiKey: host.keys.user,
      requestsPerMinute,
      redisUrl,
      allowedHttpRequestDomains: 'all',
    },
  })) as Credential;
}

/**
 * Returns n8n's HTTP Request node that looks up each row's domain. All settings except `options`
 * are defaults.
 */
export function httpRequest(baseUrl: string, options: object = {}): MeasuredNode {
  return {
    type: 'n8n-nodes-base.httpRequest',
    typeVersion: 4.2,
    parameters: {
      url: `=${baseUrl}/v1/companies/{{ $json.domain }}`,
      authentication: 'predefinedCredentialType',
      nodeCredentialType: CREDENTIAL_TYPE,
      options,
    },
  };
}

/** Returns a node of this package. */
export function own(name: string, parameters: MeasuredNode['parameters']): MeasuredNode {
  return { type: `n8n-nodes-company-intelligence.${name}`, typeVersion: 1, parameters };
}

/**
 * Saves a workflow with a manual trigger that reads rows from a CSV file and passes them to a node.
 *
 * @param domains domains of the rows; without them, the node gets one empty item
 * @returns the workflow's id
 */
export async function saveWorkflow(
  host: RealHost,
  node: MeasuredNode,
  credential: Credential,
  domains?: readonly string[],
): Promise<string> {
  const nodes = [
    nodeOf('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
    ...(domains === undefined ? [] : readingFrom(writeCsv(host, domains))),
    nodeOf(MEASURED, node.type, node.typeVersion, node.parameters, {
      credentials: { [CREDENTIAL_TYPE]: credential },
    }),
  ];
  const connections = Object.fromEntries<unknown>(
    nodes.slice(1).map(({ name }, index) => [nodes[index]!.name, { main: [[to(name)]] }]),
  );
  return (await saveNew(host, { name: `Bench: ${node.type}`, nodes, connections })).id;
}

function writeCsv({ example }: RealHost, domains: readonly string[]): string {
  const path = join(dirname(example.inputPath), `bench-${String(domains.length)}.csv`);
  writeFileSync(path, `domain\n${domains.join('\n')}\n`);
  return path;
}

function readingFrom(path: string) {
  const reading = { operation: 'read', fileSelector: path, options: {} };
  const extracting = { operation: 'csv', binaryPropertyName: 'data', options: {} };
  return [
    nodeOf('File', 'n8n-nodes-base.readWriteFile', 1.1, reading),
    nodeOf('Rows', 'n8n-nodes-base.extractFromFile', 1.1, extracting),
  ];
}

/** Starts a workflow from its manual trigger without waiting for it. */
export async function startRun({ rest }: RealHost, workflowId: string): Promise<string> {
  const { executionId } = (await rest.request('POST', `/rest/workflows/${workflowId}/run`, {
    triggerToStartFrom: { name: 'Start' },
  })) as { executionId: string };
  return executionId;
}

/**
 * Runs a workflow from its manual trigger and waits for its end.
 *
 * @throws if the execution fails
 */
export async function run(host: RealHost, workflowId: string): Promise<Run> {
  const { errorOf, parseExecutionData } = await import('../../scripts/lib/execution-data.mjs');
  const { status, data: text } = await untilOver(host, await startRun(host, workflowId));
  const data: unknown = parseExecutionData(text);
  if (status !== 'success') throw new Error(errorOf(data));
  const { resultData } = data as {
    resultData: {
      runData: Record<string, [{ executionTime: number; data: { main: Item[][] } }]>;
    };
  };
  const measured = resultData.runData[MEASURED]?.[0];
  if (measured === undefined) throw new Error('The measured node did not run.');
  return { milliseconds: measured.executionTime, items: measured.data.main[0] ?? [] };
}

interface Execution {
  readonly status: string;
  readonly data: string;
}

/**
 * Polls until the execution ends. An n8n that is busy with many rows can drop a connection; then
 * polls again.
 */
async function untilOver({ rest }: RealHost, executionId: string): Promise<Execution> {
  const deadline = Date.now() + LONGEST_RUN_MS;
  for (;;) {
    await sleep(LOOK_EVERY_MS);
    try {
      const execution = (await rest.request('GET', `/rest/executions/${executionId}`)) as Execution;
      if (OVER.includes(execution.status)) return execution;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
    if (Date.now() > deadline) throw new Error('The workflow does not come to its end.');
  }
}

/** Measures the cost of work for an n8n that was started with `measurable`. */
export async function costOf<T>({ userFolder }: RealHost, work: () => Promise<T>) {
  const { memoryOf } = await import('../../scripts/lib/n8n-process.mjs');
  const memory = memoryOf(userFolder);
  const idle = await memory.whenIdle();
  memory.forgetPeak();
  const result = await work();
  return { result, memoryMb: (memory.peak() - idle) / 1024 };
}

/** Resets the host's service and sets its latency. */
export async function resetService(host: RealHost, latencyMs: number): Promise<void> {
  const service = new Service(host);
  await service.control('POST', 'reset', {});
  await service.control('PUT', 'latency', { ms: latencyMs });
}

/** Starts an n8n for one measurement and stops it afterwards, even if the measurement fails. */
export async function withHost<T>(
  options: HostOptions,
  measure: (host: RealHost) => Promise<T>,
): Promise<T> {
  const host = await startRealHost(options);
  try {
    return await measure(host);
  } finally {
    await host.stop();
  }
}
