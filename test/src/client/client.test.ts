import { Client } from '../../../src/client/client';
import {
  CancelledError,
  InvalidResponseError,
  NotAttemptedError,
} from '../../../src/client/errors';
import { clientFor, effectCall, failureOf, readCall, settingsFor } from './support/client';
import { deserted, inTurn, json, silence, TestService, text } from './support/service';
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

  it.each([
    ['an HTML page', text('<html><body>Log in</body></html>'), /HTML page, not JSON/],
    ['truncated JSON', text('{"name": "Ac'), /not complete JSON/],
    ['null', text('null'), /Nothing/],
    ['nothing', text(''), /Nothing/],
  ])('%s is asked for again, then said to be unreadable', async (_name, answering, message) => {
    const service = await TestService.start(answering);
    const error = await failureOf((await clientFor(service)).request(readCall()));
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error.message).toMatch(message);
    expect(service.received).toHaveLength(4);
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

  it('an answer without end is given up and not asked for again', async () => {
    const body = Buffer.alloc(1024 * 1024, ' ');
    const service = await TestService.start((_request, response) => {
      response.writeHead(200);
      const more = (): void => {
        while (!response.destroyed && response.write(body));
        response.once('drain', more);
      };
      more();
    });
    const client = await clientFor(service, { requestTimeoutMs: 30_000 });
    const error = await failureOf(client.request(readCall()));
    expect(error).toMatchObject({ code: 'response_too_large', name: 'InvalidResponseError' });
    expect(error.message).toMatch(/64 MB/);
    expect(service.received).toHaveLength(1);
  }, 40_000);
});

describe('the deadline', () => {
  it('holds for each try of a request', async () => {
    const service = await TestService.start(inTurn(silence, json({ name: 'Acme' })));
    const client = await clientFor(service, { requestTimeoutMs: 200 });
    expect(await client.request(readCall())).toEqual({ name: 'Acme' });
    const [first, second] = service.received;
    // The deadline began before the first arrived, which takes its time on a busy machine.
    expect(second!.at - first!.at).toBeGreaterThanOrEqual(100);
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

  it('while waiting to try again rejects at once, and nothing more is sent', async () => {
    const service = await TestService.start(json({}, 503, { 'Retry-After': '3' }));
    const stop = new AbortController();
    const request = (await clientFor(service)).request(readCall(), { signal: stop.signal });
    await until(() => service.received.length === 1);
    await new Promise((resolve) => setTimeout(resolve, 50));
    stop.abort();
    expect(await rejectionOf(request)).toBeInstanceOf(CancelledError);
    expect(service.received).toHaveLength(1);
  });

  it('while the key pauses rejects at once', async () => {
    const service = await TestService.start(json({}, 429, { 'Retry-After': '4' }));
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
  it('is asked before each try', async () => {
    let asked = 0;
    const client = await clientFor({ baseUrl: await deserted() });
    await failureOf(
      client.request(readCall(), {
        beforeSend: () => {
          asked += 1;
        },
      }),
    );
    expect(asked).toBe(4);
  });

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
