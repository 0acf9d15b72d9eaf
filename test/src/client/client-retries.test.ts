import { RUN_CONCURRENT } from '../../../src/client/limiter/key-limiter';
import { clientFor, effectCall, failureOf, readCall } from './support/client';
import {
  deserted,
  inTurn,
  json,
  reset,
  silence,
  TestService,
  text,
  type Answering,
} from './support/service';
import { until } from './support/timing';

afterAll(async () => {
  await TestService.stopAll();
});

const good = json({ name: 'Acme' });

const cut: Answering = (request, response) => {
  response.writeHead(200, { 'content-length': 1_000 });
  response.write('{"name":', () => request.socket.destroy());
};

const TRANSIENT: ReadonlyArray<[string, Answering, string]> = [
  ['500', json({ error: 'internal', message: 'Oops' }, 500), 'ServerError'],
  ['502 as HTML', text('<h1>Bad Gateway</h1>', 502), 'ServerError'],
  ['503', text('', 503), 'ServerError'],
  ['408', text('', 408), 'ServiceError'],
  ['a reset', reset, 'ConnectionError'],
  ['an answer cut off', cut, 'ConnectionError'],
  ['silence', silence, 'ConnectionError'],
  ['an HTML page', text('<html></html>'), 'InvalidResponseError'],
  ['truncated JSON', text('{"name"'), 'InvalidResponseError'],
];

describe('a call that may be repeated', () => {
  it.each(TRANSIENT)('is sent four times and no more: %s', async (_name, answering, name) => {
    const service = await TestService.start(answering);
    const client = await clientFor(service, { requestTimeoutMs: 250 });
    expect((await failureOf(client.request(readCall()))).name).toBe(name);
    expect(service.received).toHaveLength(4);
  });

  it.each(TRANSIENT)('gets its result when the fourth try succeeds: %s', async (_name, bad) => {
    const service = await TestService.start(inTurn(bad, bad, bad, good));
    const client = await clientFor(service, { requestTimeoutMs: 250 });
    expect(await client.request(readCall())).toEqual({ name: 'Acme' });
    expect(service.received).toHaveLength(4);
  });

  it.each(['zstd', 'utf-8'])('is sent once when its answer is packed as %s', async (packing) => {
    const service = await TestService.start(json({}, 200, { 'content-encoding': packing }));
    const client = await clientFor(service);
    const { name, message } = await failureOf(client.request(readCall()));
    expect([name, service.received.length]).toEqual(['InvalidResponseError', 1]);
    expect(message).toMatch(
      new RegExp(`^The answer cannot be read: .*Content-Encoding: ${packing}`),
    );
  });

  it('goes before those that wait for their first turn when it is sent again', async () => {
    const answers: Array<() => void> = [];
    let released = false;
    const service = await TestService.start((request, response) => {
      const outcome = request.number === 1 ? reset : good;
      const answer = () => {
        outcome(request, response);
      };
      if (released) answer();
      else answers.push(answer);
    });
    const client = await clientFor(service, { requestTimeoutMs: 20_000 });
    const count = RUN_CONCURRENT + 40;
    const requests = Array.from(
      { length: count },
      async (_unused, index) =>
        await client.request(readCall({ path: `/v1/companies/${index}.com` })),
    );
    await until(() => answers.length === RUN_CONCURRENT);
    // Taking a place in the queue is asynchronous, a few milliseconds each.
    await new Promise((resolve) => setTimeout(resolve, 400));
    answers[0]!();
    await new Promise((resolve) => setTimeout(resolve, 150));
    released = true;
    for (const answer of answers.slice(1)) answer();
    await Promise.all(requests);
    const urls = service.received.map(({ url }) => url);
    expect(urls).toHaveLength(count + 1);
    // One request takes the place that is free while this one waits to be sent again.
    expect(urls.lastIndexOf(urls[0]!)).toBeLessThanOrEqual(RUN_CONCURRENT + 5);
  }, 20_000);

  it('is sent again when nobody listens', async () => {
    const client = await clientFor({ baseUrl: await deserted() });
    const error = await failureOf(client.request(readCall()));
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
  });

  it('is not sent before the time that a failing service asks for', async () => {
    const busy = text('', 503, { 'Retry-After': '0.3' });
    const service = await TestService.start(inTurn(busy, good));
    await (await clientFor(service)).request(readCall());
    const [first, second] = service.received;
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(299);
  });

  it('fails at once when a failing service asks for too much time', async () => {
    const service = await TestService.start(text('', 503, { 'Retry-After': '3600' }));
    const error = await failureOf((await clientFor(service)).request(readCall()));
    expect(error.name).toBe('RateLimitError');
    expect(service.received).toHaveLength(1);
  });

  it.each([400, 401, 402, 403, 404, 409, 422, 301])(
    'is not sent again after %i',
    async (status) => {
      const service = await TestService.start(json({ error: 'nope' }, status));
      expect(await failureOf((await clientFor(service)).request(readCall()))).toMatchObject({
        status,
      });
      expect(service.received).toHaveLength(1);
    },
  );
});

