import { readFileSync } from 'node:fs';
import { readCsv } from './example';
import { useRealHost } from './harness';
import { productionWorkflow, REFRESHING } from './production-workflow';
import { Service } from './service';

/**
 * The last version of n8n 1, as a real n8n: the demo's workflow, and a wait that it cannot suspend.
 */

const host = useRealHost(async () => {
  const { lastN8n1ManifestDir } = await import('../../scripts/lib/paths.mjs');
  return { manifestDir: lastN8n1ManifestDir, sandboxArgs: ['--time-scale', '20'] };
});

test('Bulk Enrich enriches the messy leads', async () => {
  const { status } = await host.example.run();

  expect(host.n8nVersion).toMatch(/^1\.123\./);
  expect(status).toBe('success');
  const rows = readCsv(readFileSync(host.example.outputPath));
  expect(rows).toHaveLength(300);
  const count = (wanted: string) => rows.filter((row) => row['enriched_status'] === wanted).length;
  expect(count('tracked')).toBeGreaterThan(150);
  expect(count('invalid')).toBeGreaterThan(50);
});

test('waits in the execution, explains why in a hint and starts one job when n8n cannot suspend it', async () => {
  const service = new Service(host);
  const domains = await service.domains(3);
  await service.jobsTakeSeconds(240);
  const tested = { type: 'refreshAndWait', parameters: REFRESHING };
  const workflow = await productionWorkflow(host, 'Waits', tested);
  const id = await workflow.start(domains.map((company) => ({ company })));
  const run = await workflow.until(id, ['success']);

  expect(run.items(0)).toMatchObject(
    domains.map((domain) => ({ refresh_domain: domain, refresh_status: 'succeeded' })),
  );
  expect(run.hints.join('\n')).toContain('n8n 1');
  const { created, violations } = await host.report();
  expect(created.jobs).toBe(1);
  expect(violations).toEqual([]);
});
