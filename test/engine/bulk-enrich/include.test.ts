/** Include, set by an expression for each item, and the requests that items with equal values share. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { useService, type NodeSettings } from '../shared/service';
import {
  enrich,
  enrichmentOf,
  leads,
  NAME,
  useSandbox,
  trackedDomains,
  userCredential,
} from './bulk-enrich';

const sandbox = useSandbox({ companies: 500 });
const service = useService();
beforeEach(() => {
  service.answer((request, response) => {
    const { domains } = JSON.parse(request.body) as { domains: string[] };
    json({ data: domains.map((domain) => ({ domain, status: 'tracked' })) })(request, response);
  });
});

const enrichEach = async (
  items: readonly IDataObject[],
  include: string | string[] = '={{ $json.include }}',
  settings: NodeSettings = {},
) => await enrich(service, { include, output: 'result' }, items, settings);
const bodies = () => service.received.map(({ body }) => JSON.parse(body) as unknown);

it.each(['={{ $json.include }}', '={{ [$json.include].flat() }}'])(
  'sends one request per set of sections when Include is %s',
  async (include) => {
    const [first, second] = ['firmographics', 'technologies'];
    const given = [[second, first], [first], [first, second], first, []];
    const domains = ['a.com', 'b.com', 'c.com', 'd.com', 'e.com'];
    const items = given.map((wanted, id) => ({ company: domains[id], include: wanted }));
    const run = await enrichEach(items, include);

    expect(run.error).toBeUndefined();
    expect(bodies()).toEqual([
      { domains: ['a.com', 'c.com'], include: [first, second] },
      { domains: ['b.com', 'd.com'], include: [first] },
      { domains: ['e.com'], include: [] },
    ]);
    expect(run.json(NAME).map((row) => row['domain'])).toEqual(domains);
    expect(run.traced()).toEqual([0, 1, 2, 3, 4]);
  },
);

it('looks up a company once per set of sections when items request different ones', async () => {
  const [company = ''] = trackedDomains(sandbox, 1);
  const sections = ['firmographics', 'technologies', 'firmographics'];
  const items = sections.map((include) => ({ company, include }));
  const run = await enrich(sandbox, { include: '={{ $json.include }}' }, items);
  const results = run.json(NAME).map(enrichmentOf);

  expect(results.map((result) => 'technology_names' in result)).toEqual([false, true, false]);
  expect(results.map((result) => 'industry' in result)).toEqual([true, false, true]);
  expect(results[0]).not.toBe(results[2]);
  // Reading a company again within 30 days is free.
  expect(sandbox.report()).toMatchObject({ requests: 2, charged: 1 });
});

it.each([
  ['techs', '"Include" has the invalid value "techs"'],
  [['technologies', 7], '"Include" has the invalid value "7"'],
  [{ technologies: true }, '"Include" has the invalid value "{"technologies":true}"'],
])('fails only the row whose Include is %j, or the run with Stop', async (include, message) => {
  const items = [
    { company: 'a.com', include: ['technologies'] },
    { company: 'b.com', include },
    { company: '', include },
  ];
  const run = await enrichEach(items, undefined, { onError: 'continueErrorOutput' });

  expect(bodies()).toEqual([{ domains: ['a.com'], include: ['technologies'] }]);
  expect([run.traced(0), run.traced(1)]).toEqual([[0, 2], [1]]);
  expect(run.json(NAME, 1)[0]?.['message']).toBe(message);
  expect(run.json(NAME, 0)[1]).toMatchObject({ status: 'invalid', reason: 'empty' });
  service.received.length = 0;
  const { error } = await enrichEach(items);

  expect(error).toMatchObject({ message, context: { itemIndex: 1 } });
  expect(error?.description).toContain('Use one of: firmographics, partnerships, technologies');
  expect(service.received).toEqual([]);
});

it('stops all sets of sections when Max Credits or the balance is used up', async () => {
  const items = leads(trackedDomains(sandbox, 6));
  const run = async (options: INodeParameters, key: 'user' | 'empty') =>
    await enrich(
      sandbox,
      { include: "={{ $json.id < 3 ? ['firmographics'] : [] }}", options },
      items,
      { onError: 'continueErrorOutput', credentials: userCredential(sandbox, key) },
    );
  const bounded = await run({ maxCredits: 4 }, 'user');

  const statuses = bounded.json(NAME).map((json) => enrichmentOf(json)['status']);
  expect(statuses.slice(4)).toEqual(['skipped', 'skipped']);
  expect(statuses.slice(0, 4)).not.toContain('skipped');
  sandbox.reset();
  const refused = await run({}, 'empty');

  expect(sandbox.report()).toMatchObject({ requests: 1, charged: 0 });
  expect(refused.traced(1)).toEqual([0, 1, 2, 3, 4, 5]);
});

it('reports entries of a response that are not objects', async () => {
  const row = { domain: 'a.com', status: 'not_tracked', partnership_count: 'x' };
  service.answer(json({ results: ['a.com', row] }));
  const run = await enrich(service, { operation: 'enrichPartnerships' }, leads(['a.com']));
  const hints = run.messages(NAME).join();

  expect(hints).toContain('results.* (text instead of an object, 1 time)');
  expect(hints).not.toContain('Invalid input');
});
