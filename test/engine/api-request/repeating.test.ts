/** API Request: reads may be sent again; anything else only when it surely was not processed. */
import { inTurn, json, reset, text } from '../../src/client/support/service';
import { ON_ERROR, useService } from '../shared/service';
import { running } from '../shared/nodes';
import { errorItemOf } from '../shared/error-items';

const NAME = 'API Request';
const apiRequest = running('apiRequest', NAME);

const service = useService();

const CHANGES = ['POST', 'PUT', 'PATCH', 'DELETE'];
const done = json({ done: true });
const trouble = json({ error: 'internal' }, 500);
const throttled = json({ error: 'operational_rate_limit_exceeded' }, 429, {
  'retry-after': '0.05',
});

it.each(['GET', 'HEAD'])('%s is sent again after 500 and after a reset', async (method) => {
  service.answer(inTurn(trouble, reset, done));
  const run = await apiRequest(service, { method, path: 'lists' });

  expect(run.error).toBeUndefined();
  expect(service.received).toHaveLength(3);
});

describe.each(CHANGES)('%s', (method) => {
  it.each([
    ['500', trouble],
    ['a reset', reset],
    ['an HTML page', text('<html>', 200, { 'content-type': 'text/html' })],
  ])('is sent once when it meets %s: the outcome is unknown', async (_what, answering) => {
    service.answer(inTurn(answering, done));
    const run = await apiRequest(service, { method, path: 'lists/7', body: '{}' });

    expect(run.error?.message).toMatch(
      new RegExp(`^The service may or may not have done this \\(${method} /v1/lists/7`),
    );
    expect(run.error?.description).toMatch(/Check in the service/);
    expect(service.received).toHaveLength(1);
  });

  it('is sent again after 429, which was surely not processed', async () => {
    service.answer(inTurn(throttled, throttled, done));
    const run = await apiRequest(service, { method, path: 'lists/7' });

    expect(run.json(NAME)).toEqual([{ done: true }]);
    expect(service.received).toHaveLength(3);
  });

  it('is sent for each item, equal or not', async () => {
    service.answer((request, response) => {
      json({ number: request.number })(request, response);
    });
    const run = await apiRequest(service, { method, path: 'lists' }, [{}, {}, {}]);

    expect(
      run
        .json(NAME)
        .map((one) => one['number'])
        .sort(),
    ).toEqual([1, 2, 3]);
  });
});

describe.each(ON_ERROR)('with Retry On Fail, On Error: %s', (onError) => {
  it('what succeeded is not sent again when another item fails', async () => {
    service.answer((request, response) => {
      const fails = request.body.includes('"fails"');
      json(fails ? { error: 'conflict' } : { done: true }, fails ? 409 : 200)(request, response);
    });
    const items = [{ name: 'fails' }, { name: 'same' }, { name: 'same' }, { name: 'other' }];
    const run = await apiRequest(
      service,
      { method: 'POST', path: 'lists', body: '={{ { name: $json.name } }}' },
      items,
      { onError, retryOnFail: true, maxTries: 3, waitBetweenTries: 1 },
    );
    const names = service.received.map(({ body }) => (JSON.parse(body) as { name: string }).name);
    const count = (name: string) => names.filter((one) => one === name).length;

    expect(count('fails')).toBe(3);
    if (onError === 'stopWorkflow') {
      expect(run.error).toMatchObject({ httpCode: '409' });
      // After the failure nothing more is begun; what had been begun is not repeated.
      expect([count('same') <= 2, count('other') <= 1]).toEqual([true, true]);
      return;
    }
    expect([count('same'), count('other')]).toEqual([2, 1]);
    expect(run.json(NAME, 0).filter((one) => one['done'] === true)).toHaveLength(3);
  });

  it('an unknown outcome stays unknown: it is not sent again', async () => {
    service.answer(inTurn(reset, done));
    const run = await apiRequest(
      service,
      { method: 'POST', path: 'lists', body: '{"name":"x"}' },
      [{}],
      { onError, retryOnFail: true, maxTries: 5, waitBetweenTries: 1 },
    );

    expect(service.received).toHaveLength(1);
    if (onError === 'stopWorkflow')
      expect(run.error?.message).toMatch(/^The service may or may not have done this/);
    else {
      const failed = run.json(NAME, onError === 'continueErrorOutput' ? 1 : 0);
      expect(failed).toEqual([expect.objectContaining(errorItemOf('unknown_outcome'))]);
    }
  });
});
