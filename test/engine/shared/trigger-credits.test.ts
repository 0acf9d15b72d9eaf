/** What a poll may spend is bounded by the node and by the credential, whichever is lower. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { PolledWorkflow } from '../harness';
import { byId } from './nodes';
import { createList, useLists } from '../list-members/list-members';
import { packageNode, trackedDomains, userCredential } from './service';

const sandbox = useLists();

const TRIGGERS: Record<string, () => Promise<INodeParameters> | INodeParameters> = {
  listMembersTrigger: async () => ({ listId: byId(await createList(sandbox, 10)) }),
  techUsersTrigger: () => ({
    techKey: {
      __rl: true,
      mode: 'id',
      value: sandbox.world.technologies[0]?.key ?? '',
    },
  }),
  accountChangesTrigger: () => ({ domains: trackedDomains(sandbox, 10).join('\n') }),
};

describe.each(Object.entries(TRIGGERS))('%s', (type, parametersOf) => {
  const polled = async (options: INodeParameters, fields: IDataObject) =>
    new PolledWorkflow({
      node: packageNode(type, { ...(await parametersOf()), options }),
      credentials: userCredential(sandbox, 'user', fields),
    });

  it.each([
    [100, 2, 2],
    [3, 100, 3],
    [0, 4, 4],
  ])('with Max Credits %d and %d per run of the credential', async (own, perRun, allowed) => {
    const workflow = await polled({ maxCredits: own }, { maxCreditsPerRun: perRun });

    await expect(workflow.activate()).rejects.toThrow(`${String(allowed)} credits at most`);
    expect(sandbox.report().charged).toBeLessThanOrEqual(allowed);
  });

  it('without either it polls', async () => {
    const workflow = await polled({}, {});
    await workflow.activate();

    expect(workflow.logsWith('remembered')).toHaveLength(1);
  });
});
