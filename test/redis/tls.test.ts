import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

import { parseRedisUrl, type RedisAddress } from '../../src/client/limiter/redis/redis-address';
import { settingsFor } from '../src/client/support/client';
import { json, TestService } from '../src/client/support/service';
import { TestAuthority } from './support/certificates';
import { TestRedis } from './support/redis';
import { SpawnedWorker } from './support/spawned-worker';
import { Worker } from './support/worker';

const PASSWORD = 'pa55:w/rd with spaces';

let authority: TestAuthority;
let running: TestRedis[] = [];

beforeAll(() => {
  authority = new TestAuthority();
});
afterEach(async () => {
  Worker.closeAll();
  await Promise.all(running.map(async (redis) => redis.stop()));
  running = [];
});
afterAll(() => {
  authority.remove();
});

async function startTlsRedis(names?: string) {
  const started = await TestRedis.startWithTls(authority, PASSWORD, names);
  running.push(started.redis);
  return started;
}

function addressOf(host: string, port: number): RedisAddress {
  const address = parseRedisUrl(
    `rediss://:${encodeURIComponent(PASSWORD)}@${host}:${String(port)}/0`,
  );
  if (address === undefined) throw new Error('The URL is empty.');
  return address;
}

/** Sends requests from a process of its own, which trusts the test's authority only if `trusted` is true. */
async function workFrom(address: RedisAddress, trusted: boolean, count: number) {
  const service = await TestService.start(json({ name: 'Acme' }));
  const env = { ...process.env };
  delete env['NODE_EXTRA_CA_CERTS'];
  if (trusted) env['NODE_EXTRA_CA_CERTS'] = authority.certificate;
  const worker = new SpawnedWorker(settingsFor(service, { redis: address }), count, env);
  await worker.ended;
  await service.stop();
  const { answered, stdout, warnings } = worker;
  for (const secret of [PASSWORD, encodeURIComponent(PASSWORD)]) {
    expect(`${stdout}${warnings}`).not.toContain(secret);
  }
  return { answered, warnings, arrivals: service.received.map(({ at }) => at) };
}

it('shares the limit over TLS without a warning when the certificate authority is trusted', async () => {
  const { redis, tlsPort } = await startTlsRedis();
  const address = addressOf('127.0.0.1', tlsPort);
  const { answered, warnings } = await workFrom(address, true, 20);
  expect(warnings).toBe('');
  expect(new Set(answered).size).toBe(20);
  const admin = redis.admin(PASSWORD);
  expect(await admin.keys('company-intelligence:*:workers')).toHaveLength(1);
});

it.each([
  {
    what: 'an untrusted certificate authority',
    names: 'IP:127.0.0.1',
    trusted: false,
    says: /\(its TLS certificate is not trusted\. .*NODE_EXTRA_CA_CERTS.*\)/,
  },
  {
    what: 'a certificate for another host',
    names: 'DNS:redis.example',
    trusted: true,
    says: /\(its TLS certificate is for another host\. .*use the host name.*\)/,
  },
])('warns and continues at a reduced rate when Redis has $what', async (one) => {
  const { redis, tlsPort } = await startTlsRedis(one.names);
  const address = addressOf('127.0.0.1', tlsPort);
  const { answered, warnings, arrivals } = await workFrom(address, one.trusted, 30);
  expect(new Set(answered).size).toBe(30);
  expect(warnings).toMatch(one.says);
  expect(warnings).toContain('limited to 150 per minute');
  // 150 requests in a window of 6 s are one every 40 ms; at the full rate, all 30 would be sent in
  // one burst. Half the time is enough, because the first requests can arrive late.
  expect(arrivals.at(-1)! - arrivals[0]!).toBeGreaterThanOrEqual((29 * 40) / 2);
  // The worker stores nothing in a Redis whose identity it cannot verify.
  expect(await redis.admin(PASSWORD).dbsize()).toBe(0);
});

it('sends the host name to Redis in the TLS handshake (SNI)', async () => {
  const names: string[] = [];
  const server = createServer({
    SNICallback: (name, done) => {
      names.push(name);
      // Without a certificate, the handshake fails after the name has arrived.
      done(new Error('This server has no certificate.'));
    },
  });
  server.on('tlsClientError', () => undefined);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const worker = new Worker(addressOf('localhost', port), 1_000, { redisTimeoutMs: 1_000 });
  await worker.send();
  server.close();
  expect(names).toContain('localhost');
});
