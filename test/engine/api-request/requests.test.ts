/** API Request: the requests that the node sends, and input that it rejects before sending. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { json } from '../../src/client/support/service';
import { useService } from '../shared/service';
import { running } from '../shared/nodes';

const NAME = 'Company Intelligence API Request';

const service = useService();

const KEY = 'ci_user_of_this_test';
const send = running('apiRequest', NAME).bind(undefined, service);

const urls = () => service.received.map(({ url }) => url);

describe('API Request with a user key', () => {
  it.each<[string, number]>([
    ['GET', 1],
    ['HEAD', 1],
    ...['DELETE', 'PATCH', 'POST', 'PUT'].map((method): [string, number] => [method, 3]),
  ])(
    'sends %s with the key and no content type, for three equal items %i times',
    async (method, times) => {
      await send({ method, path: 'lists/7/history', body: '  ' }, [{}, {}, {}]);

      const request = expect.objectContaining({
        method,
        url: '/v1/lists/7/history',
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
    ['lists/7/history?limit=10&q=a%20b', '/v1/lists/7/history?limit=10&q=a+b', true],
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

describe('when the path is invalid', () => {
  it.each(['lists/../../admin', 'lists/%00', ''])('sends nothing for %j', async (path) => {
    const run = await send({ path: '={{ $json.path }}' }, [{ path }]);

    expect(urls()).toEqual([]);
    expect(run.error).toMatchObject({
      name: 'NodeOperationError',
      message: expect.stringMatching(
        /^The path (is empty|is invalid because of (".+"|an empty part))$/,
      ),
      description: expect.stringContaining('Enter only the path below /v1/'),
      context: { itemIndex: 0 },
    });
  });
});

it.each([
  [
    'a body that is not JSON',
    { method: 'PUT', body: '{name: 1}' },
    /^"Body" cannot be read as JSON: /,
  ],
  ['a method that the API lacks', { method: 'TRACE' }, /TRACE/],
])('refuses %s before anything is sent', async (_what, parameters, message) => {
  const run = await send({ path: 'lists/7', ...parameters });

  expect(run.error?.message).toMatch(message);
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

  it.each([
    ['an address', /Base URL "an address" is not a valid URL/],
    ['ftp://x.test', /must start with https/],
    ['https://user:word@x.test', /must not contain a user name/],
  ])('refuses the Base URL %j', async (baseUrl, message) => {
    const run = await openly({ path: 'open/status', baseUrl });

    expect(run.error?.message).toMatch(message);
    expect(run.error?.description).toBe('Open this node and correct its Base URL.');
  });
});
