import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { BEGIN_NODE } from '../../../../src/n8n/inline-workflow';
import { durableSteps } from '../../../../src/n8n/jobs/suspend-execution';
import { createWaitState } from '../../../../src/n8n/jobs/wait-state';
import { STEPS } from '../../../../src/n8n/jobs/waiting-workflow';
import { RESULT_ONLY } from '../../../../src/n8n/items/write';

const state = { ...createWaitState(['a'], Date.now() + 600_000), rounds: 1 };
const rows = [
  { kind: 'job', jobId: 'a' },
  { kind: 'job', jobId: 'a' },
];
const plan = { ...RESULT_ONLY, rows, onError: 'continueRegularOutput' };
const wait = { parent_execution_id: '1', over: false, wait_seconds: 66 };
const begun = { json: { state, plan, ...wait } };

const beginning = [begun, { json: {} }, { json: {} }];

/** Runs a step of the internal workflows in a simulated n8n context. */
async function step(operation: string, given: Readonly<Record<string, unknown>>) {
  const context = {
    getInputSourceData: () => ({ previousNode: 'Wait' }),
    getInputData: () => [begun],
    getNode: () => ({ id: 'n', name: 'Step', parameters: {} }),
    getWorkflow: () => ({ id: 'w' }),
    getExecutionId: () => '2',
    getMode: () => 'integrated',
    getWorkflowSettings: () => ({}),
    getNodeParameter: () => undefined,
    getParentNodes: () => [{ name: BEGIN_NODE }],
    getWorkflowDataProxy: () => ({ $items: () => beginning, $runIndex: 0 }),
    getExecutionDataById: () => Promise.resolve({ resultData: {} }),
    addExecutionHints: () => undefined,
    ...given,
  } as unknown as IExecuteFunctions;
  const found = durableSteps.find(({ option }) => option.value === operation);
  return ((await found?.execute(context)) ?? [])[0] ?? [];
}

it('fails the jobs when the credential is deleted between two rounds', async () => {
  const [item] = await step(STEPS.poll, {
    getCredentials: () => Promise.reject(new Error('The credential is gone')),
  });

  expect(item?.json).toMatchObject({ over: true, state: { jobs: [{ finished: false }] } });
  expect(item?.json).not.toHaveProperty('state.jobs.0.failure', null);
});

describe('polling', () => {
  const STALLED = { error: 'job stalled more than maxStalledCount' };
  /** Runs the step Rounds after polling was lost some times; `left` is its input from n8n. */
  async function rounds(losses: number, left: IDataObject) {
    const begunWith: INodeExecutionData[][] = [];
    const items = await step(STEPS.rounds, {
      getInputData: () => [{ json: left }],
      getWorkflowDataProxy: () => ({ $items: () => beginning, $runIndex: losses }),
      executeWorkflow: (_code: unknown, input: INodeExecutionData[]) => {
        begunWith.push(input);
        return Promise.resolve({ data: [[{ json: { over: true } }]], waitTill: new Date() });
      },
    });
    return { items, begunWith: begunWith.flat().map(({ json }) => json) };
  }

  it('receives the jobs, and names the job in each row when the wait is lost', async () => {
    const { items, begunWith } = await rounds(0, begun.json);

    expect(begunWith).toMatchObject([{ state, ...wait, wait_seconds: expect.any(Number) }]);
    const lost = { error: { code: 'wait_lost', job_id: 'a' } };
    expect(items.map(({ json }) => json)).toMatchObject([lost, lost]);
  });

  it('restarts from the last saved state when its process died', async () => {
    const failed = await rounds(1, STALLED);
    const later = { ...state, rounds: 4 };
    const parked = await rounds(2, { state: later, over: false });

    expect(failed.begunWith).toMatchObject([{ state }]);
    expect(parked.begunWith).toMatchObject([{ state: later }]);
  });

  it('polls the jobs once more when Max Wait has passed while the execution was suspended', async () => {
    const late = { ...state, give_up_at: Date.now() - 60_000 };
    const { begunWith } = await rounds(1, { state: late });

    expect(begunWith).toMatchObject([{ over: false }]);
    expect(Number(begunWith[0]?.wait_seconds)).toBeGreaterThanOrEqual(66);
  });

  it('is abandoned when its process dies a fourth time', async () => {
    const { items, begunWith } = await rounds(4, STALLED);
    expect(begunWith).toEqual([]);
    expect(items[0]?.json).toMatchObject({
      over: true,
      state: { jobs: [{ job_id: 'a', failure: { error: 'wait_lost' } }] },
    });
  });
});
