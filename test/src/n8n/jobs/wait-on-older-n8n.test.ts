/**
 * Tests n8n before 2.27.3, which continues a workflow after a saved wait fails. With On Error set
 * to Stop, the node does not save the wait.
 */
import type { IExecuteFunctions } from 'n8n-workflow';

import { RESULT_ONLY } from '../../../../src/n8n/rows/output-items';
import type { OnError } from '../../../../src/n8n/failures';
import type * as Wait from '../../../../src/n8n/jobs/wait';
import type { Run } from '../../../../src/run/run';

const job = { kind: 'job', jobId: 'job_1' } as const;
const running = { row: { job_id: 'job_1', status: 'running' }, finished: false };

/** Waits on an n8n before 2.27.3. The wait ends when it falls back to waiting in the execution. */
async function wait(onError: OnError) {
  const stop = new AbortController();
  const executeWorkflow = jest.fn(async () => await Promise.resolve({ data: [], waitTill: 1 }));
  const hints: string[] = [];
  const context = {
    getMode: () => 'trigger',
    getWorkflow: () => ({ id: 'w' }),
    getWorkflowSettings: () => ({}),
    getExecutionId: () => 'e',
    getNode: () => ({ id: 'n', type: 'x', parameters: {} }),
    getInputData: () => [],
    executeWorkflow,
    addExecutionHints: ({ message }: { message: string }) => {
      hints.push(message);
      stop.abort();
    },
  } as unknown as IExecuteFunctions;
  const client = { signal: stop.signal, request: async () => await Promise.resolve(running) };
  const run = { ...client, stats: { lookedUp: 0, creditsAtMost: 0 }, withNewBreaker: () => client };
  const ends = { ifStillRunning: 'item', maxWaitMinutes: 60 } as const;
  const plan = { ...RESULT_ONLY, ...ends, rows: [job], onError };
  await jest.isolateModulesAsync(async () => {
    const actual = jest.requireActual<object>('n8n-workflow');
    jest.doMock('n8n-workflow', () => ({ ...actual, isNodeClassInstance: undefined }));
    const { waitForPlan } = jest.requireActual<typeof Wait>('../../../../src/n8n/jobs/wait');
    const waiting = waitForPlan(context, run as unknown as Run, plan, 'durable');
    await waiting.catch(() => undefined);
  });
  jest.dontMock('n8n-workflow');
  return { saved: executeWorkflow.mock.calls.length, hints };
}

it.each<[OnError, object]>([
  ['stop', { saved: 0, hints: [expect.stringContaining('2.27.3')] }],
  ['continueErrorOutput', { saved: 1, hints: [] }],
])('saves the wait, unless On Error is Stop, which it explains: %s', async (onError, expected) => {
  expect(await wait(onError)).toEqual(expected);
});
