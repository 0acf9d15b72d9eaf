import { Client } from '../../../src/client/client';
import { effectCall, outcomeOf, readCall, serviceWith, settingsFor } from './support/client';
import {
  deserted,
  inTurn,
  json,
  reset,
  silence,
  TestService,
  type Answering,
} from './support/service';
import { times } from './support/limited-service';
import { failureOf, QUICK, until } from './support/timing';

afterAll(TestService.stopAll);

const good = json({ name: 'Acme' });

it('repeats reads only, up to three times, after a reset', async () => {
  const outcome = async (answering: Answering, call = readCall()) =>
    await outcomeOf(await serviceWith(answering), call);
  expect(await outcome(reset)).toBe('4 × ConnectionError');
  expect(await outcome(inTurn(reset, reset, reset, good))).toBe('4 × {"name":"Acme"}');
  expect(await outcome(reset, effectCall)).toBe('1 × UnknownOutcomeError');
});

it.each([
  ['may be repeated', readCall()],
  ['must not happen twice', effectCall],
])('a call that %s is sent four times when the connection is refused', async (_which, call) => {
  const client = Client.open(settingsFor({ baseUrl: await deserted() }), QUICK);
  const beforeSend = jest.fn();
  let counted = 0;
  const sent = (times: number) => (counted += times);
  const error = await failureOf(client.request(call, { beforeSend, sent }));
  expect(error).toMatchObject({ name: 'ConnectionError', code: 'connection_failed' });
  expect(beforeSend).toHaveBeenCalledTimes(4);
  expect(counted).toBe(0);
});

it('sends a call that must not be repeated over a connection of its own', async () => {
  const { service, client } = await serviceWith(good);
  for (const call of [readCall(), effectCall, effectCall, readCall()]) await client.request(call);
  expect(service.connections).toBe(3);
  await until(() => service.closed === 2);
});

it('sends a retry over a new connection, because other kept ones may be dead as well', async () => {
  const waiting: Array<() => void> = [];
  const together: Answering = (...exchange) => {
    waiting.push(() => good(...exchange));
    if (waiting.length === 5) for (const answer of waiting) answer();
  };
  const { service, client } = await serviceWith(together);
  await Promise.all(times(5, async () => await client.request(readCall())));
  const kept = new Set(service.received.map(({ socket }) => socket));
  service.answer((...exchange) => (kept.has(exchange[0].socket) ? reset : good)(...exchange));
  await client.request(readCall());
  expect(kept.size).toBe(5);
  expect(service.received).toHaveLength(5 + 2);
});

it.each([
  ['a request is in flight, and closes its connection', silence, 1],
  ['waiting to retry, and sends nothing more', json({}, 503, { 'Retry-After': '4' }), 0],
  ['the key is paused, and sends nothing more', json({}, 429, { 'Retry-After': '4' }), 0],
])('rejects immediately when cancelled while %s', async (_what, answering, closed) => {
  const { service, client } = await serviceWith(answering, { requestTimeoutMs: 600_000 });
  const stop = new AbortController();
  const rejected = client.request(readCall(), { signal: stop.signal });
  await until(() => service.received.length === 1);
  await new Promise((resolve) => setTimeout(resolve, 50));
  const stoppedAt = Date.now();
  stop.abort();
  expect((await failureOf(rejected)).name).toBe('CancelledError');
  expect(Date.now() - stoppedAt).toBeLessThan(2_000);
  expect(service.received).toHaveLength(1);
  await until(() => service.closed >= closed);
});
