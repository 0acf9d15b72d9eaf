/** Refresh and Wait: when the node suspends the execution, and what n8n runs meanwhile. */
import type {
  ExecuteWorkflowOptions,
  IDataObject,
  IExecuteWorkflowInfo,
  INodeExecutionData,
  WorkflowExecuteMode,
} from 'n8n-workflow';

import { runWorkflow, source } from '../harness';
import { ON_ERROR, sentTo, userCredential } from '../shared/service';
import { openInlineWorkflow } from './inline-workflow';
import {
  companyItems,
  NAME,
  refreshNode,
  startJob,
  startsAt,
  useFastSandbox,
  type Change,
} from './refresh-and-wait';

const sandbox = useFastSandbox();
beforeEach(() => {
  // Jobs last 30 s of this service's time, so that the first poll finds them running on any machine.
  sandbox.setChoices({ jobSeconds: { first: 1800, last: 1800 } });
});

/** Runs the node in an n8n that records a sub-workflow, or fails, instead of running it. */
async function park(
  mode: WorkflowExecuteMode,
  change: Change = {},
  { items, failure }: { items?: IDataObject[]; failure?: Error } = {},
) {
  const parked: Array<{ info: IExecuteWorkflowInfo; options: ExecuteWorkflowOptions }> = [];
  const job = items === undefined ? await startJob(sandbox, ['a.com']) : 'job_000001';
  const run = await runWorkflow({
    mode,
    nodes: [source(items ?? [{ job }]), refreshNode({ operation: 'waitForJob', ...change })],
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

/** Suspends the execution, and opens the workflow that polls for it. */
async function suspend(change: Change = {}, items?: IDataObject[]) {
  const { parked, job } = await park('trigger', change, items && { items });
  const { info, options } = parked[0]!;
  return { job, proceed: await openInlineWorkflow(info, options, userCredential(sandbox)) };
}

const jsonOf = (items: INodeExecutionData[]): IDataObject[] => items.map(({ json }) => json);
const credentialsThat = (getDecrypted: () => Promise<never>) => {
  const usable = { getParentTypes: () => [], isCredentialUsableByNode: () => true };
  return { ...usable, getDecrypted } as never;
};

const LOSSES = ['items', 'error'] as const;

const COMPANIES = [{ company: 'a.com' }, { company: 'junk' }, { company: 'b.com' }];

/** Each row of a lost wait keeps its input, and names the job for Wait for Job. */
function expectLost(items: INodeExecutionData[], job: string): void {
  const message = expect.stringMatching('lost this wait.*Wait for Job') as unknown;
  const running = {
    ...{ refresh_status: 'still_running', refresh_job_id: job },
    refresh_message: message,
  };
  expect(jsonOf(items)).toMatchObject([
    { company: 'a.com', ...running },
    { company: 'junk', refresh_status: 'invalid' },
    { company: 'b.com', ...running },
  ]);
}

const pollsOf = (job: string): number =>
  sentTo(sandbox).filter(({ path }) => path === `/v1/jobs/${job}`).length;
/** Until the service allows the next poll, and has completed a usual job. */
const nextPoll = async (seconds = 31): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
};

it('suspends the execution once with the items, jobs and credential, but not the key', async () => {
  const { parked, run, job } = await park('trigger');

  expect(parked).toHaveLength(1);
  const { info, options } = parked[0]!;
  expect(options).toMatchObject({
    parentExecution: { shouldResume: true },
    executionMode: 'trigger',
  });
  expect(options.inputData).toMatchObject([
    { json: { state: { jobs: [{ job_id: job, finished: false }] }, inputs: [{ json: { job } }] } },
  ]);
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
  ['a wait too short to suspend', 'trigger', { options: { maxWaitMinutes: 1 } }],
])('waits in the execution instead of suspending it for %s', async (_what, mode, change) => {
  const { parked, run, job } = await park(mode, change);

  expect(parked).toEqual([]);
  expect(run.json(NAME)).toMatchObject([{ job_id: job, finished: true }]);
});

it('waits in memory and adds a hint when n8n cannot suspend the execution', async () => {
  const failure = new Error('Sub-workflows are switched off');
  const { run, job } = await park('trigger', {}, { failure });

  expect(run.json(NAME)).toMatchObject([{ job_id: job, finished: true }]);
  expect(run.hints(NAME)).toMatchObject([
    { message: expect.stringContaining('Sub-workflows are switched off') },
    { message: expect.stringMatching(/^Result for 1 row: 1 /) },
  ]);
});

it.each(['durableWaitWatch', 'durableWaitResults', 'durableWaitRound'])(
  '%s fails with a reason when a workflow uses it',
  async (operation) => {
    const { run } = await park('trigger', { operation });

    expect(run.error?.message).toBe('Only this node itself can use this operation, while it waits');
  },
);

describe('a suspended wait', () => {
  it('polls at each resumption, and outputs every row with its own input and one job', async () => {
    const [a, b] = companyItems(sandbox, 2) as [IDataObject, IDataObject];
    const items = [a, { company: 'junk' }, b, a];
    const { job, proceed } = await suspend({ operation: 'refreshAndWait' }, items);

    const waiting = await proceed();
    expect(waiting.status).toBe('waiting');
    expect(waiting.waitTill!.getTime() - Date.now()).toBeGreaterThan(65_000);
    // The node itself has just polled.
    expect(pollsOf(job)).toBe(1);

    await nextPoll();
    const over = await proceed();
    expect(over).toMatchObject({ status: 'success', waitTill: undefined });
    const done = { refresh_job_id: job, refresh_job_status: 'completed' };
    expect(jsonOf(over.items)).toMatchObject([
      { ...a, refresh_domain: a['company'], ...done },
      { company: 'junk', refresh_status: 'invalid' },
      { ...b, refresh_domain: b['company'], ...done },
      { ...a, refresh_domain: a['company'], ...done },
    ]);
    expect(over.items.map(({ pairedItem }) => pairedItem)).toEqual(
      items.map((_item, item) => ({ item })),
    );
    expect(startsAt(sandbox)).toBe(1);
    expect(pollsOf(job)).toBe(2);
  });

  it.each(ON_ERROR)('outputs running jobs if n8n loses all its executions: %s', async (onError) => {
    sandbox.setChoices({ jobSeconds: { first: 100_000, last: 100_000 } });
    const change = { operation: 'refreshAndWait', settings: { onError } };
    const { job, proceed } = await suspend(change, COMPANIES);

    expectLost((await proceed()).items, job);
    await nextPoll();
    expectLost((await proceed()).items, job);
    expect(startsAt(sandbox)).toBe(1);
  });

  it.each(LOSSES)(
    'polls at once when n8n has lost the polling with an %s, and outputs running jobs the third time',
    async (loses) => {
      sandbox.setChoices({ jobSeconds: { first: 100_000, last: 100_000 } });
      const { job, proceed } = await suspend({ operation: 'refreshAndWait' }, COMPANIES);
      await proceed();
      for (let lost = 1; lost <= 2; lost += 1) {
        await nextPoll();
        expect(await proceed({ loses })).toMatchObject({ status: 'waiting' });
      }
      await nextPoll();
      const { status, items } = await proceed({ loses });

      expect(status).toBe('success');
      expectLost(items, job);
      expect(pollsOf(job)).toBe(3);
      expect(startsAt(sandbox)).toBe(1);
    },
  );

  it('goes on when the database does not respond while it polls', async () => {
    const { job, proceed } = await suspend({ settings: { onError: 'continueErrorOutput' } });
    await proceed();
    const fails = () => Promise.reject(new Error('Connection terminated unexpectedly'));
    const credentialsHelper = credentialsThat(fails);
    expect(await proceed({ credentialsHelper, parent: fails() })).toMatchObject({
      status: 'waiting',
    });
    await nextPoll();

    expect(jsonOf((await proceed()).items)).toMatchObject([{ job_id: job, finished: true }]);
  });

  it('stops the workflow with the error of a failed poll', async () => {
    const { job, proceed } = await suspend();
    const match = { path: `/v1/jobs/${job}` };
    sandbox.addFault({
      ...{ preset: 'notFound', options: { code: 'job_not_found' } },
      ...{ match, when: 'every' },
    });
    await proceed();
    await nextPoll();

    const { status, error } = await proceed();
    expect(status).toBe('error');
    expect(error?.message).toMatch(/refresh job doesn't exist/);
  });

  it('names the job in each row when the credential is deleted between two rounds', async () => {
    const { job, proceed } = await suspend({ settings: { onError: 'continueErrorOutput' } });
    await proceed();
    class CredentialNotFoundError extends Error {}
    const fails = () => Promise.reject(new CredentialNotFoundError('It is gone'));

    const { items } = await proceed({ credentialsHelper: credentialsThat(fails) });
    expect(jsonOf(items)).toMatchObject([{ error: { job_id: job } }]);
  });

  it.each([
    ['stopped', { resultData: { error: { message: 'The execution was cancelled' } } }],
    ['deleted', undefined],
  ])('ends without a poll and an item when the execution was %s', async (_what, parent) => {
    const { job, proceed } = await suspend();
    await proceed();
    await nextPoll();

    expect(await proceed({ parent })).toMatchObject({ status: 'success', items: [] });
    expect(pollsOf(job)).toBe(1);
  });
});
