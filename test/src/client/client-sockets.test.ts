/** Tests the client over real connections: resets, hangs, cut bodies, cancellation. */
import { CancelledError } from '../../../src/client/errors';
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
  type Answering,
} from './support/service';
import { rejectionOf, until } from './support/timing';

afterAll(TestService.stopAll);

const good = json({ name: 'Acme' });

const cut: Answering = (request, response) => {
  response.writeHead(200, { 'content-length': 1_000 });
  response.write('{"name":', () => request.socket.destroy());
};

const IMPATIENT = { requestTimeoutMs: 250 };

describe.each<[string, Answering]>([
  ['a reset', reset],
  ['a truncated response', cut],
  ['no response', silence],
])('after %s', (_what, bad) => {
  it('a repeatable call is sent four times, and returns the result of the fourth', async () => {
    const { failure, received } = await failedCall(bad, readCall(), IMPATIENT);
    expect([failure.name, received.length]).toEqual(['ConnectionError', 4]);
    const { client } = await serviceWith(inTurn(bad, bad, bad, good), IMPATIENT);
    expect(await client.request(readCall())).toEqual({ name: 'Acme' });
  });

  it('a call that must not be repeated is sent once, and the error says so', async () => {
    const { failure, received } = await failedCall(bad, effectCall, IMPATIENT);
    expect(failure.name).toBe('UnknownOutcomeError');
    await new Promise((resolve) => setTimeout(resolve, 60));
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

it('sends a call that must not be repeated over a connection of its own', async () => {
  const { service, client } = await serviceWith(good);
  for (const call of [readCall(), effectCall, effectCall, readCall()]) await client.request(call);
  expect(service.connections).toBe(3);
  await until(() => service.closed === 2);
});

it.each([
  ['a request is in flight, and closes its connection', silence, 1],
  ['waiting to retry, and sends nothing more', json({}, 503, { 'Retry-After': '4' }), 0],
  ['the key is paused, and sends nothing more', json({}, 429, { 'Retry-After': '4' }), 0],
])('rejects immediately when cancelled while %s', async (_what, answering, closed) => {
  const { service, client } = await serviceWith(answering, { requestTimeoutMs: 600_000 });
  const stop = new AbortController();
  const request = client.request(readCall(), { signal: stop.signal });
  await until(() => service.received.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  stop.abort();
  expect(await rejectionOf(request)).toBeInstanceOf(CancelledError);
  expect(service.received).toHaveLength(1);
  await until(() => service.closed >= closed);
});
