import { setTimeout as sleep } from 'node:timers/promises';

import type { RealHost } from './harness';
import { productionWorkflow } from './production-workflow';
import type { Row } from './service';
import { executionsOf } from './workflows';

/** Starts an execution of Refresh and Wait, and waits until it is suspended. */
export async function park(
  host: RealHost,
  name: string,
  parameters: Row,
  rows: readonly Row[],
  { onError = 'stopWorkflow', ...settings }: { onError?: string; executionTimeout?: number } = {},
) {
  const tested = { type: 'refreshAndWait', parameters, onError };
  const workflow = await productionWorkflow(host, name, tested, settings);
  const id = await workflow.start(rows);
  await workflow.until(id, ['waiting']);
  return { id, rows, until: async (state: string) => await workflow.until(id, [state]) };
}

export type Parked = Awaited<ReturnType<typeof park>>;

const DAY_MS = 24 * 60 * 60 * 1000;

const dueTime = ({ waitTill }: { readonly waitTill: string | null }) =>
  new Date(waitTill ?? 0).getTime();

/** Returns when n8n continues the executions that poll, in Unix milliseconds. */
export async function listDueTimes(host: RealHost): Promise<number[]> {
  const waiting = await executionsOf(host, { status: ['waiting'] });
  return waiting.map(dueTime).filter((time) => time < Date.now() + DAY_MS);
}

/**
 * Waits until no polling round runs, none begins within 3 seconds, and n8n has resumed each execution
 * whose polling has ended. After kill -9, n8n does not continue what was running.
 */
export async function untilQuiet(host: RealHost): Promise<void> {
  const isBusy = async (): Promise<boolean> => {
    const polling = new Map<string, number>();
    for (const execution of await executionsOf(host)) {
      const { workflowId, status } = execution;
      if (status === 'new' || status === 'running') return true;
      if (status !== 'waiting') continue;
      const waitMs = dueTime(execution) - Date.now();
      if (waitMs < 3000) return true;
      // Two executions wait, without an end, for the one that polls.
      const change = waitMs > DAY_MS ? -1 : 2;
      polling.set(workflowId, (polling.get(workflowId) ?? 0) + change);
    }
    return [...polling.values()].some((missing) => missing < 0);
  };
  while (await isBusy()) await sleep(100);
}
