/**
 * Simultaneous executions with one lead each share requests. Each execution pays only for its own
 * company.
 */
import { until } from '../../src/client/support/timing';
import { runWorkflow, source, startWorkflow, type WorkflowRun } from '../harness';
import {
  bulkEnrich,
  enrichmentOf,
  leads,
  NAME,
  trackedDomains,
  useFreshSandbox,
  userCredential,
} from './bulk-enrich';

const sandbox = useFreshSandbox({ companies: 500, latencyMs: 20 });

/** Describes a separate workflow for one lead. */
const workflowOf = (company: string) => ({
  nodes: [source([{ company }]), bulkEnrich({}, { onError: 'continueErrorOutput' })],
  credentials: userCredential(sandbox),
});

const enrich = async (company: string) => await runWorkflow(workflowOf(company));

/** Returns the sum of the maximum costs that the executions report. */
const creditsOf = (runs: readonly WorkflowRun[]) =>
  runs.reduce(
    (sum, { customData }) => sum + Number(customData['company_intelligence_credits_at_most']),
    0,
  );

it('combines 200 executions into few requests and pays each company once', async () => {
  const domains = trackedDomains(sandbox, 200);
  const runs = await Promise.all(domains.map(enrich));

  expect(runs.map((run) => enrichmentOf(run.json(NAME)[0]!)['domain'])).toEqual(domains);
  expect(sandbox.report()).toMatchObject({ charged: 200, domains: 200 });
  // The usual number is about 5. It is higher on a machine that takes seconds to start all
  // executions.
  expect(sandbox.report().requests).toBeLessThanOrEqual(100);
  const [first] = runs[100]?.hints(NAME) ?? [];
  expect(first?.message).toMatch(
    /in 0\.\d+ requests \(other executions shared one\)\. Data for 1 of 1 companies \(100%\)\. Cost: up to 1 credit\.$/,
  );
  expect(creditsOf(runs)).toBe(200);
});

it('cancels a stopped execution without affecting the others', async () => {
  const domains = trackedDomains(sandbox, 10);
  sandbox.setLatency(300);
  const running = await Promise.all(
    domains.map(async (company) => await startWorkflow(workflowOf(company))),
  );
  await until(() => sandbox.report().recent.length > 0);
  running[3]?.cancel();
  const runs = await Promise.all(running.map(async ({ finished }) => await finished));

  expect(runs.map(({ status }) => status)).toEqual(
    domains.map((_domain, index) => (index === 3 ? 'canceled' : 'success')),
  );
});

it('sends full batches for many rows while a single lead runs at the same time', async () => {
  const domains = trackedDomains(sandbox, 430);
  const lead = domains.pop() ?? '';
  const [many, one] = await Promise.all([
    runWorkflow({
      nodes: [source(leads(domains)), bulkEnrich()],
      credentials: userCredential(sandbox),
    }),
    enrich(lead),
  ]);

  expect(many.json(NAME)).toHaveLength(429);
  expect(one.json(NAME)).toHaveLength(1);
  expect(sandbox.report().recent.filter(({ domains: sent }) => sent === 100)).toHaveLength(4);
  expect(sandbox.report().requests).toBeLessThanOrEqual(6);
});