describe('a call that must not happen twice', () => {
  it.each(TRANSIENT)('is sent once, and the error says so: %s', async (_name, answering) => {
    const service = await TestService.start(answering);
    const client = await clientFor(service, { requestTimeoutMs: 250 });
    const error = await failureOf(client.request(effectCall));
    expect(error).toMatchObject({
      name: 'UnknownOutcomeError',
      code: 'unknown_outcome',
      hint: expect.stringMatching(/not sent again.*Check in the service/),
    });
    expect(error.message).toContain('POST /v1/companies/acme.com/flags');
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(service.received).toHaveLength(1);
  });

  it('is tried again when nobody listens, and fails as never sent', async () => {
    let tries = 0;
    const client = await clientFor({ baseUrl: await deserted() });
    const error = await failureOf(
      client.request(effectCall, {
        beforeSend: () => {
          tries += 1;
        },
      }),
    );
    expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
    expect(tries).toBe(4);
  });

  it('is sent again after 429, because it was refused', async () => {
    const throttled = json({ error: 'x' }, 429, { 'Retry-After': '0.05' });
    const service = await TestService.start(
      inTurn(throttled, throttled, json({ flag_id: 1 }, 201)),
    );
    const client = await clientFor(service);
    expect(await client.request(effectCall)).toEqual({ flag_id: 1 });
    expect(service.received).toHaveLength(3);
  });

  it('a refusal is a refusal', async () => {
    const service = await TestService.start(json({ error: 'company_not_found' }, 404));
    const error = await failureOf((await clientFor(service)).request(effectCall));
    expect(error.name).toBe('NotFoundError');
  });

  it('never rides on a connection that was kept open', async () => {
    const service = await TestService.start(good);
    const client = await clientFor(service);
    await client.request(readCall());
    await client.request(effectCall);
    expect(service.connections).toBe(2);
    await client.request(readCall());
    expect(service.connections).toBe(2);
  });
});

describe('a call that removes something', () => {
  const missing = json({ error: 'list_not_found' }, 404);
  const remove = readCall({ method: 'DELETE', path: '/v1/lists/1', whenGone: () => 'gone' });

  it.each(TRANSIENT)('is done when what it removes is gone after %s', async (_name, bad) => {
    const service = await TestService.start(inTurn(bad, missing));
    const client = await clientFor(service, { requestTimeoutMs: 250 });
    expect(await client.request(remove)).toBe('gone');
    expect(service.received).toHaveLength(2);
  });

  it.each<[string, Answering]>([
    ['at once', missing],
    ['after a 429', inTurn(json({}, 429), missing)],
  ])('fails when there is nothing to remove %s', async (_when, answering) => {
    const service = await TestService.start(answering);
    const client = await clientFor(service);
    expect((await failureOf(client.request(remove))).name).toBe('NotFoundError');
  });
});
