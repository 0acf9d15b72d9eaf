import { MAX_RESPONSE_BYTES } from '../../../../src/client/exchange/body';
import { exchangeWhole } from '../../../../src/client/exchange/transport';
import { exchangeWith, requestTo } from '../support/client';
import { times } from '../support/limited-service';
import { drip, endless, json, silence, TestService, text } from '../support/service';
import { until } from '../support/timing';

const MEGABYTE = 1024 * 1024;

afterAll(TestService.stopAll);

it('sends requests through the proxy that HTTP_PROXY names', async () => {
  const proxy = await TestService.start(json({ a: 1 }));
  const before = process.env;
  process.env = { ...before, HTTP_PROXY: proxy.baseUrl };
  try {
    const body = '{"a":[]}';
    const request = requestTo('http://service.example/v1/x?q=1', { method: 'POST', body });
    expect(await exchangeWhole(request)).toMatchObject({ status: 200, body: '{"a":1}' });
    expect(proxy.received).toMatchObject([{ url: 'http://service.example/v1/x?q=1', body }]);
  } finally {
    process.env = before;
  }
});

it.each([
  ['that never responds', silence],
  ['that sends one byte at a time', drip(20)],
])('fails at the deadline and closes the connection to a server %s', async (_name, answering) => {
  const service = await TestService.start(answering);
  const start = Date.now();
  const outcome = await exchangeWhole(requestTo(service.baseUrl, { timeoutMs: 300 }));
  expect(outcome).toMatchObject({
    code: 'no_answer',
    message: 'The service did not respond: no complete response within 0.3 s',
  });
  expect(Date.now() - start).toBeGreaterThanOrEqual(295);
  await until(() => service.closed === 1);
});

it('abandons an endless body after 64 MB and closes the connection', async () => {
  let sent = 0;
  const counting = endless(MEGABYTE, () => (sent += 1));
  const { service, outcome } = await exchangeWith(counting, { timeoutMs: 30_000 });
  expect(outcome).toMatchObject({ code: 'response_too_large' });
  await until(() => service.closed === 1);
  expect(sent).toBeGreaterThanOrEqual(MAX_RESPONSE_BYTES / MEGABYTE);
  // The buffers of the operating system hold some more.
  expect(sent).toBeLessThan(150);
});

it('reads a body just below 64 MB', async () => {
  const body = 'x'.repeat(MAX_RESPONSE_BYTES - 1);
  const { outcome } = await exchangeWith(text(body), { timeoutMs: 30_000 });
  expect('body' in outcome && outcome.body.length).toBe(body.length);
});

it('uses up to 20 connections for 500 requests, 20 at a time', async () => {
  const service = await TestService.start();
  const request = requestTo(service.baseUrl, { method: 'POST', body: '{}' });
  const workers = times(20, async () => {
    for (let sent = 0; sent < 25; sent += 1) {
      expect(await exchangeWhole(request)).toMatchObject({ status: 200 });
    }
  });
  await Promise.all(workers);
  expect(service.received).toHaveLength(500);
  expect(service.connections).toBeLessThanOrEqual(20);
});
