/** Tech Users Trigger in n8n's poll context, against a service whose data changes. */
import type { IDataObject } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { PolledWorkflow } from '../harness';
import { byId } from '../shared/nodes';
import { credentialFor, packageNode, useService } from '../shared/service';
import { answerFrom, useTriggerData } from '../shared/trigger-data';

const service = useService();
const data = useTriggerData(service);

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();
const user = (slug: string, seen: number) => ({ slug, lastSeen: day(seen) });

async function watched(
  { options, ...parameters }: IDataObject = {},
  n8n: { durableBudgetMs?: number } = {},
): Promise<PolledWorkflow> {
  data.users = [user('alpha', 1), user('beta', 2)];
  const workflow = new PolledWorkflow({
    node: packageNode('techUsersTrigger', {
      techKey: byId('tracker'),
      events: ['noLongerListed', 'startedUsing'],
      ...parameters,
      options: { minMinutesBetweenReads: 0, ...(options as IDataObject) },
    }),
    credentials: credentialFor(service.baseUrl),
    ...n8n,
  });
  await workflow.activate();
  return workflow;
}

const brief = ({ items }: PolledWorkflow) => items.map((item) => [item['event'], item['domain']]);

it('emits new and removed users once each, even when n8n restarts', async () => {
  const workflow = await watched({ options: { firmographics: true } });
  expect(workflow.executions).toEqual([]);
  data.users = [user('alpha', 120), user('gamma', 119)];
  await workflow.poll();
  workflow.kill();
  await workflow.activate();

  expect(brief(workflow)).toEqual([
    ['started_using', 'gamma.com'],
    ['no_longer_listed', 'beta.com'],
  ]);
  expect(workflow.items[0]).toMatchObject({
    tech_key: 'tracker',
    last_seen_at: day(119),
    slug: 'gamma',
    detection_count: 1,
    industry: 'Media',
  });
  expect(workflow.items[1]).toMatchObject({ slug: 'beta', company_name: 'beta' });
  expect(service.received[0]?.url).toContain('include=firmographics');

  await workflow.activate({ parameters: { techKey: byId('other') } });
  expect(workflow.items).toHaveLength(2);
  expect(workflow.logsWith('(first poll)')).toHaveLength(2);
});

it('reads the whole list when it watches a vendor', async () => {
  const workflow = await watched({ watchBy: 'vendor', vendorDomain: 'https://tracker.com' });
  data.users = [...data.users, user('old', 0)];
  await workflow.poll();

  expect(brief(workflow)).toEqual([['started_using', 'old.com']]);
  expect(workflow.items[0]).toMatchObject({ vendor_domain: 'tracker.com' });
  expect(service.received.at(-1)?.url).toContain('/v1/vendors/tracker.com/companies');
});

it('reads again when Min Minutes Between Reads, 60 by default, have passed', async () => {
  const workflow = await watched({ options: { minMinutesBetweenReads: undefined } });
  const readsAfter = async (minutes: number) => {
    const before = service.received.length;
    workflow.kill();
    workflow.tamper((memory) => {
      memory['readAt'] = Date.now() - minutes * 60_000;
    });
    await workflow.activate().catch(() => undefined);
    return service.received.length > before;
  };

  expect(workflow.logsWith('Min Minutes Between Reads is 60')).toHaveLength(1);
  expect(await readsAfter(59)).toBe(false);
  service.answer(json({ error: 'no' }, 403));
  expect(await readsAfter(60)).toBe(true);
  // A read that failed does not count.
  await expect(workflow.poll()).rejects.toThrow();
});

it('emits changes once when two durable polls are due together and the first reads for 70 s', async () => {
  const workflow = await watched({}, { durableBudgetMs: 60_000 });
  const started = Date.now();
  const clock = jest.spyOn(Date, 'now');
  data.users = [...data.users, user('gamma', 3)];
  service.answer((request, response) => {
    clock.mockReturnValue(started + 70_000);
    answerFrom(data)(request, response);
  });
  // n8n has not stored the execution when it starts the other poll with the earlier state.
  workflow.onEmit = () => {
    throw new Error('not yet');
  };
  await workflow.poll();
  await workflow.poll();
  clock.mockRestore();

  expect(brief(workflow)).toEqual([['started_using', 'gamma.com']]);
});
