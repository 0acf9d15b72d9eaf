import { setTimeout as sleep } from 'node:timers/promises';
import { outcomeOf } from './example';
import type { RealHost } from './harness';
import { executionsOf, nodeOf, publishNew, send, to, webhookOf } from './workflows';

/** A node of the package in a tested workflow. */
interface TestedNode {
  readonly type: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly onError?: string;
  readonly retryOnFail?: boolean;
  readonly maxTries?: number;
  readonly waitBetweenTries?: number;
}

/** An execution that has ended or is suspended. */
export type ProductionRun = Awaited<ReturnType<typeof readRun>>;

export type ProductionWorkflow = Awaited<ReturnType<typeof productionWorkflow>>;

/** The final states of an execution. */
export const OVER = ['success', 'error', 'crashed', 'canceled'];

/** Returns the user credential that belongs to the imported examples. */
export async function savedUserCredential(host: RealHost) {
  const credentials = (await host.rest.request('GET', '/rest/credentials')) as Array<{
    id: string;
    name: string;
    type: string;
  }>;
  return credentials.find(({ type }) => type === 'companyIntelligenceUserApi');
}

/**
 * Creates and publishes a workflow `Webhook → Rows → Tested → Good`, with errors to `Bad`.
 *
 * @param settings additional workflow settings
 */
export async function productionWorkflow(
  host: RealHost,
  name: string,
  tested: TestedNode,
  settings: Readonly<Record<string, unknown>> = {},
) {
  const path = name.toLowerCase().replace(/\W+/g, '-');
  const { type, parameters, ...rest } = tested;
  const { id, name: saved } = (await savedUserCredential(host)) ?? {};
  const workflow = await publishNew(host, {
    name,
    nodes: [
      webhookOf(path, 'onReceived'),
      nodeOf('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.rows', options: {} }),
      nodeOf('Tested', `n8n-nodes-company-intelligence.${type}`, 1, parameters, {
        ...rest,
        credentials: { companyIntelligenceUserApi: { id, name: saved } },
      }),
      nodeOf('Good', 'n8n-nodes-base.noOp', 1, {}),
      nodeOf('Bad', 'n8n-nodes-base.noOp', 1, {}),
    ],
    connections: {
      Webhook: { main: [[to('Rows')]] },
      Rows: { main: [[to('Tested')]] },
      Tested: {
        main: [[to('Good')], ...(tested.onError === 'continueErrorOutput' ? [[to('Bad')]] : [])],
      },
    },
    settings,
  });

  const executions = async (): Promise<string[]> =>
    (await executionsOf(host, workflow.id))
      .filter(({ mode }) => mode === 'webhook')
      .map(({ id }) => id);

  return {
    /** Starts the workflow with rows, and returns the ID of the execution. */
    start: async (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): Promise<string> => {
      const before = await executions();
      const { status } = await send(host, `webhook/${path}`, { rows });
      if (status !== 200) throw new Error(`The webhook answers ${String(status)}`);
      for (;;) {
        const [id] = (await executions()).filter((one) => !before.includes(one));
        if (id !== undefined) return id;
        await sleep(100);
      }
    },
    /** Waits until the execution is in one of the states. */
    until: async (
      id: string,
      states: readonly string[],
      timeoutMs = 300_000,
    ): Promise<ProductionRun> => {
      const deadline = Date.now() + timeoutMs;
      for (;;) {
        const execution = (await host.rest.request('GET', `/rest/executions/${id}`)) as {
          status: string;
          startedAt: string;
          stoppedAt: string | null;
          data: string;
        };
        const isWanted = states.includes(execution.status);
        const run = isWanted ? await readRun(id, execution) : undefined;
        // n8n 1 saves the final status of an execution a moment before its data.
        if (run !== undefined && (run.status !== 'success' || run.isStored)) return run;
        if (Date.now() > deadline || (OVER.includes(execution.status) && !isWanted)) {
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
) {
  const { parseExecutionData } = await import('../../scripts/lib/execution-data.mjs');
  const data = parseExecutionData(execution.data) as {
    resultData: { runData: Record<string, Array<{ hints?: Array<{ message: string }> }>> };
  };
  const { error, outputs } = outcomeOf(data);
  return {
    id,
    status: execution.status,
    /** Milliseconds since 1970. */
    startedAt: Date.parse(execution.startedAt),
    stoppedAt: Date.parse(execution.stoppedAt ?? ''),
    error: error as { message: string; description?: string } | undefined,
    isStored: 'Tested' in data.resultData.runData,
    /** Texts of the tested node's hints. */
    hints: (data.resultData.runData['Tested'] ?? []).flatMap(({ hints = [] }) =>
      hints.map(({ message }) => message),
    ),
    /**
     * Returns the items of an output of the tested node: 0 is the regular output, 1 the error
     * output.
     */
    items: (output: 0 | 1) => outputs(output === 0 ? 'Good' : 'Bad'),
  };
}
