/** API Request: what it sends and rejects, how it outputs responses, and what they cost. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json, text } from '../../src/client/support/service';
import { useService } from '../shared/service';
import { running } from '../shared/nodes';

const NAME = 'Company Intelligence API Request';

const service = useService();

const KEY = 'ci_user_of_this_test';
const send = running('apiRequest', NAME).bind(undefined, service);

const urls = () => service.received.map(({ url }) => url);

describe('API Request with a user key', () => {
  it('blames the path when the service responds with 404, and charges nothing for a web page', async () => {
    service.answer(json({ error: 'not_found' }, 404));
    const missing = await send({ path: 'lists/7/histroy' });
    service.answer(text('<html></html>', 200, { 'content-type': 'text/html' }));
    const page = await send({ path: 'lists/7/history' });

    expect(missing.error?.message).toMatch(/no endpoint, or no record, at this path/);
    expect(missing.error?.description).toMatch(/^Check the path/);
    expect(page.error?.description).toMatch(/A proxy or login page may have responded\.$/);
  });

  it.each<[string, number]>([
    ['GET', 1],
    ['HEAD', 1],
    ...['DELETE', 'PATCH', 'POST', 'PUT'].map((method): [string, number] => [method, 3]),
  ])(
    'sends %s with the key and no content type, for three equal items %i times',
    async (method, times) => {
      await send({ method, path: 'lists/7/permissions', body: '  ' }, [{}, {}, {}]);

      const request = expect.objectContaining({
        method,
        url: '/v1/lists/7/permissions',
        headers: expect.objectContaining({ 'x-api-key': KEY }),
        body: '',
      }) as unknown;
      expect(service.received).toEqual(Array(times).fill(request));
      expect(service.received[0]?.headers).not.toHaveProperty('content-type');
    },
  );

  it.each([
    ['companies/ä b', '/v1/companies/%C3%A4%20b', true],
    // The path can contain a query, as in a URL.
    ['lists/7/permissions?limit=10&q=a%20b', '/v1/lists/7/permissions?limit=10&q=a+b', true],
    ['openings', '/v1/openings', true],
    // The endpoints below open/ need no key.
    ['/v1/open/status', '/v1/open/status', false],
    ['op%65n/status', '/v1/open/status', false],
  ])('sends the path %j as %s, with the key: %j', async (path, url, withKey) => {
    await send({ path });

    expect(urls()).toEqual([url]);
    expect(service.received[0]?.headers['x-api-key']).toBe(withKey ? KEY : undefined);
    expect(JSON.stringify(service.received[0]?.headers).includes(KEY)).toBe(withKey);
  });

  it('sends the query and body of each item', async () => {
    await send(
      {
        method: 'POST',
        path: '={{ "lists/" + $json.id }}',
        query: {
          parameters: [
            { name: 'q', value: '={{ $json.q }}' },
            { name: '', value: 'left out' },
            { name: 'force_refresh', value: '={{ $json.force }}' },
            { name: 'limit', value: '={{ $json.limit }}' },
          ],
        },
        body: '={{ $json.body }}',
      },
      [
        { q: 'a&b=c d', force: true, limit: 5, body: { name: 'One' } },
        { q: '', force: false, limit: 0, body: '[1, "two"]' },
      ],
    );

    expect(service.received.map(({ url, body }) => [url, body]).sort()).toEqual([
      ['/v1/lists/0?q=a%26b%3Dc+d&force_refresh=true&limit=5', '{"name":"One"}'],
      ['/v1/lists/1?q=&force_refresh=false&limit=0', '[1,"two"]'],
    ]);
    expect(service.received.map(({ headers }) => headers['content-type'])).toEqual([
      'application/json',
      'application/json',
    ]);
  });
});

it.each([
  [{ path: 'lists/../../admin' }, /^The path is invalid because of "\.\."$/, /below \/v1\//],
  [{ path: 'https://a.test/v1/lists' }, /^The path is a full URL$/, /without https:\/\/…\/v1\//],
  [{ path: 'lists/%00' }, /^The path is invalid because of "%00"$/, /below \/v1\//],
  [{ path: ' ' }, /^The path is empty$/, /below \/v1\//],
  [{ method: 'PUT', body: '{name: 1}' }, /^"Body" cannot be read as JSON: /, /./],
  [{ method: 'TRACE' }, /TRACE/, /./],
])('refuses %j before anything is sent', async (parameters, message, hint) => {
  const { error } = await send({ path: 'lists/7', ...parameters });

  expect(error).toMatchObject({
    name: 'NodeOperationError',
    message: expect.stringMatching(message),
    description: expect.stringMatching(hint),
    context: { itemIndex: 0 },
  });
  expect(urls()).toEqual([]);
});

describe('without a credential', () => {
  const openly = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
    await send({ authentication: 'none', baseUrl: service.baseUrl, ...parameters }, items, {
      credentials: {},
    });

  it('calls the open endpoints without a key', async () => {
    service.answer(json({ status: 'ok' }));
    const run = await openly({ path: '={{ $json.path }}' }, [
      { path: 'open/status' },
      { path: '/v1/open/status' },
      { path: 'open/x' },
    ]);

    expect(run.error).toBeUndefined();
    expect(run.json(NAME)).toEqual(Array(3).fill({ status: 'ok' }));
    expect(urls().sort()).toEqual(['/v1/open/status', '/v1/open/x']);
    expect(service.received[0]?.headers).not.toHaveProperty('x-api-key');
  });

  it.each(['lists', 'open', 'openings', 'lists/open/x'])('does not send %j', async (path) => {
    const run = await openly({ path });

    expect(run.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringContaining('This path needs an API key'),
      context: { itemIndex: 0 },
    });
    expect(urls()).toEqual([]);
  });

  it('refuses a Base URL that is not one', async () => {
    const run = await openly({ path: 'open/status', baseUrl: 'an address' });

    expect(run.error?.message).toMatch(/Base URL "an address" is not a valid URL/);
    expect(run.error?.description).toBe('Open this node and correct its Base URL.');
  });
});

describe('the response', () => {
  it.each([
    ['an object', json({ a: 1 }), [{ a: 1 }]],
    ['a list', json([{ a: 1 }, { a: 2 }]), [{ a: 1 }, { a: 2 }]],
    ['a list of values', json(['x', 2, null]), [{ value: 'x' }, { value: 2 }, { value: null }]],
    ['an empty list', json([]), []],
    ['a value', json(7), [{ data: 7 }]],
    ['null', json(null), [{ data: null }]],
    ['text', text('hello', 200, { 'content-type': 'text/plain' }), [{ data: 'hello' }]],
    [
      'CSV',
      text('name,domain\nA,a.com\n', 200, { 'content-type': 'text/csv' }),
      [{ data: 'name,domain\nA,a.com\n' }],
    ],
    ['no body', text('', 204), [{ success: true }]],
    ['JSON but no content type', text('{"a":1}', 200), [{ a: 1 }]],
    [
      'an ID of 64 bits',
      text('{"id":9007199254740993}', 200, { 'content-type': 'application/json' }),
      [{ id: '9007199254740993' }],
    ],
  ])('with %s is output as %j', async (_what, answering, expected) => {
    service.answer(answering);
    const run = await send({ path: 'lists' });

    expect(run.error).toBeUndefined();
    expect(run.json(NAME)).toEqual(expected);
  });
});

const rows = (count: number) => Array.from({ length: count }, (_one, id) => ({ id }));

it.each<[string, unknown, number, number]>([
  ['rows of a list', rows(30), 40, 2],
  ['rows under a usual name', { items: rows(30), pagination: {} }, 40, 2],
  ['nodes of a graph', { nodes: rows(3), edges: [{ source: 1, target: 2 }] }, 6, 2],
  ['lines of a file', 'domain\r\na.com\r\nb.com\r\n', 4, 2],
  ['one company', { slug: 'a', technologies: [{ tech_key: 'x' }, { tech_key: 'y' }] }, 3, 3],
  ['two lists that can be the rows', { a: rows(9), b: rows(9) }, 3, 3],
  ['no rows', { items: [] }, 1, 4],
  ['no body', '', 1, 4],
  ['rows without a limit', rows(100), 0, 4],
])(
  'sends nothing more once %s have used up the credits',
  async (_what, answer, limit, expected) => {
    service.answer(
      answer === '' ? text('', 204) : typeof answer === 'string' ? text(answer) : json(answer),
    );
    const credential = { baseUrl: service.baseUrl, apiKey: 'user', maxCreditsPerRun: limit };
    // Several companies in a body do not change what a request may cost.
    const body = JSON.stringify({ domains: ['a.com', 'b.com'], include: ['partnerships'] });
    const run = await send(
      { method: 'POST', path: '={{ "lists/" + $json.n }}', body },
      [1, 2, 3, 4].map((n): IDataObject => ({ n })),
      { onError: 'continueErrorOutput', credentials: { companyIntelligenceUserApi: credential } },
    );

    expect(service.received).toHaveLength(expected);
    const skipped = run.json(NAME).filter(({ reason }) => reason === 'max_credits');
    expect(skipped).toHaveLength(4 - expected);
  },
);
