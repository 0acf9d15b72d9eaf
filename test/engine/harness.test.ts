import { node, runWorkflow, source } from './harness';

it('runs a chain', async () => {
  const run = await runWorkflow({
    nodes: [source([{ id: 1 }, { id: 2 }]), node('harness.passThrough')],
    trace: { node: 'Pass Through', expression: "={{ $('Source').item.json.id }}" },
  });
  expect(run.error).toBeUndefined();
  expect(run.json('Pass Through')).toEqual([{ id: 1 }, { id: 2 }]);
  expect(run.traced()).toEqual([1, 2]);
});
