/** The triggers in the poll context of every engine. */
import type { INodeParameters } from 'n8n-workflow';

import { PolledWorkflow } from '../engine/harness';
import {
  credentialFor,
  packageNode,
  startUnlimitedSandbox,
  useService,
  userCredential,
} from '../engine/shared/service';
import { useTriggerData } from '../engine/shared/trigger-data';
import { ask, byId } from '../engine/shared/nodes';
import { createList } from '../engine/list-members/list-members';

const service = useService();
const data = useTriggerData(service);

const options = { minMinutesBetweenReads: 0 };

function polled(
  type: string,
  parameters: INodeParameters,
  credentials = credentialFor(service.baseUrl),
): PolledWorkflow {
  return new PolledWorkflow({ node: packageNode(type, { options, ...parameters }), credentials });
}

/** Runs a first poll, makes a change and kills n8n; returns the events. */
async function eventsOf(workflow: PolledWorkflow, change: () => void | Promise<void>) {
  expect((await workflow.test()).length).toBeGreaterThan(0);
  await workflow.activate();
  await change();
  await workflow.poll();
  workflow.kill();
  await workflow.activate();
  return workflow.items.map(({ event }) => event);
}

it('List Members Trigger emits a change once when n8n is killed after the poll', async () => {
  const sandbox = await startUnlimitedSandbox({ companies: 100 });
  try {
    const list = await createList(sandbox);
    const domains = [sandbox.world.companies[0]?.primaryDomain];
    const workflow = polled('listMembersTrigger', { listId: byId(list) }, userCredential(sandbox));
    const events = await eventsOf(workflow, async () => {
      await ask(sandbox, 'POST', `lists/${list}/domains`, { domains });
    });

    expect(events).toEqual(['added']);
  } finally {
    await sandbox.close();
  }
});

it('Tech Users Trigger emits a change once when n8n is killed after the poll', async () => {
  data.users = [{ slug: 'alpha', lastSeen: '2026-01-01T00:00:00Z' }];
  const events = await eventsOf(polled('techUsersTrigger', { techKey: byId('tracker') }), () => {
    data.users = [...data.users, { slug: 'beta', lastSeen: '2026-01-02T00:00:00Z' }];
  });

  expect(events).toEqual(['started_using']);
});

it('Account Changes Trigger emits a change once when n8n is killed after the poll', async () => {
  const use = (...technologies: string[]) => {
    data.accounts = { 'alpha.com': { technologies } };
  };
  use('crm-a');
  const workflow = polled('accountChangesTrigger', { domains: 'alpha.com' });

  expect(
    await eventsOf(workflow, () => {
      use('crm-b');
    }),
  ).toEqual(['technology_adopted', 'technology_dropped']);
});
