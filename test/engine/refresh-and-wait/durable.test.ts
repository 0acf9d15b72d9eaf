/** Refresh and Wait: when the node suspends the execution, and what it then requests from n8n. */
import type {
  ExecuteWorkflowOptions,
  IExecuteWorkflowInfo,
  WorkflowExecuteMode,
} from 'n8n-workflow';

import { runWorkflow, source } from '../harness';
import { userCredential } from '../shared/service';
import { NAME, refreshNode, useFastSandbox, startJob, type Change } from './refresh-and-wait';

const sandbox = useFastSandbox();
beforeEach(() => {
  // Jobs last so long that the first poll does not find them completed.
  sandbox.setChoices({ jobSeconds: { first: 180, last: 180 } });
});

/** Runs the node in an n8n that records a sub-workflow, or fails, instead of running it. */
async function park(mode: WorkflowExecuteMode, change: Change = {}, failure?: Error) {
  const parked: Array<{ info: IExecuteWorkflowInfo; options: ExecuteWorkflowOptions }> = [];
  const job = await startJob(sandbox, ['a.com']);
  const run = await runWorkflow({
    mode,
    nodes: [source([{ job }]), refreshNode({ operation: 'waitForJob', ...change })],
    credentials: userCredential(sandbox),
    executeWorkflow: (info, _additionalData, options) => {
      parked.push({ info, options });
      if (failure !== undefined) return Promise.reject(failure);
      const waitTill = new Date(Date.now() + 66_000);
      return Promise.resolve({ executionId: 'child', data: [[{ json: {} }]], waitTill });
    },
  });
  return { parked, run, job };
}

it('suspends the execution once with the items, jobs and credential, but not the key', async () => {
  const { parked, run, job } = await park('trigger');

  expect(parked).toHaveLength(1);
  const { info, options } = parked[0]!;
  expect(options).toMatchObject({
    parentExecution: { shouldResume: true },
    executionMode: 'trigger',
  });
  const [first, ...items] = options.inputData!;
  expect(first?.json).toMatchObject({ state: { jobs: [{ job_id: job, finished: false }] } });
  expect(Number(first?.json.wait_seconds)).toBeGreaterThanOrEqual(66);
  expect(items.map(({ json }) => json)).toEqual([{ job }]);
  expect(info.code?.settings).toMatchObject({ callerPolicy: 'workflowsFromSameOwner' });
  const own = info.code?.nodes.filter(({ type }) => type.endsWith('.refreshAndWait')) ?? [];
  const credential: unknown = expect.any(Object);
  expect(own.map((node) => node.credentials?.companyIntelligenceUserApi)).toEqual([
    credential,
    credential,
  ]);
  expect(JSON.stringify(parked)).not.toContain(sandbox.keys.user);
  expect(run.json(NAME)).toEqual([]);
});

it.each<[string, WorkflowExecuteMode, Change]>([
  ['a run from the editor', 'manual', {}],
  ['a run from the command line', 'cli', {}],
  ['Wait Mode set to In Execution', 'trigger', { options: { waitMode: 'inExecution' } }],
  ['a wait too short to suspend', 'trigger', { options: { maxWaitMinutes: 1 } }],
])('waits in the execution instead of suspending it for %s', async (_what, mode, change) => {
  const { parked, run, job } = await park(mode, change);

  expect(parked).toEqual([]);
  expect(run.json(NAME)).toMatchObject([{ job_id: job, finished: true }]);
});

it('waits in memory and adds a hint when n8n cannot suspend the execution', async () => {
  const { run, job } = await park('trigger', {}, new Error('Sub-workflows are switched off'));

  expect(run.json(NAME)).toMatchObject([{ job_id: job, finished: true }]);
  expect(run.hints(NAME)).toMatchObject([
    { message: expect.stringContaining('Sub-workflows are switched off') },
    { message: expect.stringMatching(/^Result for 1 row: 1 /) },
  ]);
});

it.each(['durableWaitRounds', 'durableWaitPoll', 'durableWaitResults'])(
  '%s fails with a reason when a workflow uses it',
  async (operation) => {
    const { run } = await park('trigger', { operation });

    expect(run.error?.message).toBe('Only this node itself can use this operation, while it waits');
  },
);
