/** Behavior of the harness that other tests rely on. */
import { defineNode, node, runWorkflow, source, startWorkflow } from './harness';

const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

it('evaluates expressions for each item, but not source text that starts with =', async () => {
  const run = await runWorkflow({
    nodes: [
      source([{ id: '={{ 1 }}' }, { id: 'x' }]),
      node('harness.editFields', {
        name: 'Fields',
        parameters: { fields: { id: '={{ $json.id }}', upper: '={{ $json.id.toUpperCase() }}' } },
      }),
    ],
  });

  expect(run.json('Fields')).toEqual([
    { id: '={{ 1 }}', upper: '={{ 1 }}' },
    { id: 'x', upper: 'X' },
  ]);
});

it('reports items whose link is missing, with the reason from n8n', async () => {
  const unlinked = defineNode('Unlinked', () => Promise.resolve([[{ json: {} }, { json: {} }]]));
  const run = await runWorkflow({
    nodes: [source(rows), node(unlinked)],
    trace: { node: 'Unlinked', expression: "={{ $('Source').item.json.id }}" },
  });

  expect(run.traced()).toEqual([
    { unresolved: expect.stringMatching(/paired|link/i) as unknown },
    { unresolved: expect.stringMatching(/paired|link/i) as unknown },
  ]);
});

it('rejects when a test waits for a node that never starts', async () => {
  const running = await startWorkflow({ nodes: [source([]), node('harness.passThrough')] });

  await expect(running.started('Pass Through')).rejects.toThrow('ended before');
  await running.finished;
});

it('passes credentials to nodes with defaults and evaluated expressions', async () => {
  let seen: unknown;
  const reader = defineNode(
    'Reader',
    async (context) => {
      seen = await context.getCredentials('companyIntelligenceUserApi');
      return [context.getInputData()];
    },
    { credentials: [{ name: 'companyIntelligenceUserApi', required: true }] },
  );
  const run = await runWorkflow({
    nodes: [source(rows), node(reader)],
    credentials: { companyIntelligenceUserApi: { apiKey: "={{ 'lo' + 'ud' }}" } },
  });

  expect(run.error).toBeUndefined();
  expect(seen).toMatchObject({
    apiKey: 'loud',
    requestsPerMinute: 600,
    // n8n adds this field to every credential type.
    allowedHttpRequestDomains: 'all',
  });
});
