/** Behavior of the harness that other tests rely on. */
import { defineNode, node, runWorkflow, source, startWorkflow } from './harness';
import { editFields } from './harness/workflow-description';

const rows = [{ id: 'a' }, { id: 'b' }, { id: 'c' }];

it('evaluates expressions for each item, but not source text that starts with =', async () => {
  const run = await runWorkflow({
    nodes: [
      source([{ id: '={{ 1 }}' }, { id: 'x' }]),
      editFields('Fields', { id: '={{ $json.id }}', upper: '={{ $json.id.toUpperCase() }}' }),
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

it('includes hidden error fields, UI messages and output in the transcript', async () => {
  const leaky = defineNode('Leaky', (context) => {
    const error = new Error('inner');
    Object.defineProperty(error, 'request', { value: { key: 'hidden-1' }, enumerable: false });
    context.logger.debug('trouble', { error });
    context.sendMessageToUI('hidden-2');
    context.customData.set('summary', 'hidden-3');
    return Promise.resolve([[{ json: { text: 'hidden-4' } }]]);
  });
  const transcript = (await runWorkflow({ nodes: [source(rows), node(leaky)] })).transcript();

  for (const hidden of [1, 2, 3, 4]) expect(transcript).toContain(`hidden-${String(hidden)}`);
  expect(transcript).not.toContain('hidden-5');
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
