/** Tests which failures of a request the client retries, and how often (`src/client/client.ts`). */
import { RUN_CONCURRENT } from '../../../src/client/limiter/key-limiter';
import {
  clientFor,
  effectCall,
  failedCall,
  failureOf,
  readCall,
  serviceWith,
} from './support/client';
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
import { times } from './support/limited-service';
import { until } from './support/timing';

afterAll(TestService.stopAll);

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
  ['a truncated response', cut, 'ConnectionError'],
  ['no response', silence, 'ConnectionError'],
  ['an HTML page', text('<html></html>'), 'InvalidResponseError'],
  ['truncated JSON', text('{"name"'), 'InvalidResponseError'],
];

/** Only for reads: for a call with an effect, a 202 is a result or a conflict. */
const NOT_YET: typeof TRANSIENT = [
  ['202, not ready', json({ status: 'materializing' }, 202), 'InvalidResponseError'],
];

const IMPATIENT = { requestTimeoutMs: 250 };

describe('a repeatable call', () => {
  it.each([...TRANSIENT, ...NOT_YET])(
    'is sent four times when every attempt ends with %s',
    async (_name, answering, name) => {
      const { failure, received } = await failedCall(answering, readCall(), IMPATIENT);
      expect(failure.name).toBe(name);
      expect(received).toHaveLength(4);
    },
  );

  it.each([...TRANSIENT, ...NOT_YET])(
    'returns the result when the fourth attempt succeeds after three that end with %s',
    async (_name, bad) => {
      const { service, client } = await serviceWith(inTurn(bad, bad, bad, good), IMPATIENT);
      expect(await client.request(readCall())).toEqual({ name: 'Acme' });
      expect(service.received).toHaveLength(4);
    },
  );

  it('is retried before queued calls are sent for the first time', async () => {
    const answers: Array<() => void> = [];
    let released = false;
    const { service, client } = await serviceWith(
      (request, response) => {
        const outcome = request.number === 1 ? reset : good;
        const answer = () => {
          outcome(request, response);
        };
        if (released) answer();
        else answers.push(answer);
      },
      { requestTimeoutMs: 20_000 },
    );
    const count = RUN_CONCURRENT + 40;
    const requests = times(
      count,
      async (index) => await client.request(readCall({ path: `/v1/companies/${index}.com` })),
    );
    await until(() => answers.length === RUN_CONCURRENT);
    // Each request takes a few milliseconds to join the queue.
    await new Promise((resolve) => setTimeout(resolve, 400));
    answers[0]!();
    await new Promise((resolve) => setTimeout(resolve, 150));
    released = true;
    for (const answer of answers.slice(1)) answer();
    await Promise.all(requests);
    const urls = service.received.map(({ url }) => url);
    expect(urls).toHaveLength(count + 1);
    // One queued request takes the freed place while the first waits for its retry.
    expect(urls.lastIndexOf(urls[0]!)).toBeLessThanOrEqual(RUN_CONCURRENT + 5);
  }, 20_000);

  it.each([400, 401, 402, 403, 404, 422, 301, 304])(
    'is not retried after status %i',
    async (status) => {
      const { failure, received } = await failedCall(json({ error: 'nope' }, status));
      expect(failure).toMatchObject({ status });
      expect(received).toHaveLength(1);
    },
  );

  it('is not retried when the response has an unknown encoding', async () => {
    const { failure, received } = await failedCall(json({}, 200, { 'content-encoding': 'zstd' }));
    expect(failure.name).toBe('InvalidResponseError');
    expect(received).toHaveLength(1);
  });
});

it.each([
  ['may be repeated', readCall()],
  ['must not happen twice', effectCall],
])('a call that %s is sent four times when the connection is refused', async (_which, call) => {
  const client = clientFor({ baseUrl: await deserted() });
  const beforeSend = jest.fn();
  const error = await failureOf(client.request(call, { beforeSend }));
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
  expect(beforeSend).toHaveBeenCalledTimes(4);
});

describe('a call that must not be repeated', () => {
  it.each(TRANSIENT)(
    'is sent once, and the error says that it was not retried, after %s',
    async (_name, answering) => {
      const { failure, received } = await failedCall(answering, effectCall, IMPATIENT);
      expect(failure).toMatchObject({
        name: 'UnknownOutcomeError',
        code: 'unknown_outcome',
        message: expect.stringContaining('POST /v1/companies/acme.com/flags'),
        hint: expect.stringMatching(/didn't retry.*Check in the service/),
      });
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(received).toHaveLength(1);
    },
  );

  it('reports a 404 as not found, not as an unknown outcome', async () => {
    const { failure } = await failedCall(json({ error: 'company_not_found' }, 404), effectCall);
    expect(failure.name).toBe('NotFoundError');
  });

  it('uses a separate connection that is closed afterwards', async () => {
    const { service, client } = await serviceWith(good);
    for (const call of [readCall(), effectCall, effectCall, readCall()]) await client.request(call);
    expect(service.connections).toBe(3);
    await until(() => service.closed === 2);
  });
});

describe('a call that removes something', () => {
  const missing = json({ error: 'list_not_found' }, 404);
  const remove = readCall({ method: 'DELETE', path: '/v1/lists/1', whenMissing: () => 'gone' });

  it.each(TRANSIENT)(
    'succeeds when the retry after %s finds nothing left to remove',
    async (_name, bad) => {
      const { service, client } = await serviceWith(inTurn(bad, missing), IMPATIENT);
      expect(await client.request(remove)).toBe('gone');
      expect(service.received).toHaveLength(2);
    },
  );

  it.each<[string, Answering]>([
    ['on the first attempt', missing],
    ['after a 429', inTurn(json({}, 429), missing)],
  ])('fails when there is nothing to remove %s', async (_when, answering) => {
    expect((await failedCall(answering, remove)).failure.name).toBe('NotFoundError');
  });
});
