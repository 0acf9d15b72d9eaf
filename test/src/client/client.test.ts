import { Client } from '../../../src/client/client';
import { CancelledError, NotAttemptedError } from '../../../src/client/errors';
import { effectCall, failedCall, readCall, serviceWith, settingsFor } from './support/client';
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
    expect(service.received[0]).toMatchObject({ body: '' });
    expect(service.received[0]!.headers).not.toHaveProperty('content-type');
  });
});

describe('a response', () => {
  it('is passed to the reader with its status, headers and parsed body', async () => {
    const { client } = await serviceWith(json({ job_id: 'j' }, 202, { Location: '/v1/jobs/j' }));
    expect(await client.request({ ...effectCall, read: (got) => got })).toMatchObject({
      status: 202,
      headers: expect.objectContaining({ location: '/v1/jobs/j' }),
      json: { job_id: 'j' },
    });
  });

  it('is read as undefined when its body is empty', async () => {
    const { client } = await serviceWith(text('', 204));
    expect(await client.request(readCall({ read: (got) => got.json }))).toBeUndefined();
  });

  it('is abandoned and not requested again if it is too large', async () => {
    const tooLarge = text('', 200, { 'content-length': String(65 * 1024 * 1024) });
    const { failure, received } = await failedCall(tooLarge);
    expect(failure).toMatchObject({ code: 'response_too_large', name: 'InvalidResponseError' });
    expect(failure.message).toMatch(/64 MB/);
    expect(received).toHaveLength(1);
  });
});

describe('cancelling a request', () => {
  it('rejects immediately while a request is in flight, and closes its connection', async () => {
    const { service, client } = await serviceWith(silence, { requestTimeoutMs: 600_000 });
    const stop = new AbortController();
    const request = client.request(readCall(), { signal: stop.signal });
    await until(() => service.received.length === 1);
    stop.abort();
    expect(await rejectionOf(request)).toBeInstanceOf(CancelledError);
    await until(() => service.closed === 1);
  });

  it.each([
    ['waiting to retry', 503],
    ['the key is paused', 429],
  ])('rejects immediately while %s, and sends nothing more', async (_what, status) => {
    const { service, client } = await serviceWith(json({}, status, { 'Retry-After': '4' }));
    const stop = new AbortController();
    const request = client.request(readCall(), { signal: stop.signal });
    await until(() => service.received.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    expect(await rejectionOf(request)).toBeInstanceOf(CancelledError);
    expect(service.received).toHaveLength(1);
  });
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
