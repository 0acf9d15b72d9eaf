import { Client } from '../../../src/client/client';
import {
  CancelledError,
  InvalidResponseError,
  NotAttemptedError,
} from '../../../src/client/errors';
import { clientFor, effectCall, failureOf, readCall, settingsFor } from './support/client';
import { json, silence, TestService, text } from './support/service';
import { QUICK, rejectionOf, until } from './support/timing';

afterAll(async () => {
  await TestService.stopAll();
});

describe('what is sent', () => {
  it('method, path below the base URL, parameters that are defined, and the body as JSON', async () => {
    const service = await TestService.start();
    const client = await Client.open(settingsFor({ baseUrl: `${service.baseUrl}/gateway` }), QUICK);
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

  it('the key is in its header and nowhere else', async () => {
    const service = await TestService.start();
    const settings = settingsFor(service);
    const client = await Client.open(settings, QUICK);
    await client.request(readCall({ query: { q: 'x' } }));
    await client.request(effectCall);
    for (const { url, headers, body } of service.received) {
      expect(headers['x-api-key']).toBe(settings.apiKey);
      const others = Object.entries(headers).filter(([name]) => name !== 'x-api-key');
      expect(JSON.stringify([url, body, others])).not.toContain(settings.apiKey);
    }
    expect(service.received).toHaveLength(2);
  });

  it('a request without a body says nothing of its type', async () => {
    const service = await TestService.start();
    await (await clientFor(service)).request(readCall());
    expect(service.received[0]).toMatchObject({ body: '' });
    expect(service.received[0]!.headers).not.toHaveProperty('content-type');
  });
});

describe('what comes back', () => {
  it('status, headers and parsed body reach the reader of the call', async () => {
    const service = await TestService.start(json({ job_id: 'j' }, 202, { Location: '/v1/jobs/j' }));
    const answer = await (await clientFor(service)).request(readCall({ read: (got) => got }));
    expect(answer).toMatchObject({
      status: 202,
      headers: expect.objectContaining({ location: '/v1/jobs/j' }),
      json: { job_id: 'j' },
    });
  });

  it('an empty body is no JSON and no error', async () => {
    const service = await TestService.start(text('', 204));
    const client = await clientFor(service);
    expect(await client.request(readCall({ read: (got) => got.json }))).toBeUndefined();
  });

  it('a failure of the reader itself is no reason to ask again', async () => {
    const service = await TestService.start();
    const read = () => {
      throw new RangeError('a bug');
    };
    const error = await failureOf((await clientFor(service)).request(readCall({ read })));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toBe('The answer could not be read');
    expect(service.received).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('in mid-flight rejects at once, and the service sees the connection close', async () => {
    const service = await TestService.start(silence);
    const stop = new AbortController();
    const client = await clientFor(service, { requestTimeoutMs: 60_000 });
    const request = client.request(readCall(), { signal: stop.signal });
    await until(() => service.received.length === 1);
    stop.abort();
    expect(await rejectionOf(request)).toBeInstanceOf(CancelledError);
    await until(() => service.closed === 1);
  });

  it.each([
    ['waiting to try again', 503],
    ['the key pauses', 429],
  ])('while %s rejects at once, and nothing more is sent', async (_what, status) => {
    const service = await TestService.start(json({}, status, { 'Retry-After': '4' }));
    const stop = new AbortController();
    const request = (await clientFor(service)).request(readCall(), { signal: stop.signal });
    await until(() => service.received.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    expect(await rejectionOf(request)).toBeInstanceOf(CancelledError);
    expect(service.received).toHaveLength(1);
  });
});

describe('the last moment before sending', () => {
  it('can keep the request from being sent', async () => {
    const service = await TestService.start();
    const refusal = new NotAttemptedError({ code: 'no', message: 'no', hint: 'no' });
    const request = (await clientFor(service)).request(readCall(), {
      beforeSend: () => {
        throw refusal;
      },
    });
    await expect(request).rejects.toBe(refusal);
    expect(service.connections).toBe(0);
  });
});
