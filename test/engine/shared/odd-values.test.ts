/**
 * User values that are far too long, too deeply nested or not allowed: errors quote only a short
 * part.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId, runNode } from './nodes';
import { useService } from './service';

const service = useService();

it('sends query parameters with the names of built-in object properties', async () => {
  const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'constructor'];
  const result = await runNode(service, 'apiRequest', {
    method: 'GET',
    path: 'lists',
    query: { parameters: names.map((name, index) => ({ name, value: String(index) })) },
  });

  expect(result.error?.message).toBeUndefined();
  expect(service.received.map(({ url }) => url)).toEqual([
    '/v1/lists?constructor=0&constructor=4&__proto__=1&toString=2&hasOwnProperty=3',
  ]);
});

const X = '={{ $json.x }}';
const enriching = (more: INodeParameters): [string, INodeParameters] => [
  'bulkEnrich',
  { operation: 'enrichCompanies', domain: 'a.com', ...more },
];

/** Every place that can show a value from the user. */
const PLACES: Array<[string, INodeParameters]> = [
  ['apiRequest', { method: X, path: 'x' }],
  ['apiRequest', { method: 'GET', path: X }],
  ['apiRequest', { method: 'GET', path: 'x', query: { parameters: [{ name: X, value: '1' }] } }],
  ['apiRequest', { method: 'GET', path: 'x', query: { parameters: [{ name: 'a', value: X }] } }],
  ['apiRequest', { method: 'GET', path: 'x', authentication: X }],
  ['companyLookup', { operation: 'get', identifier: X }],
  ['companyLookup', { operation: 'get', identifier: 'a', include: X }],
  ['companyLookup', { operation: 'getMany', returnAll: true, filters: { q: X } }],
  ['companyLookup', { operation: 'getMany', limit: X }],
  enriching({ include: X }),
  enriching({ output: X }),
  enriching({ options: { maxCredits: X } }),
  ['techUsers', { operation: 'getByTechnology', techKey: byId(X), returnAll: true }],
  ['techUsers', { operation: 'searchTechnologies', q: X, returnAll: true }],
  ['partnerGraph', { operation: 'getGraph', identifier: 'a', depth: X }],
  ['refreshAndWait', { operation: 'getJob', jobId: X }],
  ['refreshAndWait', { operation: 'waitForJob', jobId: '7', options: { maxWaitMinutes: X } }],
  ['listMembers', { operation: 'materialize', listId: byId(X) }],
  ['companyList', { resource: 'list', operation: 'delete', listId: byId(X) }],
];

describe.each(PLACES)('%s %j', (type, parameters) => {
  it.each([
    ['a value of 1 MB', 'x'.repeat(1_000_000)],
    ['half a surrogate pair', `caf\ud83d`],
  ])('refuses %s with a short message before anything is sent', async (_what, x) => {
    const result = await runNode(service, type, parameters, [{ x }]);
    const { message = '', description } = result.error ?? {};

    expect(message).not.toBe('');
    expect(message.length + String(description).length).toBeLessThan(700);
    expect(message).not.toMatch(
      /URI malformed|Invalid (input|option)|expected|not a function|"code"/,
    );
    expect(service.received).toEqual([]);
  });
});

describe('a deeply nested value', () => {
  const DEPTH = 20_000;
  const nestedText = (depth: number) => `${'['.repeat(depth)}1${']'.repeat(depth)}`;
  function nested(): IDataObject {
    let value: IDataObject = { bottom: true };
    for (let level = 0; level < DEPTH; level += 1) value = { deeper: value };
    return value;
  }

  const creating = (more: INodeParameters): [string, INodeParameters] => [
    'companyList',
    { resource: 'list', operation: 'create', name: 'x', ...more },
  ];

  it.each<[string, INodeParameters]>([
    ['apiRequest', { method: 'POST', path: 'lists', body: X }],
    ['apiRequest', { method: 'POST', path: 'lists', body: nestedText(DEPTH) }],
    ['apiRequest', { method: 'GET', path: X }],
    ['companyLookup', { operation: 'get', identifier: X }],
    ['flagData', { operation: 'create', identifier: 'a.com', description: X }],
    creating({ definition: `{"a":${nestedText(DEPTH)}}` }),
    creating({ definition: X }),
    creating({ name: X }),
  ])('is refused with the name of its parameter: %s (%#)', async (type, parameters) => {
    const { error } = await runNode(service, type, parameters, [{ x: nested() }]);

    expect(error?.message).toMatch(/^"[\w ]+" is nested too deeply: only 200 levels are allowed/);
    expect(error?.description).toContain('Nothing was sent');
    expect(service.received.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('is sent when it has 200 levels', async () => {
    const body = nestedText(199);
    const { error } = await runNode(service, 'apiRequest', { method: 'POST', path: 'x', body });

    expect(error).toBeUndefined();
    expect(service.received).toMatchObject([{ body }]);
  });
});
