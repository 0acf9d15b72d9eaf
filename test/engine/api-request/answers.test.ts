/** API Request: how valid and invalid responses are output. */

import { json, text } from '../../src/client/support/service';
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

  it('is output in item order and linked to its item, with all entries of a list', async () => {
    service.answer((request, response) => {
      const { pathname } = new URL(request.url, 'http://x');
      json([{ of: pathname }, { of: pathname, more: true }])(request, response);
    });
    const run = await send({ path: '={{ "lists/" + $json.list }}' }, [
      { list: 'b' },
      { list: 'a' },
      { list: 'b' },
    ]);

    expect(run.json(NAME).map((one) => one['of'])).toEqual(
      ['b', 'b', 'a', 'a', 'b', 'b'].map((list) => `/v1/lists/${list}`),
    );
    expect(run.traced()).toEqual([0, 0, 1, 1, 2, 2]);
    expect(service.received).toHaveLength(2);
  });
});
