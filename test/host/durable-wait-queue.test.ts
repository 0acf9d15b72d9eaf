import { startRealHost, type RealHost } from './harness';
import { productionWorkflow } from './production-workflow';
import { Service } from './service';

/**
 * Refresh and Wait on an n8n in queue mode, whose executions are parked, while first a worker and
 * then the main process are killed.
 */

let host: RealHost;
let service: Service;

beforeAll(async () => {
  host = await startRealHost({ workers: 2 });
  service = new Service(host);
});

afterAll(async () => {
  await host.stop();
});

test('a worker and then main killed with -9 while it waits: the result comes, from one job per hundred', async () => {
  const domains = await service.domains(150);
  await service.jobsTakeSeconds(80);
  const workflow = await productionWorkflow(host, 'Queue', {
    type: 'refreshAndWait',
    parameters: { operation: 'refreshAndWait', domain: '={{ $json.company }}', options: {} },
  });
  const id = await workflow.start(domains.map((company) => ({ company })));
  await workflow.until(id, ['waiting']);

  await host.workers[0]?.kill();
  await host.kill();
  await host.restart();
  const run = await workflow.until(id, ['success'], 280_000);

  const results = run.items(0).map(({ refresh }) => refresh as Record<string, unknown>);
  expect(results.map(({ domain }) => domain)).toEqual(domains);
  expect(results.every(({ job_status: status }) => status === 'completed')).toBe(true);
  expect(new Set(results.map(({ job_id: job }) => job)).size).toBe(2);
  const { created, violations } = await service.report();
  expect(created.jobs).toBe(2);
  expect(violations).toEqual([]);
  for (const times of (await service.polls()).values()) {
    for (const [index, time] of times.slice(1).entries()) {
      expect(time - (times[index] ?? 0)).toBeGreaterThanOrEqual(60_000);
    }
  }
});
