/** Flag Data: sends each flag once, and rejects invalid input before sending it. */
import { node, runWorkflow, source } from '../harness';
import { packageNode, trackedDomains, userCredential, useSandbox } from '../shared/service';
import { flag, NAME } from './flag-data';

const sandbox = useSandbox();

it('returns the ID of each flag in the order of the items, and sends equal flags once', async () => {
  const [a = '', b = ''] = trackedDomains(sandbox, 2);
  const run = await flag(sandbox, {}, [
    { company: `https://www.${a}/about`, text: ' Moved to Austria ' },
    { company: b, text: 'Closed' },
    { company: a, text: 'Renamed' },
    { company: b, text: ' Closed ' },
  ]);

  expect(run.json(NAME)).toEqual(
    [a, b, a, b].map((identifier): unknown => ({
      identifier,
      flag_id: expect.any(Number),
      company_id: expect.any(Number),
      status: 'queued',
    })),
  );
  expect(run.traced()).toEqual([0, 1, 2, 3]);
  const described = new Map(sandbox.flags().map((one) => [one.flagId, one.description]));
  const sent = run.json(NAME).map((one) => described.get(one['flag_id'] as number));
  expect(sent).toEqual(['Moved to Austria', 'Closed', 'Renamed', 'Closed']);
  expect(sandbox.report()).toMatchObject({ requests: 3, charged: 0, created: { flags: 3 } });
});

it('sends a description of 2,000 characters, and refuses a longer one before it sends any', async () => {
  const text = `"ü€\\\n${'x'.repeat(1995)}`;
  const companies = trackedDomains(sandbox, 2);
  const items = companies.map((company, index) => ({ company, text: text + 'x'.repeat(index) }));
  const refused = await flag(sandbox, {}, items);

  expect(refused.error).toMatchObject({
    message: expect.stringContaining('2001 characters, but only 2000 are allowed'),
    context: { itemIndex: 1 },
  });
  expect(sandbox.report().requests).toBe(0);

  const sent = await flag(sandbox, {}, items.slice(0, 1));
  expect(sent.error).toBeUndefined();
  expect(sandbox.flags().map(({ description }) => description)).toEqual([text]);
});

it('returns an item for an unknown company with If Not Found', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const unknown = 'nobody-tracks-this.com';
  const items = [{ company: unknown }, { company }];
  const run = await flag(sandbox, { options: { ifNotFound: 'item' } }, items);

  const missing = { found: false, identifier: unknown, reason: 'company_not_found' };
  expect(run.json(NAME)).toEqual([
    { ...missing, message: expect.any(String) },
    expect.objectContaining({ found: true, identifier: company, flag_id: expect.any(Number) }),
  ]);
});

it('sends another flag for the same item when the node runs again, as in a loop', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const run = await runWorkflow({
    nodes: [
      source([{ company }]),
      node('harness.editFields', { name: 'Again', parameters: { fields: '={{ $json }}' } }),
      packageNode('flagData', { identifier: '={{ $json.company }}', description: 'x' }),
    ],
    wires: [
      { from: 'Source', to: NAME },
      { from: 'Source', to: 'Again' },
      { from: 'Again', to: NAME },
    ],
    credentials: userCredential(sandbox),
  });

  expect(run.runs(NAME)).toHaveLength(2);
  expect(sandbox.report().created.flags).toBe(2);
});
