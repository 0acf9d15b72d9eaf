/**
 * A process that runs one workflow on n8n's engine, without n8n's database. It reports the cost of
 * that run. Start it with `--expose-gc`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
  defineNode,
  node,
  PolledWorkflow,
  runWorkflow,
  source,
  type NodeSpec,
} from '../../test/engine/harness';
import { company, COUNT_PATH, listOf, TECH_KEY } from './many-companies';
import { carryOut } from './processes';

export interface Order {
  readonly work: keyof typeof WORKS;
  /** Sizes to measure in order. An unmeasured run comes first, which loads and compiles the code. */
  readonly sizes: readonly number[];
  readonly baseUrl: string;
}

export interface Cost {
  readonly milliseconds: number;
  readonly cpuMs: number;
  /** Peak of the resident memory, minus the memory before the run. */
  readonly memoryMb: number;
  readonly requests: number;
}

type Work = () => Promise<unknown>;

const MEASURED = 'Measured';

const byId = (value: string): INodeParameters => ({ __rl: true, mode: 'id', value });

function own(name: string, parameters: INodeParameters): NodeSpec {
  return node(`n8n-nodes-company-intelligence.${name}`, { name: MEASURED, parameters });
}

function credentials({ baseUrl }: Order) {
  const limits = { requestsPerMinute: 1e9, requestsPerDay: 1e9, maxBatchSize: 100 };
  return { companyIntelligenceUserApi: { baseUrl, apiKey: 'ci_user_of_the_bench', ...limits } };
}

type Check = (json: IDataObject) => boolean;

/**
 * Prepares a run of a node with `rows` input items. The run fails unless all output items are
 * right.
 */
function running(order: Order, rows: number, measured: NodeSpec, isRight: Check): Work {
  const domains = Array.from({ length: rows }, (_unused, row) => ({ domain: domainOf(row) }));
  const nodes = [source(domains), measured];
  return async () => {
    const run = await runWorkflow({ nodes, credentials: credentials(order) });
    if (run.error !== undefined) throw new Error(run.error.message);
    const right = run.output(MEASURED).filter(({ json }) => isRight(json)).length;
    if (right !== rows) throw new Error(`${String(right)} of ${String(rows)} items are right.`);
  };
}

const domainOf = (row: number): string => `company-${String(row)}.example`;
const isTracked: Check = ({ enrichment }) => (enrichment as IDataObject)['status'] === 'tracked';

/** A node that outputs as many items as Bulk Enrich, of the same size, without any request. */
const items = defineNode('Items', (context) =>
  Promise.resolve([
    context.getInputData().map(({ json }, item) => {
      const enrichment = { ...json, status: 'tracked', company: company(item, false) };
      return { json: { ...json, enrichment }, pairedItem: { item } };
    }),
  ]),
);

/** Functions that prepare a measurement, by the name of the work. */
const WORKS = {
  items: (order: Order, rows: number) =>
    running(order, rows, node(items, { name: MEASURED }), isTracked),
  enrich: (order: Order, rows: number) =>
    running(order, rows, own('bulkEnrich', { domain: '={{ $json.domain }}' }), isTracked),
  file: (order: Order, limit: number) => {
    const techKey = byId(TECH_KEY);
    const list = { operation: 'getByTechnology', techKey, include: ['firmographics'] };
    return running(
      order,
      1,
      own('techUsers', { ...list, limit, output: 'csv' }),
      ({ rows }) => rows === limit,
    );
  },
  poll: async (order: Order, rows: number): Promise<Work> => {
    const options = { minMinutesBetweenReads: 0 };
    const workflow = new PolledWorkflow({
      node: own('listMembersTrigger', { listId: byId(listOf(rows)), options }),
      credentials: credentials(order),
    });
    await workflow.activate();
    return async () => {
      await workflow.poll();
    };
  },
};

/** Returns the resident memory in MB, now or at its peak. */
function resident(field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync('/proc/self/status', 'utf8');
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

async function whenIdle(): Promise<number> {
  for (let time = 0; time < 3; time += 1) {
    globalThis.gc?.();
    await sleep(200);
  }
  writeFileSync('/proc/self/clear_refs', '5');
  return resident('VmRSS');
}

async function costOf(order: Order, rows: number): Promise<Cost> {
  const requests = async () => Number(await (await fetch(order.baseUrl + COUNT_PATH)).text());
  const work = await WORKS[order.work](order, rows);
  const before = await requests();
  const idle = await whenIdle();
  const cpu = process.cpuUsage();
  const begun = performance.now();
  await work();
  const milliseconds = performance.now() - begun;
  const { user, system } = process.cpuUsage(cpu);
  return {
    milliseconds,
    cpuMs: (user + system) / 1000,
    memoryMb: resident('VmHWM') - idle,
    requests: (await requests()) - before,
  };
}

carryOut(async (order: Order): Promise<Cost[]> => {
  await Container.get(BinaryDataService).init();
  await costOf(order, 1);
  const costs: Cost[] = [];
  for (const rows of order.sizes) costs.push(await costOf(order, rows));
  return costs;
});
