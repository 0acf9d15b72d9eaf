import { setTimeout as sleep } from 'node:timers/promises';

import type { RealHost } from './harness';

export async function listExecutions(host: RealHost) {
  const { results } = (await host.rest.request('GET', '/rest/executions?limit=50')) as {
    results: Array<{ id: string; workflowId: string; status: string; waitTill: string | null }>;
  };
  return results;
}

/** Returns when n8n continues the executions that poll, in Unix milliseconds. */
export async function listDueTimes(host: RealHost): Promise<number[]> {
  const filter = encodeURIComponent(JSON.stringify({ status: ['waiting'] }));
  const { results } = (await host.rest.request(
    'GET',
    `/rest/executions?limit=100&filter=${filter}`,
  )) as { results: Array<{ waitTill: string }> };
  const times = results.map(({ waitTill }) => Date.parse(waitTill));
  return times.filter((time) => time < Date.now() + DAY_MS);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Waits until no polling round runs, none begins within 3 seconds, and n8n has resumed each execution
 * whose polling has ended. After kill -9, n8n does not continue what was running.
 */
export async function untilQuiet(host: RealHost): Promise<void> {
  const isBusy = async (): Promise<boolean> => {
    const polling = new Map<string, number>();
    for (const { workflowId, status, waitTill } of await listExecutions(host)) {
      const waitMs = new Date(waitTill ?? 0).getTime() - Date.now();
      if (status === 'new' || status === 'running') return true;
      if (status !== 'waiting') continue;
      if (waitMs < 3000) return true;
      // Two executions wait, without an end, for the one that polls.
      const change = waitMs > DAY_MS ? -1 : 2;
      polling.set(workflowId, (polling.get(workflowId) ?? 0) + change);
    }
    return [...polling.values()].some((missing) => missing < 0);
  };
  while (await isBusy()) await sleep(100);
}
