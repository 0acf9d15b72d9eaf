import { Client } from '../../../src/client/client';
import { CancelledError, NotAttemptedError } from '../../../src/client/errors';
import { effectCall, readCall, serviceWith, settingsFor } from './support/client';
import { json, silence, TestService, text } from './support/service';
import { QUICK, rejectionOf, until } from './support/timing';

afterAll(TestService.stopAll);

describe('a sent request', () => {
  it('contains the method, the path below the base URL, the defined parameters and the JSON body', async () => {
    const service = await TestService.start();
    const client = Client.open(settingsFor({ baseUrl: `${service.baseUrl}/gateway` }), QUICK);
    await client.request(
      readCall({
        method: 'POST',
        path: '/v1/companies',
        query: { q: 'a&b =ü', page: 2, has_partner_page: false, sort: undefined },
        body: { domains: ['acme.com'] },
      }),
    );
    const [sent] = service.received;
    expect(sent).toMatchObject({ method: 'POST', body: '{"domains":["acme.com"]}' });
    const url = new URL(sent!.url, service.baseUrl);
    expect(url.pathname).toBe('/gateway/v1/companies');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      q: 'a&b =ü',
      page: '2',
      has_partner_page: 'false',
    });
    expect(sent!.headers['content-type']).toMatch(/^application\/json/);
    expect(sent!.headers.accept).toMatch(/application\/json/);
  });

  it('contains the key only in its header', async () => {
    const { service, settings, client } = await serviceWith();
    await client.request(readCall({ query: { q: 'x' } }));
    await client.request(effectCall);
    for (const { url, headers, body } of service.received) {
      expect(headers['x-api-key']).toBe(settings.apiKey);
      const others = Object.entries(headers).filter(([name]) => name !== 'x-api-key');
      expect(JSON.stringify([url, body, others])).not.toContain(settings.apiKey);
    }
    expect(service.received).toHaveLength(2);
  });

  it('has no content type without a body', async () => {
    const { service, client } = await serviceWith();
    await client.request(readCall());
    const [sent] = service.received;
    expect(sent!.body).toBe('');
    expect(sent!.headers).not.toHaveProperty('content-type');
  });
});

it.each([
  ['parsed body', json({ job_id: 'j' }, 202, { Location: '/v1/jobs/j' }), 202, { job_id: 'j' }],
  ['empty body as undefined', text('', 204, { Location: '/v1/jobs/j' }), 204, undefined],
])('passes the status, headers and %s to the reader', async (_what, answering, status, body) => {
  const { client } = await serviceWith(answering);
  const got = await client.request({ ...effectCall, read: (response) => response });
  expect(got).toMatchObject({ status, headers: { location: '/v1/jobs/j' }, json: body });
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

it('does not send the request when the check immediately before sending fails', async () => {
  const { service, client } = await serviceWith();
  const refusal = new NotAttemptedError({ code: 'no', message: 'no', hint: 'no' });
  const beforeSend = () => {
    throw refusal;
  };
  await expect(client.request(readCall(), { beforeSend })).rejects.toBe(refusal);
  expect(service.connections).toBe(0);
});
