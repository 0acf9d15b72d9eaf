import { exampleNamed, outcomeOf, type Outputs } from './example';
import { useRealHost } from './harness';
import { Service, type Row } from './service';

/**
 * The example that refreshes old companies, in a real n8n with its data tables, on several days in
 * a row.
 */

const host = useRealHost();
const service = new Service(host);
let id: string;

beforeAll(async () => {
  await service.jobsTakeSeconds(0);
  ({ id } = await exampleNamed(host, 'Keep Companies Fresh'));
});

async function run(): Promise<Outputs> {
  const { status, data } = await host.rest.run(id, { triggerName: 'Start' });
  expect(status).toBe('success');
  return outcomeOf(data).outputs;
}

const statuses = (rows: Row[]) => rows.map(({ refresh }) => (refresh as Row)['status']);

test('refreshes all companies in the first run and saves the data of those that succeeded', async () => {
  const itemsOf = await run();
  const { charged } = await service.report();

  expect(statuses(itemsOf('Refresh and Wait'))).toEqual(['succeeded', 'succeeded', 'failed']);
  expect(itemsOf('Save Companies')).toMatchObject([
    {
      domain: 'ambermarket.com',
      refreshed_at: expect.any(String),
      technologies: expect.stringMatching(/\w/),
    },
    {
      domain: 'ivoryoar.com',
      refreshed_at: expect.any(String),
      technologies: expect.stringMatching(/\w/),
    },
  ]);
  expect(charged).toBe(2);
});

test('skips fresh companies in the next run and spends no credits', async () => {
  const before = await service.report();
  const itemsOf = await run();
  const after = await service.report();

  expect(statuses(itemsOf('Refresh and Wait'))).toEqual(['fresh', 'fresh', 'failed']);
  expect(itemsOf('Save Companies')).toEqual([]);
  expect(after.charged).toBe(before.charged);
  expect(after.created.jobs).toBe(before.created.jobs + 1);
});
