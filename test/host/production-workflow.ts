import { setTimeout as sleep } from 'node:timers/promises';
import type { RealHost } from './harness';

/** A node of the package, as it stands in a workflow that is tested. */
interface TestedNode {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly onError?: string;
}

/** An item as n8n stored it. */
interface StoredItem {
  readonly json: Readonly<Record<string, unknown>>;
}

/** An execution that is over or parked. */
export interface ProductionRun {
  readonly id: string;
  readonly status: string;
  /** Milliseconds since 1970; NaN while it is parked. */
  readonly startedAt: number;
  readonly stoppedAt: number;
  readonly error: { readonly message: string; readonly description?: string } | undefined;
  /** What the tested node says to the user beside its items. */
  readonly hints: readonly string[];
  /** What reached the node behind an output of the tested node: 0 the regular one, 1 that of errors. */
  items(output: 0 | 1): Array<Readonly<Record<string, unknown>>>;
}

/** A workflow in production: `Webhook → Rows → Tested → Good`, errors to `Bad`. */
export interface ProductionWorkflow {
  /** Starts it with rows and returns the id of the execution. */
  start(rows: ReadonlyArray<Readonly<Record<string, unknown>>>): Promise<string>;
  /** Waits until the execution is in one of the states. */
  until(id: string, states: readonly string[], timeoutMs?: number): Promise<ProductionRun>;
}

const OVER = ['success', 'error', 'crashed', 'canceled'];

const to = (node: string) => [{ node, type: 'main', index: 0 }];

/** The states in which an execution stays. */
export { OVER };

/** The user credential that the examples came with. */
export async function savedUserCredential(host: RealHost) {
  const credentials = (await host.rest.request('GET', '/rest/credentials')) as Array<{
    id: string;
    name: string;
    type: string;
  }>;
  return credentials.find(({ type }) => type === 'companyIntelligenceUserApi');
}

/**
 * Makes a workflow that a webhook starts, and switches it on.
 *
 * @param settings of the workflow, beside the usual
 */
export async function productionWorkflow(
  host: RealHost,
  name: string,
  tested: TestedNode,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<ProductionWorkflow> {
  const credential = await savedUserCredential(host);
  const path = name.toLowerCase().replace(/\W+/g, '-');
  const node = (index: number, nodeName: string, type: string, version: number) => ({
    id: `${path}-${String(index)}`,
    name: nodeName,
    type,
    typeVersion: version,
    position: [index * 200, 0],
  });
  const { type, ...rest } = tested;
  const workflow = (await host.rest.request('POST', '/rest/workflows', {
    name,
    active: false,
    nodes: [
      {
        ...node(0, 'Webhook', 'n8n-nodes-base.webhook', 2),
        webhookId: path,
        parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' },
      },
      {
        ...node(1, 'Rows', 'n8n-nodes-base.splitOut', 1),
        parameters: { fieldToSplitOut: 'body.rows', options: {} },
      },
      {
        ...node(2, 'Tested', `n8n-nodes-company-intelligence.${type}`, 1),
        ...rest,
        credentials: {
          companyIntelligenceUserApi: { id: credential?.id, name: credential?.name },
        },
      },
      { ...node(3, 'Good', 'n8n-nodes-base.noOp', 1), parameters: {} },
      { ...node(4, 'Bad', 'n8n-nodes-base.noOp', 1), parameters: {} },
    ],
    connections: {
      Webhook: { main: [to('Rows')] },
      Rows: { main: [to('Tested')] },
      Tested: {
        main: [to('Good'), ...(tested.onError === 'continueErrorOutput' ? [to('Bad')] : [])],
      },
    },
    settings: { executionOrder: 'v1', ...settings },
  })) as { id: string; versionId: string };
  const { id, versionId } = workflow;
  if (host.n8nVersion.startsWith('1.')) {
    await host.rest.request('PATCH', `/rest/workflows/${id}`, { active: true, versionId });
  } else {
    await host.rest.request('POST', `/rest/workflows/${id}/activate`, { versionId });
  }

  const executions = async (): Promise<string[]> => {
    const filter = encodeURIComponent(JSON.stringify({ workflowId: workflow.id }));
    const { results } = (await host.rest.request('GET', `/rest/executions?filter=${filter}`)) as {
      results: Array<{ id: string; mode: string }>;
    };
    return results.filter(({ mode }) => mode === 'webhook').map(({ id }) => id);
  };

  return {
    start: async (rows) => {
      const before = await executions();
      const body = JSON.stringify({ rows });
      const headers = { 'Content-Type': 'application/json' };
      // n8n says "active" a moment before the webhook is there.
      for (let attempt = 0; ; attempt += 1) {
        const url = `${host.n8nUrl}/webhook/${path}`;
        const { status } = await fetch(url, { method: 'POST', headers, body });
        if (status === 200) break;
        if (attempt === 100) throw new Error(`The webhook answers ${String(status)}`);
        await sleep(100);
      }
      for (;;) {
        const [id] = (await executions()).filter((one) => !before.includes(one));
        if (id !== undefined) return id;
        await sleep(100);
      }
    },
    until: async (id, states, timeoutMs = 300_000) => {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const execution = (await host.rest.request('GET', `/rest/executions/${id}`)) as {
          status: string;
          startedAt: string;
          stoppedAt: string | null;
          data: string;
        };
        if (states.includes(execution.status)) return await readRun(id, execution);
        if (Date.now() > deadline || OVER.includes(execution.status)) {
          const { errorOf, parseExecutionData } =
            await import('../../scripts/lib/execution-data.mjs');
          const why = errorOf(parseExecutionData(execution.data));
          throw new Error(`Execution ${id} of ${name} is ${execution.status}: ${why}`);
        }
        await sleep(200);
      }
    },
  };
}

async function readRun(
  id: string,
  execution: { status: string; startedAt: string; stoppedAt: string | null; data: string },
): Promise<ProductionRun> {
  const { parseExecutionData } = await import('../../scripts/lib/execution-data.mjs');
  const { resultData } = parseExecutionData(execution.data) as {
    resultData: {
      error?: { message: string; description?: string };
      runData: Record<
        string,
        Array<{ hints?: Array<{ message: string }>; data?: { main: Array<StoredItem[] | null> } }>
      >;
    };
  };
  return {
    id,
    status: execution.status,
    startedAt: Date.parse(execution.startedAt),
    stoppedAt: Date.parse(execution.stoppedAt ?? ''),
    error: resultData.error,
    hints: (resultData.runData['Tested'] ?? []).flatMap(({ hints = [] }) =>
      hints.map(({ message }) => message),
    ),
    items: (output) => {
      const runs = resultData.runData[output === 0 ? 'Good' : 'Bad'] ?? [];
      return runs.flatMap((run) => run.data?.main[0] ?? []).map(({ json }) => json);
    },
  };
}
