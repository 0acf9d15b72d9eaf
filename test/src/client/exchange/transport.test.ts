import { gzipSync } from 'node:zlib';

import { CancelledError } from '../../../../src/client/errors';
import { MAX_RESPONSE_BYTES } from '../../../../src/client/exchange/body';
import { exchange } from '../../../../src/client/exchange/transport';
import { requestTo } from '../support/client';
import { drip, json, silence, TestService, text } from '../support/service';
import { until } from '../support/timing';

const MEGABYTE = 1024 * 1024;

afterAll(async () => {
  await TestService.stopAll();
});

describe('an answer', () => {
  it.each([200, 201, 202, 301, 400, 404, 429, 500])('%i comes as it is', async (status) => {
    const service = await TestService.start(json({ a: 'ü' }, status, { 'X-Test': 'yes' }));
    expect(await exchange(requestTo(service.baseUrl))).toEqual({
      status,
      headers: expect.objectContaining({ 'x-test': 'yes' }),
      [status < 300 ? 'body' : 'refusal']: '{"a":"ü"}',
    });
  });

  it('method, path, headers and body arrive as given', async () => {
    const service = await TestService.start();
    await exchange(
      requestTo(`${service.baseUrl}/v1/x?q=a%20b`, {
        method: 'PUT',
        headers: { 'X-API-Key': 'k', 'Content-Type': 'application/json' },
        body: '{"domains":["a.com"]}',
      }),
    );
    expect(service.received[0]).toMatchObject({
      method: 'PUT',
      url: '/v1/x?q=a%20b',
      body: '{"domains":["a.com"]}',
      headers: expect.objectContaining({ 'x-api-key': 'k', 'content-type': 'application/json' }),
    });
  });
});

it('goes through the proxy that the environment names', async () => {
  const proxy = await TestService.start(json({ a: 1 }));
  const before = process.env;
  process.env = { ...before, HTTP_PROXY: proxy.baseUrl };
  try {
    const body = '{"a":[]}';
    const request = requestTo('http://service.example/v1/x?q=1', { method: 'POST', body });
    expect(await exchange(request)).toMatchObject({ status: 200, body: '{"a":1}' });
    expect(proxy.received).toMatchObject([{ url: 'http://service.example/v1/x?q=1', body }]);
  } finally {
    process.env = before;
  }
});

describe('no answer', () => {
  it.each([
    ['that never answers', silence],
    ['that sends a byte at a time', drip(20)],
  ])('a server %s meets the deadline, and its connection is closed', async (_name, answering) => {
    const service = await TestService.start(answering);
    const start = Date.now();
    const outcome = await exchange(requestTo(service.baseUrl, { timeoutMs: 300 }));
    expect(outcome).toMatchObject({
      code: 'no_answer',
      message: 'The service did not answer: no complete answer within 0.3 s',
    });
    expect(Date.now() - start).toBeGreaterThanOrEqual(295);
    await until(() => service.closed === 1);
  });

  it('cancelled: at once, and the server sees the connection close', async () => {
    const service = await TestService.start(silence);
    const stop = new AbortController();
    const outcome = exchange(
      requestTo(service.baseUrl, { signal: stop.signal, timeoutMs: 60_000 }),
    );
    await until(() => service.received.length === 1);
    stop.abort();
    expect(await outcome).toBeInstanceOf(CancelledError);
    await until(() => service.closed === 1);
  });
});

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('%i is an answer, and nobody follows it', async (status) => {
    const elsewhere = await TestService.start();
    const service = await TestService.start(
      text('', status, { location: `${elsewhere.baseUrl}/steal` }),
    );
    const outcome = await exchange(requestTo(service.baseUrl, { headers: { 'X-API-Key': 'k' } }));
    expect(outcome).toMatchObject({ status, refusal: '' });
    expect(service.received).toHaveLength(1);
    expect(elsewhere.connections).toBe(0);
  });
});

describe('a body without end', () => {
  const peakOf = async (work: () => Promise<unknown>): Promise<number> => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    await work();
    clearInterval(timer);
    return (peak - before) / MEGABYTE;
  };

  it('plain: is given up at 64 MB, and the connection is closed', async () => {
    let sent = 0;
    const chunk = Buffer.alloc(MEGABYTE, ' ');
    const service = await TestService.start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && sent < 2_000) {
          sent += 1;
          if (!response.write(chunk)) {
            response.once('drain', more);
            return;
          }
        }
      };
      more();
    });
    const megabytes = await peakOf(async () => {
      const outcome = await exchange(requestTo(service.baseUrl, { timeoutMs: 30_000 }));
      expect(outcome).toMatchObject({ code: 'response_too_large' });
    });
    await until(() => service.closed === 1);
    expect(sent).toBeGreaterThanOrEqual(MAX_RESPONSE_BYTES / MEGABYTE);
    // What lies in the system's buffers comes on top.
    expect(sent).toBeLessThan(150);
    expect(megabytes).toBeLessThan(400);
  }, 40_000);

  it('packed: is given up at 64 MB unpacked', async () => {
    // Gzip members may follow one another: 40 of 16 MB are 640 MB from 640 kB.
    const member = gzipSync(Buffer.alloc(16 * MEGABYTE));
    const service = await TestService.start((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' });
      response.end(Buffer.concat(Array<Buffer>(40).fill(member)));
    });
    const megabytes = await peakOf(async () => {
      const outcome = await exchange(requestTo(service.baseUrl, { timeoutMs: 30_000 }));
      expect(outcome).toMatchObject({ code: 'response_too_large' });
    });
    expect(megabytes).toBeLessThan(400);
    await until(() => service.closed === 1);
  }, 40_000);

  it('just below the bound is read', async () => {
    const body = 'x'.repeat(MAX_RESPONSE_BYTES - 1);
    const service = await TestService.start(text(body));
    const outcome = await exchange(requestTo(service.baseUrl, { timeoutMs: 30_000 }));
    expect('body' in outcome && outcome.body.length).toBe(body.length);
  }, 40_000);
});

describe('connections', () => {
  it('500 requests, 20 at a time, use 20 of them at most', async () => {
    const service = await TestService.start();
    let left = 500;
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        while (left > 0) {
          left -= 1;
          const outcome = await exchange(
            requestTo(service.baseUrl, { method: 'POST', body: '{}' }),
          );
          expect(outcome).toMatchObject({ status: 200 });
        }
      }),
    );
    expect(service.received).toHaveLength(500);
    expect(service.connections).toBeLessThanOrEqual(20);
  }, 20_000);

  it('a fresh one is used when asked for, and not kept', async () => {
    const service = await TestService.start();
    await exchange(requestTo(service.baseUrl));
    await exchange(requestTo(service.baseUrl, { freshConnection: true }));
    await exchange(requestTo(service.baseUrl, { freshConnection: true }));
    await exchange(requestTo(service.baseUrl));
    expect(service.connections).toBe(3);
    await until(() => service.closed === 2);
  });
});
