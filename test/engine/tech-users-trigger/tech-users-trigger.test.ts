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
const user = (slug: string, seen: number, industry = 'Media') => ({
  slug,
  lastSeen: day(seen),
  industry,
});

const EVENTS = ['noLongerListed', 'seenAgain', 'startedUsing'];

async function watched({ options, ...parameters }: IDataObject = {}): Promise<PolledWorkflow> {
  service.users = [user('alpha', 1), user('beta', 2)];
  const workflow = new PolledWorkflow({
    node: packageNode('techUsersTrigger', {
      techKey: byId('tracker'),
      events: EVENTS,
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
    delete memory['refusedAt'];
  });
}

const HOUR = 3_600_000;

const brief = ({ items }: PolledWorkflow) => items.map((item) => [item['event'], item['domain']]);

it('emits new, returning and lost users once each, even when n8n restarts', async () => {
  const workflow = await watched();
  expect(workflow.executions).toEqual([]);
  service.users = [user('alpha', 120), user('gamma', 119)];
  await workflow.poll();
  workflow.kill();
  await workflow.activate();

  expect(brief(workflow)).toEqual([
    ['started_using', 'gamma.com'],
    ['seen_again', 'alpha.com'],
    ['no_longer_listed', 'beta.com'],
  ]);
  expect(workflow.items[2]).toHaveProperty('company_name', 'beta');
  expect(workflow.items[1]).toMatchObject({
    tech_key: 'tracker',
    last_seen_at: day(120),
    previous_last_seen_at: day(1),
    slug: 'alpha',
    detection_count: 1,
  });
  expect(workflow.items[2]).toMatchObject({
    last_seen_at: day(2),
    slug: 'beta',
    domain: 'beta.com',
  });
});

it('starts no execution when only the evidence gets newer', async () => {
  const workflow = await watched();
  for (let today = 10; today < 60; today += 10) {
    service.users = [user('alpha', today), user('beta', today)];
    await workflow.poll();
  }

  expect(workflow.executions).toEqual([]);
});

it('does not treat the time while it was off as a gap', async () => {
  const workflow = await watched();
  stopAndRead(workflow, Date.parse(day(3)));
  service.users = [user('alpha', 120), user('beta', 120)];
  await workflow.activate();

  expect(workflow.items).toEqual([]);
});

it('emits seen_again after a restart when the gap was before it', async () => {
  const workflow = await watched({ options: { gapDays: 30 } });
  const at = (days: number) => Date.parse(day(days));
  const clock = jest.spyOn(Date, 'now');
  for (let today = 2; today < 40; today += 1) {
    clock.mockReturnValue(at(today));
    await workflow.poll();
  }
  workflow.kill();
  service.users = [user('alpha', 40), user('beta', 2)];
  await workflow.activate();
  clock.mockRestore();

  expect(brief(workflow)).toEqual([['seen_again', 'alpha.com']]);
});

it('emits only companies that match the filters', async () => {
  const workflow = await watched({ filters: { industry: 'software; Retail' } });
  service.users.push(user('gamma', 5, 'Software'), user('delta', 6, 'Media'));
  await workflow.poll();
  service.users = service.users.filter(({ slug }) => ['alpha', 'beta'].includes(slug));
  await workflow.poll();

  expect(brief(workflow)).toEqual([
    ['started_using', 'gamma.com'],
    ['no_longer_listed', 'gamma.com'],
  ]);
  expect(service.asked.length).toBeGreaterThanOrEqual(3);
  for (const path of service.asked) expect(path).toContain('include=firmographics');
});

it('reads further pages for up to a day when the industry of a company is unknown', async () => {
  const clock = jest.spyOn(Date, 'now');
  const now = Date.parse(day(300));
  clock.mockReturnValue(now);
  const workflow = await watched({ filters: { industry: 'Software' } });
  const others = Array.from({ length: 250 }, (_one, index) =>
    user(`u${String(index)}`, 290 - index),
  );
  service.users = [...others, { ...user('gamma', 1), industry: null }];
  await workflow.poll();
  const reads = async () => {
    const before = service.asked.length;
    await workflow.poll();
    return service.asked.length - before;
  };
  expect(await reads()).toBeGreaterThan(1);
  clock.mockReturnValue(now + 2 * 86_400_000);
  expect(await reads()).toBe(1);
  clock.mockReturnValue(now + HOUR);
  service.users = [...others, user('gamma', 1, 'Software')];
  await workflow.poll();
  clock.mockRestore();

  expect(brief(workflow)).toEqual([['started_using', 'gamma.com']]);
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

it('starts over when the technology or the filters change', async () => {
  const workflow = await watched();
  await workflow.activate({ parameters: { techKey: byId('other') } });
  await workflow.activate({ parameters: { filters: { country: 'France' } } });

  expect(workflow.items).toEqual([]);
  expect(workflow.logsWith('started over')).toHaveLength(2);
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
  await expect(anHourAgo()).rejects.toThrow('40 of 40 users would be gone');
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
