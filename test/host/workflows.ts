import { setTimeout as sleep } from 'node:timers/promises';

import type { RealHost } from './harness';

export function nodeOf(
  name: string,
  type: string,
  typeVersion: number,
  parameters: object,
  more: object = {},
) {
  return { id: name, name, type, typeVersion, position: [0, 0], parameters, ...more };
}

export function ownNode(
  { credentials }: { readonly credentials: object },
  name: string,
  type: string,
  parameters: object,
  more: object = {},
) {
  const whole = `n8n-nodes-company-intelligence.${type}`;
  return nodeOf(name, whole, 1, parameters, { ...more, credentials });
}

export function webhookOf(path: string, responseMode: 'onReceived' | 'lastNode') {
  const parameters = { path, httpMethod: 'POST', responseMode };
  return nodeOf('Webhook', 'n8n-nodes-base.webhook', 2, parameters, { webhookId: path });
}

export const to = (node: string) => ({ node, type: 'main', index: 0 });

interface Saved {
  readonly id: string;
  readonly versionId: string;
}

interface NewWorkflow {
  readonly name: string;
  readonly nodes: ReadonlyArray<ReturnType<typeof nodeOf>>;
  readonly connections: object;
  readonly settings?: object;
  readonly pinData?: object;
}

export async function saveNew(
  { rest }: RealHost,
  { settings, ...workflow }: NewWorkflow,
): Promise<Saved> {
  return (await rest.request('POST', '/rest/workflows', {
    ...{ active: false, ...workflow },
    settings: { executionOrder: 'v1', ...settings },
  })) as Saved;
}

export async function publishNew(host: RealHost, workflow: NewWorkflow): Promise<Saved> {
  const saved = await saveNew(host, workflow);
  await publish(host, saved);
  return saved;
}

export async function publish({ n8nVersion, rest }: RealHost, workflow: Saved): Promise<void> {
  const { id, versionId } = workflow;
  if (n8nVersion.startsWith('1.')) {
    await rest.request('PATCH', `/rest/workflows/${id}`, { active: true, versionId });
  } else {
    await rest.request('POST', `/rest/workflows/${id}/activate`, { versionId });
  }
}

/** Repeats the request until the webhook exists, a moment after n8n marks its workflow as active. */
export async function send(
  { n8nUrl }: RealHost,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: string }> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetch(`${n8nUrl}/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const answer = { status: response.status, body: await response.text() };
    if (![404, 503].includes(answer.status) || attempt === 100) return answer;
    await sleep(100);
  }
}

export async function executionsOf({ rest }: RealHost, filter: object = {}) {
  const asked = encodeURIComponent(JSON.stringify(filter));
  const { results } = (await rest.request('GET', `/rest/executions?filter=${asked}&limit=100`)) as {
    results: Execution[];
  };
  return results;
}

interface Execution {
  readonly id: string;
  readonly workflowId: string;
  readonly status: string;
  readonly mode: string;
  readonly waitTill: string | null;
}

/** Waits until a published workflow has run a number of times, each time with success. */
export async function untilRun(
  host: RealHost,
  workflowId: string,
  count: number,
): Promise<Execution[]> {
  for (;;) {
    const all = await executionsOf(host, { workflowId });
    const runs = all.filter(({ mode }) => mode !== 'manual');
    const failed = runs.find(({ status }) => ['error', 'crashed'].includes(status));
    if (failed !== undefined) throw new Error(`Execution ${failed.id} failed`);
    const finished = runs.filter(({ status }) => status === 'success');
    if (finished.length >= count) return finished;
    await sleep(100);
  }
}

/** Undefined if n8n has removed the execution, as it does for one that read a data table. */
export async function dataOf({ rest }: RealHost, executionId: string): Promise<unknown> {
  const { parseExecutionData } = await import('../../scripts/lib/execution-data.mjs');
  const execution = await rest.request('GET', `/rest/executions/${executionId}`);
  if (execution === undefined) return undefined;
  return parseExecutionData((execution as { data: string }).data);
}
