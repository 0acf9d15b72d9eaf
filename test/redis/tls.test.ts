import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';

import { parseRedisUrl } from '../../src/client/limiter/redis/redis-address';
import { settingsFor } from '../src/client/support/client';
import { json, TestService } from '../src/client/support/service';
import { CERTIFICATE, TestRedis } from './support/redis';
import { SpawnedWorker } from './support/spawned-worker';
import { Worker } from './support/worker';

const PASSWORD = 'pa55:w/rd with spaces';
const SPELLED = encodeURIComponent(PASSWORD);

afterEach(async () => {
  Worker.closeAll();
  await TestRedis.stopAll();
  await TestService.stopAll();
});

const addressOf = (host: string, port: number) =>
  parseRedisUrl(`rediss://:${SPELLED}@${host}:${String(port)}/0`)!;

/** Sends requests from a process of its own, which trusts the certificate of Redis or not. */
async function workFrom(host: string, trusted: boolean, count: number) {
  const { redis, tlsPort } = await TestRedis.startWithTls(PASSWORD);
  const service = await TestService.start(json({ name: 'Acme' }));
  const settings = settingsFor(service, { redis: addressOf(host, tlsPort) });
  const env = { ...process.env, NODE_EXTRA_CA_CERTS: trusted ? CERTIFICATE : undefined };
  const worker = new SpawnedWorker(settings, count, env);
  await worker.ended;
  const { answered, stdout, warnings } = worker;
  expect(new Set(answered).size).toBe(count);
  for (const secret of [PASSWORD, SPELLED]) expect(`${stdout}${warnings}`).not.toContain(secret);
  const arrivals = service.received.map(({ at }) => at);
  return { admin: redis.admin(PASSWORD), warnings, arrivals };
}

it('shares the limit over TLS without a warning when the certificate is trusted', async () => {
  const { admin, warnings } = await workFrom('localhost', true, 20);
  expect(warnings).toBe('');
  expect(await admin.keys('company-intelligence:*:workers')).toHaveLength(1);
});

it.each([
  ['an untrusted certificate', 'localhost', false, /is not trusted\. .*NODE_EXTRA_CA_CERTS.*\)/],
  ['that of another host', '127.0.0.1', true, /for another host\. .*use the host name.*\)/],
])(
  'warns and continues at a reduced rate when Redis has %s',
  async (_what, host, trusted, says) => {
    const { admin, warnings, arrivals } = await workFrom(host, trusted, 30);
    expect(warnings).toMatch(says);
    expect(warnings).toMatch(/^.*limited to 150 per minute.*\n$/);
    // 150 requests in a window of 6 s are one every 40 ms; at the full rate, all 30 would be sent in
    // one burst. Half the time is enough, because the first requests can arrive late.
    expect(arrivals.at(-1)! - arrivals[0]!).toBeGreaterThanOrEqual((29 * 40) / 2);
    // The worker stores nothing in a Redis whose identity it cannot verify.
    expect(await admin.dbsize()).toBe(0);
  },
);

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
