/** API Request: how responses are output, and what they count under Max Credits per Run. */
import type { IDataObject } from 'n8n-workflow';

import { json, text } from '../../src/client/support/service';
import { errorItemOf } from '../shared/error-items';
import { useService } from '../shared/service';
import { running } from '../shared/nodes';

const NAME = 'Company Intelligence API Request';

const service = useService();
const send = running('apiRequest', NAME).bind(undefined, service);

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

  it('is output as a success without a body when the method is HEAD', async () => {
    const run = await send({ method: 'HEAD', path: 'lists' });

    expect(run.json(NAME)).toEqual([{ success: true }]);
  });

  it('fails the run when it is an HTML page', async () => {
    service.answer(
      text('<html>Log in</html>', 200, { 'content-type': 'text/html; charset=utf-8' }),
    );
    const run = await send({ path: 'lists' });

    expect(run.error?.message).toBe('The response is an HTML page, not JSON');
    expect(run.error?.description).toContain('Base URL');
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
    expect(run.traced(1)).toEqual([0, 1, 2, 3].slice(expected));
    for (const item of run.json(NAME, 1)) {
      expect(item).toMatchObject(errorItemOf('max_credits_reached'));
    }
  },
);
