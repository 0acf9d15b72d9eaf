/** Creates and starts the soak's workflows in n8n. */
import { savedUserCredential } from '../test/host/production-workflow';
import type { RealHost } from '../test/host/harness';
import type { Row, Workload } from './workloads';

/** Name of the node whose output the soak checks. */
export const WATCHED = 'Watched';

const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });

interface Saved {
  readonly id: string;
  readonly versionId: string;
}

function placed(index: number, path: string, name: string, type: string, typeVersion: number) {
  return { id: `${path}-${String(index)}`, name, type, typeVersion, position: [index * 200, 0] };
}

async function activate({ rest }: RealHost, { id, versionId }: Saved): Promise<void> {
  await rest.request('POST', `/rest/workflows/${id}/activate`, { versionId });
}

/** Deactivates a workflow, so that it starts no more executions. */
export async function deactivate({ rest }: RealHost, id: string): Promise<void> {
  await rest.request('POST', `/rest/workflows/${id}/deactivate`);
}

async function watched(host: RealHost, path: string, { type, ...node }: Workload['node']) {
  const credential = await savedUserCredential(host);
  return {
    ...placed(2, path, WATCHED, `n8n-nodes-company-intelligence.${type}`, 1),
    ...node,
    credentials: {
      companyIntelligenceUserApi: { id: credential?.id, name: credential?.name },
    },
  };
}

export const pathOf = ({ name }: Workload): string => name.toLowerCase().replace(/\W+/g, '-');

/**
 * Saves and activates `Webhook → Rows → Watched`.
 *
 * @returns the id of the workflow
 */
export async function saveWebhookWorkflow(host: RealHost, workload: Workload): Promise<string> {
  const path = pathOf(workload);
  const saved = (await host.rest.request('POST', '/rest/workflows', {
    name: workload.name,
    nodes: [
      {
        ...placed(0, path, 'Webhook', 'n8n-nodes-base.webhook', 2),
        webhookId: path,
        parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' },
      },
      {
        ...placed(1, path, 'Rows', 'n8n-nodes-base.splitOut', 1),
        parameters: { fieldToSplitOut: 'body.rows', options: {} },
      },
      await watched(host, path, workload.node),
    ],
    connections: { Webhook: to('Rows'), Rows: to(WATCHED) },
    settings: { executionOrder: 'v1' },
  })) as Saved;
  await activate(host, saved);
  return saved.id;
}

/** Saves and activates a workflow that looks up a company every few seconds. */
export async function saveScheduledWorkflow(host: RealHost, domain: string): Promise<string> {
  const path = 'scheduled';
  const saved = (await host.rest.request('POST', '/rest/workflows', {
    name: 'Scheduled',
    nodes: [
      {
        ...placed(0, path, 'Schedule', 'n8n-nodes-base.scheduleTrigger', 1.2),
        parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 7 }] } },
      },
      await watched(host, path, {
        type: 'companyLookup',
        parameters: { operation: 'get', identifier: domain },
        onError: 'continueErrorOutput',
      }),
    ],
    connections: { Schedule: to(WATCHED) },
    settings: { executionOrder: 'v1' },
  })) as Saved;
  await activate(host, saved);
  return saved.id;
}

/**
 * Starts a workflow.
 *
 * @returns whether n8n accepted the run
 */
export async function start(
  { n8nUrl }: RealHost,
  workload: Workload,
  run: string,
  rows: readonly Row[],
): Promise<boolean> {
  const { status } = await fetch(`${n8nUrl}/webhook/${pathOf(workload)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ run, rows }),
  });
  return status === 200;
}
