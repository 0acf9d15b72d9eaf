/** Flag Data: what reaches the review queue, and what is refused before it is sent. */
import { json, TestService } from '../../src/client/support/service';
import { sentTo, useSandbox, trackedDomains } from '../shared/service';
import { flag, NAME } from './flag-data';
import { errorItemOf } from '../shared/error-items';

const sandbox = useSandbox();

it('says the id of each flag, in order, for the company each item names', async () => {
  const [a = '', b = ''] = trackedDomains(sandbox, 2);
  const run = await flag(sandbox, {}, [
    { company: `https://www.${a}/about`, text: ' Moved to Austria ' },
    { company: b, text: 'Closed' },
    { company: a, text: 'Renamed' },
  ]);
  const flags = sandbox.flags();

  expect(run.json(NAME)).toEqual(
    [a, b, a].map((identifier): unknown => ({
      identifier,
      flag_id: expect.any(Number),
      company_id: expect.any(Number),
      status: 'queued',
    })),
  );
  expect(run.traced()).toEqual([0, 1, 2]);
  const described = new Map(flags.map(({ flagId, description }) => [flagId, description]));
  expect(run.json(NAME).map((one) => described.get(one['flag_id'] as number))).toEqual([
    'Moved to Austria',
    'Closed',
    'Renamed',
  ]);
  expect(sandbox.report()).toMatchObject({ requests: 3, charged: 0, created: { flags: 3 } });
});

it('equal flags of several items are one flag, which each of them gets', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const run = await flag(sandbox, {}, [
    { company, text: 'Closed' },
    { company, text: ' Closed ' },
  ]);

  expect(sandbox.report().created.flags).toBe(1);
  expect(run.json(NAME)[1]).toEqual(run.json(NAME)[0]);
});

it.each(['', '   ', '\n', null, undefined])(
  'a blank description is no description: %j',
  async (text) => {
    const service = await TestService.start(
      json({ flag_id: 1, company_id: 2, status: 'queued' }, 201),
    );
    await flag(service, {}, [{ company: 'a.com', text }]);

    expect(service.received.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/v1/companies/a.com/flags', '{}'],
    ]);
  },
);

it('sends 2,000 characters, whatever they are', async () => {
  const [company] = trackedDomains(sandbox, 1);
  const text = `"ü€\\\n${'x'.repeat(1995)}`;
  const run = await flag(sandbox, {}, [{ company, text }]);

  expect(run.error).toBeUndefined();
  expect(text).toHaveLength(2000);
  expect(sandbox.flags().map(({ description }) => description)).toEqual([text]);
});

it('refuses 2,001 characters before anything is sent', async () => {
  const companies = trackedDomains(sandbox, 2);
  const items = companies.map((company, index) => ({ company, text: 'x'.repeat(2000 + index) }));
  const run = await flag(sandbox, {}, items);

  expect(run.error).toMatchObject({
    message: expect.stringContaining('2001 characters, 2000 are allowed'),
    context: { itemIndex: 1 },
  });
  expect(sandbox.report().requests).toBe(0);
});

it('If Not Found gives an item instead', async () => {
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

it.each([
  ['', /"Company" is empty/],
  ['x/y', /neither a domain nor a slug/],
  ['10.0.0.1', /IP address/],
])('refuses %j as a company before sending', async (company, message) => {
  const run = await flag(sandbox, {}, [{ company, text: 'x' }]);

  expect(run.error?.message).toMatch(message);
  expect(sentTo(sandbox)).toEqual([]);
});

it.each([
  [{ preset: 'unauthorized' }, 'invalid_api_key', 401],
  [{ preset: 'forbidden' }, 'forbidden', 403],
  [{ preset: 'errorShape', options: { status: 400 } }, 'invalid_request', 400],
] as const)('%j is an error that was sent once', async (fault, code, status) => {
  sandbox.addFault({ ...fault, when: 'every' });
  const [company] = trackedDomains(sandbox, 1);
  const run = await flag(sandbox, {}, [{ company, text: 'x' }], {
    onError: 'continueRegularOutput',
  });

  expect(run.json(NAME)).toEqual([errorItemOf(code, expect.any(String), { status })]);
  expect(sandbox.report()).toMatchObject({ requests: 1, created: { flags: 0 } });
  expect(run.transcript()).not.toContain(sandbox.keys.user);
});
