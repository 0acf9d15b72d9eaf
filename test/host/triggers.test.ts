import { setTimeout as sleep } from 'node:timers/promises';

import { ChangingService } from '../engine/shared/changing-service';
import { byId } from './example';
import { useRealHost } from './harness';
import { PublishedTrigger, type Emitted } from './published-trigger';
import { Service } from './service';

/**
 * The examples with triggers, published on a real n8n that polls every minute, while the data of the
 * service changes, and that is killed and started again between polls.
 */

const seen = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();

const host = useRealHost({ sandboxArgs: ['--companies', '400'] });
const service = new Service(host);
let changing: ChangingService;
let list: PublishedTrigger;
let users: PublishedTrigger;
let accounts: PublishedTrigger;
let listId: string;
let companies: string[];

beforeAll(async () => {
  changing = await new ChangingService().start();
  companies = await service.domains(8);
  listId = String((await service.ask('lists', { name: 'Watched' }))['list_id']);
  await addToList(0, 1, 2);
  changing.users = [{ slug: 'alpha', lastSeen: seen(1) }];
  use('crm-a');
  const { id, name } = (await host.rest.request('POST', '/rest/credentials', {
    name: 'A service whose data change',
    type: 'companyIntelligenceUserApi',
    data: { baseUrl: changing.baseUrl, apiKey: 'ci_user_of_this_test' },
  })) as { id: string; name: string };
  const credential = { id, name };

  list = await PublishedTrigger.publish(host, 'Tell What Changed in a List', {
    listId: byId(listId),
  });
  users = await PublishedTrigger.publish(
    host,
    'Tell New Users of a Technology',
    { techKey: byId('tracker') },
    credential,
  );
  accounts = await PublishedTrigger.publish(
    host,
    'Tell What Changed at My Accounts',
    {
      accounts: 'dataTable',
      dataTableId: await tableOf('https://www.alpha.com/'),
      column: 'domain',
      rivals: 'crm-a, crm-b',
    },
    credential,
  );
  // n8n polls when it has taken the workflow up, a while after it was published.
  await until(async () => {
    const { recent } = await service.report();
    const asked = [...recent.map(({ path }) => path), ...changing.asked];
    return ['/members', '/technologies/', 'POST /v1/companies'].every((part) =>
      asked.some((path) => path.includes(part)),
    );
  });
  await sleep(2000);
});

afterAll(async () => {
  await changing.stop();
});

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(500);
}

async function addToList(...numbers: number[]): Promise<void> {
  const domains = numbers.map((number) => companies[number]);
  await service.ask(`lists/${listId}/domains`, { domains });
}

async function tableOf(...domains: string[]): Promise<string> {
  const { rest } = host;
  const { id: project } = (await rest.request('GET', '/rest/projects/personal')) as { id: string };
  const tables = `/rest/projects/${project}/data-tables`;
  const { id } = (await rest.request('POST', tables, {
    name: 'My Accounts',
    columns: [{ name: 'domain', type: 'string' }],
  })) as { id: string };
  const data = domains.map((domain) => ({ domain }));
  await rest.request('POST', `${tables}/${id}/insert`, { data });
  return id;
}

/** From now on the account uses these technologies. */
function use(...keys: string[]): void {
  const technologies = keys.map((key) => ({ key }));
  changing.companies = { 'alpha.com': { technologies, partnerships: {} } };
}

const brief = (items: readonly Emitted[]) =>
  items.map(({ event, domain, tech_key: key }) => [event, domain, key].filter(Boolean).join(' '));

const added = (number: number) => `added ${companies[number] ?? ''}`;

test('the first poll says nothing, the next one each change', async () => {
  expect([...(await list.emitted()), ...(await users.emitted())]).toEqual([]);
  expect(await accounts.emitted()).toEqual([]);
  await addToList(3);
  changing.users.push({ slug: 'beta', lastSeen: seen(2) });
  use('crm-a', 'shop');

  expect(brief(await list.until(1))).toEqual([added(3)]);
  expect(brief(await users.until(1))).toEqual(['started_using beta.com tracker']);
  expect(brief(await accounts.until(1))).toEqual(['technology_adopted alpha.com shop']);
});

test('after kill -9 and a start each change comes once, also the one that happened meanwhile', async () => {
  await sleep(2000);
  await host.kill();
  await addToList(4);
  changing.users.push({ slug: 'gamma', lastSeen: seen(3) });
  use('crm-b', 'shop');
  await host.restart();
  await Promise.all([list.until(2), users.until(2), accounts.until(2)]);

  await sleep(2000);
  await host.kill();
  await host.restart();
  await addToList(5);
  changing.users = changing.users.filter(({ slug }) => slug !== 'alpha');
  use('crm-b');
  const all = await Promise.all([list.until(3), users.until(3), accounts.until(3)]);

  expect(all.map(brief)).toEqual([
    [added(3), added(4), added(5)],
    [
      'started_using beta.com tracker',
      'started_using gamma.com tracker',
      'no_longer_listed alpha.com tracker',
    ],
    [
      'technology_adopted alpha.com shop',
      'technology_migrated alpha.com',
      'technology_dropped alpha.com shop',
    ],
  ]);
  const ids = all.flat().map((item) => item['change_id']);
  expect(new Set(ids).size).toBe(9);
});

test('Fetch Test Event shows an item of every event', async () => {
  for (const trigger of [list, users, accounts]) {
    const { status } = await host.rest.run(trigger.workflowId, { triggerName: trigger.node });
    expect(status).toBe('success');
    const items = (await trigger.emitted()).filter((item) =>
      String(item['change_id']).startsWith('test-event-'),
    );
    expect(items).toHaveLength(3);
  }
});
