import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeOf } from './example';
import type { RealHost } from './harness';
import type { Row } from './service';
import { executionsOf, nodeOf, ownNode, publishNew, send, to, webhookOf } from './workflows';

interface TestedNode {
  readonly type: string;
  readonly parameters: Row;
  readonly onError?: string;
  readonly [setting: string]: unknown;
}

export type ProductionRun = Awaited<ReturnType<typeof readRun>>;

export const OVER = ['success', 'error', 'crashed', 'canceled'];

/** Maximum time until an execution is in a state: n8n takes minutes to notice a killed worker. */
const LONGEST_MS = 900_000;

/** Parameters of Refresh and Wait that keep the fields of each row. */
export const REFRESHING = {
  operation: 'refreshAndWait',
  domain: '={{ $json.company }}',
  options: {},
};

export async function productionWorkflow(
  host: RealHost,
  name: string,
  { type, parameters, ...rest }: TestedNode,
  settings: Row = {},
) {
  const path = name.toLowerCase().replace(/\W+/g, '-');
  const bad = rest.onError === 'continueErrorOutput' ? [[to('Bad')]] : [];
  const { id: workflowId } = await publishNew(host, {
    name,
    nodes: [
      webhookOf(path, 'onReceived'),
      nodeOf('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
      ownNode(host, 'Tested', type, parameters, rest),
      nodeOf('Good', 'n8n-nodes-base.noOp', 1, {}),
      nodeOf('Bad', 'n8n-nodes-base.noOp', 1, {}),
    ],
    connections: {
      Webhook: { main: [[to('Rows')]] },
      Rows: { main: [[to('Tested')]] },
      Tested: { main: [[to('Good')], ...bad] },
    },
    settings,
  });

  const executions = async (): Promise<string[]> =>
    (await executionsOf(host, { workflowId }))
      .filter(({ mode }) => mode === 'webhook')
      .map(({ id }) => id);

  return {
    start: async (rows: readonly Row[]): Promise<string> => {
      for (let attempt = 1; ; attempt += 1) {
        const before = await executions();
        const { status } = await send(host, `webhook/${path}`, { rows });
        while (status === 200) {
          const [id] = (await executions()).filter((one) => !before.includes(one));
          if (id !== undefined) return id;
          await sleep(100);
        }
        // Several processes of n8n share one SQLite database, which can be locked for a moment.
        if (status !== 500 || attempt === 4) {
          throw new Error(`The webhook answers ${String(status)}`);
        }
        await sleep(1_000);
      }
    },
    until: async (id: string, states: readonly string[]): Promise<ProductionRun> => {
      const deadline = Date.now() + LONGEST_MS;
      for (;;) {
        const execution = (await host.rest.request('GET', `/rest/executions/${id}`)) as Stored;
        const isWanted = states.includes(execution.status);
        const run = isWanted ? await readRun(id, execution) : undefined;
        // n8n 1 saves the final status of an execution a moment before its data.
        if (run !== undefined && (run.status !== 'success' || run.isStored)) return run;
        if (Date.now() > deadline || (OVER.includes(execution.status) && !isWanted)) {
          const { error } = await readRun(id, execution);
          throw new Error(`${name} is ${execution.status}: ${error?.message ?? 'no error'}`);
        }
        await sleep(200);
      }
    },
  };
}

interface Stored {
  readonly status: string;
  readonly startedAt: string;
  readonly stoppedAt: string | null;
  readonly data: string;
}

async function readRun(id: string, { status, startedAt, stoppedAt, data: text }: Stored) {
  const { parseExecutionData } = await import('../../scripts/lib/execution-data.mjs');
  const data = parseExecutionData(text) as {
    resultData: { runData: Record<string, Array<{ hints?: Array<{ message: string }> }>> };
  };
  const { error, outputs } = outcomeOf(data);
  const { Tested: tested } = data.resultData.runData;
  return {
    id,
    status,
    startedAt: Date.parse(startedAt),
    stoppedAt: Date.parse(stoppedAt ?? ''),
    error: error as { message: string } | undefined,
    isStored: tested !== undefined,
    hints: (tested ?? []).flatMap(({ hints = [] }) => hints.map(({ message }) => message)),
    items: (output: 0 | 1) => outputs(output === 0 ? 'Good' : 'Bad'),
  };
}
