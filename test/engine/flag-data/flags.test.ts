/**
 * Flag Data: sends each flag to the review queue once, and rejects invalid input before sending it.
 */

import { json, TestService } from '../../src/client/support/service';
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
  const flags = sandbox.flags();

  expect(run.json(NAME)).toEqual(
    [a, b, a, b].map((identifier): unknown => ({
      identifier,
      flag_id: expect.any(Number),
      company_id: expect.any(Number),
      status: 'queued',
    })),
  );
  expect(run.traced()).toEqual([0, 1, 2, 3]);
  const described = new Map(flags.map(({ flagId, description }) => [flagId, description]));
  expect(run.json(NAME).map((one) => described.get(one['flag_id'] as number))).toEqual([
    'Moved to Austria',
    'Closed',
    'Renamed',
    'Closed',
  ]);
  expect(sandbox.report()).toMatchObject({ requests: 3, charged: 0, created: { flags: 3 } });
});

it.each(['', '   ', '\n', null, undefined])('omits a blank description: %j', async (text) => {
  const service = await TestService.start(
    json({ flag_id: 1, company_id: 2, status: 'queued' }, 201),
  );
  await flag(service, {}, [{ company: 'a.com', text }]);

  expect(service.received.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['POST', '/v1/companies/a.com/flags', '{}'],
  ]);
});

it('sends a description of 2,000 characters, including special ones', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const text = `"ü€\\\n${'x'.repeat(1995)}`;
  const run = await flag(sandbox, {}, [{ company, text }]);

  expect(run.error).toBeUndefined();
  expect(text).toHaveLength(2000);
  expect(sandbox.flags().map(({ description }) => description)).toEqual([text]);
});

it('refuses a description of 2,001 characters before anything is sent', async () => {
  const companies = trackedDomains(sandbox, 2);
  const items = companies.map((company, index) => ({ company, text: 'x'.repeat(2000 + index) }));
  const run = await flag(sandbox, {}, items);

  expect(run.error).toMatchObject({
    message: expect.stringContaining('2001 characters, but only 2000 are allowed'),
    context: { itemIndex: 1 },
  });
  expect(sandbox.report().requests).toBe(0);
});

it('returns an item for an unknown company with If Not Found', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const items = [{ company: 'nobody-tracks-this.com' }, { company }];
  const run = await flag(sandbox, { options: { ifNotFound: 'item' } }, items);

  expect(run.json(NAME)).toEqual([
    {
      found: false,
      identifier: 'nobody-tracks-this.com',
      reason: 'company_not_found',
      message: expect.any(String),
    },
    expect.objectContaining({ found: true, identifier: company, flag_id: expect.any(Number) }),
  ]);
});

it('sends another flag for the same item when the node runs again, as in a loop', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const run = await runWorkflow({
    nodes: [
      source([{ company }]),
      node('harness.passThrough', { name: 'Again' }),
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
