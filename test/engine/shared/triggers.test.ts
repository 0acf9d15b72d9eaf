/** Every trigger: the credits that a poll can spend, and the items of Fetch Test Event. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { choicesOf, TRIGGERS as NODES } from '../../nodes/nodes';
import { PolledWorkflow } from '../harness';
import { byId } from './nodes';
import { createList, useLists } from '../list-members/list-members';
import { packageNode, trackedDomains, userCredential } from './service';

const sandbox = useLists();

const TRIGGERS: Record<string, () => Promise<INodeParameters> | INodeParameters> = {
  listMembersTrigger: async () => ({ listId: byId(await createList(sandbox, 10)) }),
  techUsersTrigger: () => ({
    techKey: byId(sandbox.world.technologies[0]?.key ?? ''),
  }),
  accountChangesTrigger: () => ({ domains: trackedDomains(sandbox, 10).join('\n') }),
};

describe.each(Object.entries(TRIGGERS))('%s', (type, parametersOf) => {
  const polled = async (more: INodeParameters, fields: IDataObject = {}) =>
    new PolledWorkflow({
      node: packageNode(type, { ...(await parametersOf()), ...more }),
      credentials: userCredential(sandbox, 'user', fields),
    });

  it.each([
    [100, 2, 2],
    [3, 100, 3],
    [0, 4, 4],
  ])(
    'fails once for up to 1 credit at the stricter of Max Credits %d and %d per run, and says so',
    async (own, perRun, allowed) => {
      const workflow = await polled({ options: { maxCredits: own } }, { maxCreditsPerRun: perRun });
      const description = /^(Nothing was|Up to 1 credit was) charged.* emitted nothing/;

      await expect(workflow.activate()).rejects.toMatchObject({
        message: expect.stringContaining(`Max Credits (${String(allowed)})`),
        description: expect.stringMatching(description),
      });
      const { requests } = sandbox.report();
      await workflow.poll().catch(() => undefined);
      expect(sandbox.report()).toMatchObject({ requests });
      expect(sandbox.report().charged).toBeLessThanOrEqual(1);
    },
  );

  it('outputs one sample item per event without a request for Fetch Test Event', async () => {
    const { node } = NODES.find((one) => one.node.description.name === type)!;
    const events = choicesOf(node, 'events').map(({ value }) => String(value));
    const workflow = await polled({ events });
    const { requests } = sandbox.report();
    const items = await workflow.test();

    const words = events.map((name) => name.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`));
    expect(items.map(({ event }) => event).sort()).toEqual(words);
    const company = { domain: 'example.com', company_name: 'Example Inc.' };
    for (const item of items) expect(item).toMatchObject(company);
    expect(sandbox.report().requests).toBe(requests);
  });
});

it('Tech Users Trigger refuses an invalid tech key before anything is sent', async () => {
  const workflow = new PolledWorkflow({
    node: packageNode('techUsersTrigger', { techKey: byId('HubSpot CRM') }),
    credentials: userCredential(sandbox, 'user', {}),
  });
  const refusal = /"HubSpot CRM" is not a tech key/;

  await expect(workflow.test()).rejects.toThrow(refusal);
  await expect(workflow.activate()).rejects.toThrow(refusal);
  expect(sandbox.report().requests).toBe(0);
});
