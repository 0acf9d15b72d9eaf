/**
 * API Request: Max Credits for endpoints whose cost the API spec shows, and for other endpoints.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Sandbox } from '../../../sandbox';
import { json, TestService } from '../../src/client/support/service';
import { errorItemOf } from '../shared/error-items';
import { hubs } from '../shared/partners';
import { useSandbox } from '../shared/service';
import { running } from '../shared/nodes';

const NAME = 'API Request';
const apiRequest = running('apiRequest', NAME);

const sandbox = useSandbox();

const settings = { onError: 'continueErrorOutput' } as const;
const query = (name: string, value: string) => ({ parameters: [{ name, value }] });
const spending = async (
  maxCredits: number,
  parameters: INodeParameters,
  items: readonly IDataObject[] = [{}],
  at: Sandbox | TestService = sandbox,
) => await apiRequest(at, { ...parameters, options: { maxCredits } }, items, settings);

it('stops the run when the returned companies have used up Max Credits', async () => {
  const items = hubs(sandbox, 4).map((company) => ({ company }));
  const run = await spending(2, { path: '={{ "companies/" + $json.company }}' }, items);

  expect(sandbox.report()).toMatchObject({ requests: 2, charged: 2 });
  expect(run.traced(0)).toEqual([0, 1]);
  expect(run.json(NAME, 1)).toEqual(
    Array.from({ length: 2 }, (): unknown =>
      expect.objectContaining(errorItemOf('max_credits_reached')),
    ),
  );
});

it('shows the cost in a hint and in the execution data', async () => {
  const items = hubs(sandbox, 3).map((company) => ({ company }));
  const path = '={{ "companies/" + $json.company }}';
  const run = await apiRequest(sandbox, { path }, items);

  expect(sandbox.report().charged).toBe(3);
  expect(run.hints(NAME).at(-1)?.message).toBe('3 requests. Cost: up to 3 credits.');
  expect(run.customData).toMatchObject({ company_intelligence_credits_at_most: '3' });
});

it.each<[string, INodeParameters]>([
  ['with a limit', { path: 'companies', query: query('limit', '5') }],
  ['without a limit', { path: 'technologies/hubspot/companies' }],
])('sends nothing when a request %s could exceed Max Credits', async (_what, parameters) => {
  const run = await spending(4, parameters);

  expect(sandbox.report().requests).toBe(0);
  expect(run.json(NAME, 1)).toEqual([expect.objectContaining(errorItemOf('max_credits_reached'))]);
});

it.each<[INodeParameters]>([
  [{ path: 'technologies', query: query('q', 'google') }],
  [{ path: 'lists' }],
  [{ path: 'lists/filter-fields' }],
  [{ path: 'open/status' }],
])('does not stop a free request: %j', async (parameters) => {
  const items = Array.from({ length: 3 }, (_one, n) => ({ n }));
  const run = await spending(1, parameters, items);

  expect(run.traced(0)).toEqual([0, 1, 2]);
});

it.each<[string, number, number[]]>([
  // 10 and 9; 2 would be one too many, 1 is the last.
  ['as many rows as', 0, [2]],
  // 15; 9 would be too many; 7 more than used up the credits.
  ['more rows than', 5, [1, 3]],
  // 5 and 4, then none.
  ['fewer rows than', -5, []],
])(
  'refuses only requests that no longer fit in Max Credits when responses have %s the limit',
  async (_what, more, refused) => {
    const service = await TestService.start((request, response) => {
      const limit = Number(new URL(request.url, 'http://service.test').searchParams.get('limit'));
      const data = Array.from({ length: Math.max(0, limit + more) }, (_one, id) => ({ id }));
      json({ data })(request, response);
    });
    const listed = { path: 'companies', query: query('limit', '={{ $json.limit }}') };
    const items = [10, 9, 2, 1].map((limit) => ({ limit }));
    const run = await spending(20, { ...listed, method: 'GET' }, items, service);

    expect(run.traced(1)).toEqual(refused);
    expect(service.received).toHaveLength(4 - refused.length);
  },
);

it('stops the run when responses of an undocumented endpoint use up Max Credits', async () => {
  const service = await TestService.start(
    json({ items: Array.from({ length: 30 }, (_one, id) => ({ id })) }),
  );
  const run = await spending(
    40,
    { path: '={{ "exports/" + $json.id }}' },
    [{}, {}, {}, {}],
    service,
  );

  expect(service.received).toHaveLength(2);
  expect([run.traced(0), run.traced(1)]).toEqual([
    [0, 1],
    [2, 3],
  ]);
});

describe('a bulk lookup with partnerships', () => {
  const bulk = (count: number) => {
    const domains = hubs(sandbox, 40).slice(0, count);
    return {
      method: 'POST',
      path: 'companies',
      body: JSON.stringify({ domains, include: ['partnerships'] }),
    };
  };
  const partnersOf = (rows: IDataObject[]) =>
    rows.map(({ partnerships }) => 1 + (partnerships as unknown[]).length);

  it('stops before it exceeds Max Credits, and outputs the companies paid for', async () => {
    const whole = await apiRequest(sandbox, bulk(8), [{}], settings);
    const [all] = whole.json(NAME) as Array<{ data: IDataObject[] }>;
    const costs = partnersOf(all?.data ?? []);
    const [first = 0] = costs;
    const limit = first + Math.max(...costs);
    sandbox.reset();
    const run = await spending(limit, bulk(8));
    const [part] = run.json(NAME) as Array<{ data: IDataObject[] }>;

    expect(sandbox.report().charged).toBeLessThanOrEqual(limit);
    expect(part?.data).toEqual(all?.data.slice(0, part?.data.length));
    expect(part?.data.length).toBeGreaterThanOrEqual(1);
    expect(run.json(NAME, 1)).toMatchObject([
      { message: expect.stringMatching(/\(the output covers \d of 8 domains\)/) },
    ]);
  });

  it('returns the same rows as without a limit when Max Credits covers them', async () => {
    const whole = await apiRequest(sandbox, bulk(8), [{}], settings);
    const run = await spending(100_000, bulk(8));

    expect(run.json(NAME)).toEqual(whole.json(NAME));
  });
});
