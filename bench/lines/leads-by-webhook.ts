import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import axios from 'axios';
import type { HostOptions, RealHost } from '../../test/host/harness';
import { Service } from '../../test/host/service';
import {
  activateWorkflow,
  own,
  reportOf,
  resetService,
  saveCredential,
  withHost,
  type MeasuredNode,
} from '../lib/n8n';
import { percentile95, stream } from '../lib/stream';
import { LIMIT } from '../lib/window';
import type { Line, Row, Tools } from '../table';

/** Rates to try in order, in leads per second. */
const RATES = [10, 14, 20, 28, 40, 56, 80, 112, 160, 224];
const SECONDS = 15;
const LATENCY_MS = 150;
const COMPANIES = 3_000;
const MOST_MS = 2_000;
/** Unmeasured leads, during which n8n registers the webhook and loads and compiles its code. */
const WARM_UP = 20;

/**
 * n8n recommends this setting for many executions: it does not save successful ones in its
 * database.
 */
const BUSY = { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' };

/**
 * No connection is kept open: n8n could close it just when the next lead uses it, and the lead
 * would wrongly count as lost. A lead without a response after `timeout` counts as lost.
 */
const CALL = { httpAgent: new Agent({ keepAlive: false }), timeout: 15_000 };

interface Measured {
  readonly leads: number;
  readonly lost: number;
  readonly requests: number;
  readonly throttled: number;
  /**
   * 95th percentile in milliseconds, from the call of the webhook to its response. The next field
   * is that of the node.
   */
  readonly answer95: number;
  readonly node95: number;
}

interface Answer {
  readonly milliseconds: number;
  readonly ofNode: number;
}

/** One execution per lead, at the highest rate that this n8n can execute. */
export const leadsByWebhook: Line = {
  name: 'leads-by-webhook',
  title: 'Single leads through a webhook, as many as n8n takes',
  measure: async (tools) => [
    ...(await measureOn({ mode: 'n8n in one process', mayLose: 0 }, tools)),
    ...(await measureOn({ mode: 'n8n with two workers', workers: 2, mayLose: 0.01 }, tools)),
  ],
};

interface Setup extends Pick<HostOptions, 'workers'> {
  readonly mode: string;
  /**
   * Share of responses that n8n itself sometimes omits, at any rate, although it executes all
   * leads.
   */
  readonly mayLose: number;
}

async function measureOn({ mode, mayLose, ...host }: Setup, { repeat }: Tools): Promise<Row[]> {
  const measure = async (host: RealHost): Promise<Row[]> => {
    const domains = await new Service(host).domains(COMPANIES);
    const nothing = { type: 'n8n-nodes-base.noOp', typeVersion: 1, parameters: {} };
    const sendNothing = await prepare(host, nothing, '={{ $json.domain }}', domains);
    const enrich = own('bulkEnrich', { domain: '={{ $json.domain }}', options: {} });
    const sendOurs = await prepare(host, enrich, '={{ $json.enrichment.domain }}', domains);
    const most = await ceiling(sendNothing, mayLose);
    return await repeat(async () => {
      const ours = await sendOurs(most);
      const peer = await sendNothing(most);
      return [
        {
          what: `Single leads through a webhook, ${mode}, ${String(most)} a second, 150 ms latency`,
          ours: `${shown(ours)}, ${String(ours.requests)} requests, ${String(ours.throttled)} refused; the node: 95 % within ${seconds(ours.node95)}`,
          against: `No Operation in its place: ${shown(peer)}`,
          ratio: (ours.leads - ours.lost) / (peer.leads - peer.lost),
          target: `the node: 95 % within 2 s, none refused, ${String(100 - 100 * mayLose)} % answered`,
          met: ours.node95 <= MOST_MS && ours.lost <= mayLose * ours.leads && ours.throttled === 0,
          always: true,
          note: 'The most leads a second, of rates that grow by 1.4, of which n8n with No Operation answers all, 95 % within 2 s: that is what this n8n on this machine can execute at all. It keeps no executions that went well. With workers n8n now and then leaves an answer out, at any rate, with No Operation too. The ratio is that of leads answered.',
        },
      ];
    });
  };
  const sandboxArgs = ['--companies', String(COMPANIES)];
  return await withHost({ ...host, env: BUSY, sandboxArgs }, measure);
}

type Send = (perSecond: number) => Promise<Measured>;

/** Finds the highest rate at which n8n responds to all leads in time. */
async function ceiling(send: Send, mayLose: number): Promise<number> {
  let most = RATES[0] ?? 0;
  for (const rate of RATES) {
    const { leads, lost, answer95 } = await send(rate);
    if (lost > mayLose * leads || answer95 > MOST_MS) break;
    most = rate;
  }
  return most;
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(2)} s`;

function shown({ leads, lost, answer95 }: Measured): string {
  return `${String(leads - lost)} of ${String(leads)} answered, 95 % within ${seconds(answer95)}`;
}

/** Prepares a workflow with a node, and returns a function that sends leads to it. */
async function prepare(
  host: RealHost,
  node: MeasuredNode,
  found: string,
  domains: readonly string[],
): Promise<Send> {
  const settings = { requestsPerMinute: LIMIT, redisUrl: host.redisUrl ?? '' };
  const path = node.type.replace(/\W+/g, '-');
  await activateWorkflow(host, node, await saveCredential(host, settings), path, found);
  const send = async (domain: string): Promise<Answer | undefined> => {
    const begun = performance.now();
    try {
      const url = `${host.n8nUrl}/webhook/${path}`;
      const { data } = await axios.post<Record<string, unknown>>(url, { domain }, CALL);
      const { milliseconds, found } = data;
      if (found !== domain) return undefined;
      return { milliseconds: performance.now() - begun, ofNode: Number(milliseconds) };
    } catch {
      return undefined;
    }
  };
  for (const domain of domains.slice(0, WARM_UP)) {
    if ((await send(domain)) === undefined) await sleep(500);
  }
  return async (perSecond) => {
    await resetService(host, LATENCY_MS);
    const leads = perSecond * SECONDS;
    const sent = await stream(
      leads,
      1000 / perSecond,
      async (lead) => await send(domains[lead % domains.length] ?? ''),
    );
    const answers = sent.filter((answer) => answer !== undefined);
    const { requests, byStatus } = await reportOf(host);
    return {
      leads,
      lost: leads - answers.length,
      requests,
      throttled: byStatus['429'] ?? 0,
      answer95: percentile95(answers.map(({ milliseconds }) => milliseconds)),
      node95: percentile95(answers.map(({ ofNode }) => ofNode)),
    };
  };
}
