import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';

import type { ICredentialTestFunctions } from 'n8n-workflow';

import { testOrganizationKey, testUserKey } from '../../src/n8n/credential-test';
import { deserted, json, TestService, text } from '../src/client/support/service';
import { countConnections, TestRedis } from './support/redis';

const PASSWORD = 'pa55word';
const DOCUMENTED = json({ registry_version: 'v1', technologies: [] });

let redis: TestRedis;
let service: TestService;
const ports: Record<string, number> = {};

beforeAll(async () => {
  ({ redis, tlsPort: ports.tls } = await TestRedis.startWithTls(PASSWORD));
  ports.redis = redis.port;
  ports.closed = Number(new URL(await deserted()).port);
  ports.http = Number(new URL((await TestService.start(text('Hello'))).baseUrl).port);
  service = await TestService.start(DOCUMENTED);
});
afterAll(async () => {
  await TestRedis.stopAll();
  await TestService.stopAll();
  rmSync(CLUSTER_FILE, { force: true });
});

/** Presses the Test button. Names of ports in the URL stand for their numbers. */
async function test(redisUrl: string, testKey = testUserKey) {
  const data = {
    baseUrl: service.baseUrl,
    apiKey: 'ci_key',
    redisUrl: redisUrl.replace(
      /:(tls|redis|closed|http|other)\b/,
      (_all, name: string) => `:${ports[name]!}`,
    ),
  };
  const credential = { id: '1', name: 'Key', type: 'companyIntelligenceUserApi', data };
  return await testKey.call({} as ICredentialTestFunctions, credential);
}

it.each([
  ['http://:pa55word@127.0.0.1:redis', 'must start with redis://'],
  ['redis://:pa55word@127.0.0.1:closed', 'it refused the connection'],
  ['redis://:pa55word@nowhere.invalid:redis', 'its host name could not be resolved'],
  ['redis://127.0.0.1:redis', 'it requires a password'],
  ['redis://:pa55wor@127.0.0.1:redis', 'it rejects the user name or password'],
  ['redis://nobody:pa55word@127.0.0.1:redis', 'it rejects the user name or password'],
  ['redis://:pa55word@127.0.0.1:http', 'another server than Redis responds there'],
  ['redis://:pa55word@127.0.0.1:redis/99', 'it has no database with this number'],
  ['redis://:pa55word@127.0.0.1:tls', 'start the Redis URL with rediss://'],
  ['rediss://:pa55word@127.0.0.1:redis', 'start the Redis URL with redis://'],
  ['rediss://:pa55word@127.0.0.1:http', 'start the Redis URL with redis://'],
  ['rediss://:pa55word@127.0.0.1:tls', 'its TLS certificate is not trusted'],
])('says what is wrong with %s', async (url, words) => {
  const { status, message } = await test(url);
  expect(status).toBe('Error');
  expect(message).toContain(words);
  expect(message).toMatch(/^[^\n]{20,400}$/);
  expect(message).not.toContain(PASSWORD);
});

const CLUSTER_FILE = join(tmpdir(), `redis-${String(process.pid)}`);
const CLUSTER = ['--cluster-enabled', 'yes', '--cluster-config-file', CLUSTER_FILE];

it.each([
  ['a replica', 'it is a replica', ['--replicaof', '127.0.0.1', '1']],
  ['a full memory', 'its memory is full', ['--maxmemory', '1']],
  ['other keys', 'or use keys', ['--user', 'default', 'on', 'nopass', 'resetkeys', '~x', '+@all']],
  [
    'no script',
    'its user may not run',
    ['--user', 'default', 'on', 'nopass', '~*', '+@all', '-@scripting'],
  ],
  ['a cluster without slots', 'it is part of a Redis Cluster', CLUSTER],
  ['no command TIME, as Sentinel', 'it is a Sentinel', ['--rename-command', 'TIME', 'X']],
])('refuses a Redis with %s, in which no turn can be reserved', async (_what, words, args) => {
  ports.other = (await TestRedis.start(args)).port;
  const { status, message } = await test('redis://127.0.0.1:other');
  expect([status, message]).toEqual(['Error', expect.stringContaining(words)]);
});

it.each([
  ['another API', json({ ok: true }), 'Another API responds at this Base URL'],
  ['a list', json([{ id: 1 }]), 'Another API responds at this Base URL'],
  [
    'a website',
    text('<html>No such page</html>', 404, { 'content-type': 'text/html' }),
    'was not found at this Base URL',
  ],
])('refuses %s at the Base URL for both kinds of key', async (_what, response, words) => {
  service.answer(response);
  const results = [await test(''), await test('', testOrganizationKey)];
  service.answer(DOCUMENTED);
  const refused = { status: 'Error', message: expect.stringContaining(words) };
  expect(results).toEqual([refused, refused]);
});

it.each([
  ['user', testUserKey, 'GET /v1/lists/filter-fields'],
  ['organization', testOrganizationKey, 'GET /v1/technologies?q=a&limit=1'],
])(
  'of a %s key sends one free request, and leaves no connection open',
  async (_kind, testKey, request) => {
    const admin = redis.admin(PASSWORD);
    const before = await countConnections(admin);
    service.received.length = 0;
    expect(await test('redis://:pa55word@127.0.0.1:redis/3', testKey)).toMatchObject({
      status: 'OK',
    });
    expect(service.received.map(({ method, url }) => `${method} ${url}`)).toEqual([request]);
    while ((await countConnections(admin)) !== before) await after(20);
    expect(await admin.dbsize()).toBe(0);
  },
);
