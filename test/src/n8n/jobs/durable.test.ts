import type { IExecuteFunctions } from 'n8n-workflow';

import { durableSteps } from '../../../../src/n8n/jobs/durable';
import { beginWait } from '../../../../src/n8n/jobs/wait-state';
import { BEGIN, STEPS } from '../../../../src/n8n/jobs/waiting-workflow';

it('a credential that is gone between two rounds fails the jobs, and keeps the rows', async () => {
  const state = { ...beginWait(['a'], Date.now() + 600_000), rounds: 1 };
  const begun = { json: { state, plan: { rows: [] }, parent_execution_id: '1' } };
  const context = {
    getInputSourceData: () => ({ previousNode: 'Wait' }),
    getNode: () => ({ name: 'Poll', parameters: {} }),
    getNodeParameter: () => undefined,
    getParentNodes: () => [{ name: BEGIN }],
    getWorkflowDataProxy: () => ({ $: () => ({ isExecuted: false }), $items: () => [begun] }),
    getExecutionDataById: () => Promise.resolve({ resultData: {} }),
    getCredentials: () => Promise.reject(new Error('The credential is gone')),
  } as unknown as IExecuteFunctions;
  const poll = durableSteps.find(({ option }) => option.value === STEPS.poll);
  const [[item] = []] = (await poll?.execute(context)) ?? [];

  expect(item?.json).toMatchObject({ over: true, state: { jobs: [{ finished: false }] } });
  expect(item?.json).not.toHaveProperty('state.jobs.0.failure', null);
});
