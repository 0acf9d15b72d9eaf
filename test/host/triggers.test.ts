import { startRealHost, type RealHost } from './harness';
import { PublishedTrigger } from './published-trigger';
import { Service } from './service';

/**
 * The examples with triggers, published on a real n8n that polls every minute, while the data of the
 * service changes, and that is killed and started again between polls.
 */

let host: RealHost;
let service: Service;
let list: PublishedTrigger;
let listId: string;
let companies: string[];

beforeAll(async () => {
  host = await startRealHost({ sandboxArgs: ['--companies', '400'] });
  service = new Service(host);
  companies = await service.domains(12);
  listId = String((await service.ask('lists', { name: 'Watched' }))['list_id']);
  await service.ask(`lists/${listId}/domains`, { domains: companies.slice(0, 3) });
  list = await PublishedTrigger.publish(host, 'Tell What Changed in a List', {
    listId: { __rl: true, mode: 'id', value: listId },
    options: { minMinutesBetweenReads: 0 },
  });
});

afterAll(async () => {
  await host.stop();
});

const brief = (items: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
  items.map((item) => `${String(item['event'])} ${String(item['primary_domain'])}`);

test('the first poll says nothing, a later one says each change, once', async () => {
  expect(await list.emitted()).toEqual([]);
  await service.ask(`lists/${listId}/domains`, { domains: [companies[3]] });
  await list.until(1);

  expect(brief(await list.emitted())).toEqual([`added ${companies[3] ?? ''}`]);
});

test('after kill -9 and a start each change comes once', async () => {
  await host.kill();
  await service.ask(`lists/${listId}/domains`, { domains: [companies[4]] });
  await host.restart();
  await list.until(2);
  await host.kill();
  await host.restart();
  await service.ask(`lists/${listId}/domains`, { domains: [companies[5]] });
  const items = await list.until(3);

  expect(brief(items)).toEqual([3, 4, 5].map((index) => `added ${companies[index] ?? ''}`));
  expect(new Set(items.map((item) => item['change_id'])).size).toBe(3);
});
