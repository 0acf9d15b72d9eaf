/** Tech Users Trigger in n8n's poll context, against a service whose data changes. */
import type { IDataObject } from 'n8n-workflow';

import { PolledWorkflow } from '../harness';
import { ChangingService } from '../shared/changing-service';
import { byId } from '../shared/nodes';
import { credentialFor, packageNode } from '../shared/service';

let service: ChangingService;
beforeEach(async () => {
  service = await new ChangingService().start();
});
afterEach(async () => {
  await service.stop();
});

const day = (number: number) => new Date(Date.UTC(2026, 0, number)).toISOString();
const user = (slug: string, seen: number) => ({ slug, lastSeen: day(seen) });

async function watched({ options, ...parameters }: IDataObject = {}): Promise<PolledWorkflow> {
  service.users = [user('alpha', 1), user('beta', 2)];
  const workflow = new PolledWorkflow({
    node: packageNode('techUsersTrigger', {
      techKey: byId('tracker'),
      events: ['noLongerListed', 'startedUsing'],
      ...parameters,
      options: { minMinutesBetweenReads: 0, ...(options as IDataObject) },
    }),
    credentials: credentialFor(service.baseUrl),
  });
  await workflow.activate();
  return workflow;
}

/** Stops n8n, and moves the last read to another time. */
function stopAndRead(workflow: PolledWorkflow, readAt: number): void {
  workflow.kill();
  workflow.tamper((memory) => {
    memory['readAt'] = readAt;
  });
}

const HOUR = 3_600_000;

const brief = ({ items }: PolledWorkflow) => items.map((item) => [item['event'], item['domain']]);

it('emits new and removed users once each, even when n8n restarts', async () => {
  const workflow = await watched({ options: { firmographics: true } });
  expect(workflow.executions).toEqual([]);
  service.users = [user('alpha', 120), user('gamma', 119)];
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
});

it('starts no execution when only the evidence gets newer', async () => {
  const workflow = await watched();
  for (let today = 10; today < 60; today += 10) {
    service.users = [user('alpha', today), user('beta', today)];
    await workflow.poll();
  }

  expect(workflow.executions).toEqual([]);
});

it('treats a company as the same when only its slug or its domain changes', async () => {
  const workflow = await watched();
  service.users = [user('alpha', 1), { ...user('beta-inc', 2), domain: 'beta.com' }];
  await workflow.poll();
  service.users = [user('alpha', 1), { ...user('beta-inc', 2), domain: 'beta.org' }];
  await workflow.poll();

  expect(workflow.executions.flat()).toEqual([]);
});

it.each([40, 50, 150, 250])(
  'emits a new user when Max Credits is %d and a poll reads 40 users',
  async (maxCredits) => {
    const workflow = await watched({ options: { maxCredits } });
    service.users = Array.from({ length: 38 }, (_one, index) => user(`u${String(index)}`, 3));
    service.users.push(user('alpha', 1));
    await workflow.poll();
    service.users.push(user('new', 4));
    await workflow.poll();

    expect(brief(workflow).slice(-1)).toEqual([['started_using', 'new.com']]);
  },
);

it('reads the whole list when it watches a vendor', async () => {
  const workflow = await watched({ watchBy: 'vendor', vendorDomain: 'https://tracker.com' });
  service.users.push(user('old', 0));
  await workflow.poll();

  expect(brief(workflow)).toEqual([['started_using', 'old.com']]);
  expect(workflow.items[0]).toMatchObject({ vendor_domain: 'tracker.com' });
  expect(service.asked.at(-1)).toContain('/v1/vendors/tracker.com/companies');
});

it('starts over when the technology changes', async () => {
  const workflow = await watched();
  await workflow.activate({ parameters: { techKey: byId('other') } });

  expect(workflow.items).toEqual([]);
  expect(workflow.logsWith('because it watches something else now')).toHaveLength(1);
});

it('does not read again within Min Minutes Between Reads, which is 60 by default', async () => {
  const workflow = await watched({ options: { minMinutesBetweenReads: undefined } });
  const before = service.asked.length;
  await workflow.poll();
  await workflow.poll();

  expect(service.asked).toHaveLength(before);
  expect(workflow.logsWith('Min Minutes Between Reads is 60')).toHaveLength(1);
});

it('reads again when Min Minutes Between Reads has passed', async () => {
  const workflow = await watched({ options: { minMinutesBetweenReads: 60 } });
  const readsAfter = async (minutes: number) => {
    stopAndRead(workflow, Date.now() - minutes * 60_000);
    const before = service.asked.length;
    await workflow.activate();
    return service.asked.length > before;
  };

  expect(await readsAfter(59)).toBe(false);
  expect(await readsAfter(60)).toBe(true);
});

it('waits Min Minutes Between Reads after a poll that it treated as a fault', async () => {
  const workflow = await watched({ options: { minMinutesBetweenReads: 60 } });
  const many = Array.from({ length: 40 }, (_one, index) => user(`u${String(index)}`, 3));
  const anHourAgo = async () => {
    stopAndRead(workflow, Date.now() - HOUR);
    await workflow.activate();
  };
  service.users = many;
  await anHourAgo();
  service.users = [];
  await expect(anHourAgo()).rejects.toThrow('40 of 40 users would be removed');
  const before = service.asked.length;
  await workflow.poll();
  expect(service.asked).toHaveLength(before);

  service.users = [...many, user('new', 4)];
  await anHourAgo();
  expect(brief(workflow).slice(-1)).toEqual([['started_using', 'new.com']]);
});

it('reads again in the next poll when a read failed', async () => {
  const workflow = await watched({ options: { minMinutesBetweenReads: 60 } });
  stopAndRead(workflow, Date.now() - HOUR);
  service.status = 403;
  await expect(workflow.activate()).rejects.toThrow();
  service.status = 200;
  const before = service.asked.length;
  await workflow.poll();

  expect(service.asked.length).toBeGreaterThan(before);
});
