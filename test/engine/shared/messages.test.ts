/** Messages in words, of bounded length, before anything is sent. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { useService } from './service';
import { byId, runNode } from './nodes';

const service = useService();

const run = async (type: string, parameters: INodeParameters, item: IDataObject = {}) =>
  await runNode(service, type, parameters, [item]);

it('query parameters may have any name', async () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'constructor'];
  const result = await run('apiRequest', {
    method: 'GET',
    path: 'lists',
    query: { parameters: names.map((name, index) => ({ name, value: String(index) })) },
  });

  expect(result.error?.message).toBeUndefined();
  expect(service.received.map(({ url }) => url)).toEqual([
    '/v1/lists?constructor=0&constructor=4&__proto__=1&toString=2&hasOwnProperty=3',
  ]);
});

/** Every place in which a value of the user's own may be shown. */
const PLACES: Array<[string, INodeParameters]> = [
  ['apiRequest', { method: '={{ $json.x }}', path: 'x' }],
  ['apiRequest', { method: 'GET', path: '={{ $json.x }}' }],
  ['apiRequest', { method: 'GET', path: '={{ $json.x }}#' }],
  [
    'apiRequest',
    { method: 'GET', path: 'x', query: { parameters: [{ name: '={{ $json.x }}', value: '1' }] } },
  ],
  [
    'apiRequest',
    { method: 'GET', path: 'x', query: { parameters: [{ name: 'a', value: '={{ $json.x }}' }] } },
  ],
  ['apiRequest', { method: 'GET', path: 'x', authentication: '={{ $json.x }}' }],
  ['companyLookup', { operation: 'get', identifier: '={{ $json.x }}' }],
  ['companyLookup', { operation: 'get', identifier: 'a', include: '={{ $json.x }}' }],
  ['companyLookup', { operation: 'getMany', returnAll: true, filters: { q: '={{ $json.x }}' } }],
  ['companyLookup', { operation: 'getMany', limit: '={{ $json.x }}' }],
  ['companyLookup', { operation: 'getMany', returnAll: true, sort: '={{ $json.x }}' }],
  ['bulkEnrich', { operation: 'enrichCompanies', domain: 'a.com', include: '={{ $json.x }}' }],
  [
    'bulkEnrich',
    { operation: 'enrichCompanies', domain: 'a.com', options: { output: '={{ $json.x }}' } },
  ],
  [
    'bulkEnrich',
    {
      operation: 'enrichCompanies',
      domain: 'a.com',
      options: { rejectFreeMail: '={{ $json.x }}' },
    },
  ],
  [
    'bulkEnrich',
    { operation: 'enrichCompanies', domain: 'a.com', options: { maxCredits: '={{ $json.x }}' } },
  ],
  ['techUsers', { operation: 'getByTechnology', techKey: byId('={{ $json.x }}'), returnAll: true }],
  ['techUsers', { operation: 'searchTechnologies', q: '={{ $json.x }}', returnAll: true }],
  [
    'partnerGraph',
    { operation: 'getPartners', identifier: 'a', q: '={{ $json.x }}', returnAll: true },
  ],
  ['partnerGraph', { operation: 'getGraph', identifier: 'a', depth: '={{ $json.x }}' }],
  ['refreshAndWait', { operation: 'getJob', jobId: '={{ $json.x }}' }],
  [
    'refreshAndWait',
    { operation: 'waitForJob', jobId: '7', options: { waitMode: '={{ $json.x }}' } },
  ],
  ['listMembers', { operation: 'materialize', listId: byId('={{ $json.x }}') }],
  ['companyList', { resource: 'list', operation: 'delete', listId: byId('={{ $json.x }}') }],
];

describe.each(PLACES)('%s %j', (type, parameters) => {
  it.each([
    ['1 MB', 'x'.repeat(1_000_000)],
    ['half a character', `caf\ud83d`],
  ])('%s is refused in few words', async (_what, x) => {
    const result = await run(type, parameters, { x });
    const { message = '', description } = result.error ?? {};

    expect(message).not.toBe('');
    expect(message.length + String(description).length).toBeLessThan(700);
    expect(message).not.toMatch(
      /URI malformed|Invalid (input|option)|expected|not a function|"code"/,
    );
    expect(service.received).toEqual([]);
  });
});

it.each<[string, INodeParameters, RegExp]>([
  [
    'apiRequest',
    { path: 'x', authentication: 'both' },
    /^"Authentication" cannot be "both"\. Use one of: userKey, organizationKey$/,
  ],
  [
    'apiRequest',
    { path: 'x', authentication: null },
    /^"Authentication" cannot be ""\. Use one of: userKey, organizationKey$/,
  ],
  [
    'bulkEnrich',
    { operation: 'enrichCompanies', domain: 'a.com', include: ['technologies', 'xxxxx'] },
    /^"Include" cannot be "xxxxx"\. Use one of: firmographics, partnerships, technologies, all$/,
  ],
  [
    'bulkEnrich',
    { operation: 'enrichCompanies', domain: 'a.com', options: { output: 'both' } },
    /"Output" cannot be "both"\. Use one of: columns, merge, result\. Nothing was sent\.$/,
  ],
  [
    'bulkEnrich',
    { operation: 'enrichCompanies', domain: 'a.com', options: { rejectFreeMail: 'yes' } },
    /"Ignore Free Mail Hosts" cannot be "yes"\. Use one of: true, false\. Nothing was sent\.$/,
  ],
])('%s: %j says what is allowed', async (type, parameters, message) => {
  const result = await run(type, parameters);

  expect(result.error?.message).toMatch(message);
  expect(result.error?.description).toMatch(/Nothing was sent|Correct it under Options/);
});

it.each([
  [{ nodes: 'x', edges: [] }, 'nodes should be a list'],
  [{ nodes: [{ id: {} }], edges: [] }, 'nodes: entry 1 has no id "id"'],
  [{ nodes: [7], edges: [] }, 'nodes: entry 1 is not usable'],
  [{ nodes: [], edges: [{ source: 1 }] }, 'edges: entry 1 has no id "target"'],
])('%j is no graph: %s', async (answer, words) => {
  service.answer(json(answer));
  const parameters = { operation: 'getGraph', identifier: 'a', graphOutput: 'rows' };

  expect((await run('partnerGraph', parameters)).error?.message).toBe(
    `The answer is not a graph: ${words}`,
  );
});
