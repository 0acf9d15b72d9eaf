/** The Test button of both credential types, as n8n runs it, against the local service. */
import type { ICredentialType } from 'n8n-workflow';

import { CompanyIntelligenceOrganizationApi } from '../../credentials/CompanyIntelligenceOrganizationApi.credentials';
import { CompanyIntelligenceUserApi } from '../../credentials/CompanyIntelligenceUserApi.credentials';
import { startSandbox, type Sandbox } from '../../sandbox';
import { json, TestService, type Answering } from '../src/client/support/service';
import { testCredential } from './harness';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ companies: 50 });
});

afterEach(() => {
  // Whatever a test of a credential finds out, it costs no credits.
  expect(sandbox.report().charged).toBe(0);
  sandbox.reset();
});

afterAll(async () => {
  await sandbox.close();
});

const user = new CompanyIntelligenceUserApi();
const organization = new CompanyIntelligenceOrganizationApi();

const test = async (type: ICredentialType, apiKey: string, baseUrl = sandbox.baseUrl) =>
  await testCredential(type, { baseUrl, apiKey });

const passed = expect.objectContaining({ status: 'OK' });
const failed = (message: RegExp) => ({
  status: 'Error',
  message: expect.stringMatching(message),
});

it('a user key passes as a user key, also without credits', async () => {
  expect(await test(user, sandbox.keys.user)).toEqual(passed);
  expect(await test(user, sandbox.keys.empty)).toEqual(passed);
  expect(sandbox.report()).toMatchObject({ requests: 2, byStatus: { 200: 2 } });
});

it('an organization key passes as an organization key', async () => {
  expect(await test(organization, sandbox.keys.organization)).toEqual(passed);
  expect(sandbox.report()).toMatchObject({ requests: 1, byStatus: { 200: 1 } });
});

it('an organization key in a user credential is told where it belongs', async () => {
  expect(await test(user, sandbox.keys.organization)).toEqual(
    failed(/organization key.*"Company Intelligence Organization API"/),
  );
});

it.each([user, organization])('a wrong key: $displayName', async (type) => {
  expect(await test(type, 'ci_wrong')).toEqual(failed(/did not accept this API key/));
});

it.each([user, organization])('an address where the service is not: $displayName', async (type) => {
  const elsewhere = `${sandbox.baseUrl}/elsewhere`;
  expect(await test(type, sandbox.keys.user, elsewhere)).toEqual(
    failed(/no such service at this Base URL/),
  );
});

it('an address where nobody listens', async () => {
  const gone = await startSandbox({ companies: 1 });
  await gone.close();
  expect(await test(user, sandbox.keys.user, gone.baseUrl)).toEqual(
    failed(/^The service could not be reached: it refused the connection\. Check the Base URL/),
  );
});

it.each([user, organization])(
  'what goes wrong on the way, in words: $displayName',
  async (type) => {
    const { host, port } = new URL(sandbox.baseUrl);
    const said: Array<[address: string, words: RegExp]> = [
      [`https://${host}`, /no TLS connection.*plain HTTP needs http:\/\/ in place of https/],
      // Without a scheme it is taken for https.
      [host, /no TLS connection.*plain HTTP needs http:\/\/ in place of https/],
      [`localhost:${port}`, /Base URL must start with https:\/\/ \(or http:\/\/\)/],
      ['https://nobody.invalid', /host name could not be resolved\. Check the Base URL/],
    ];
    for (const [address, words] of said) {
      const result = await test(type, sandbox.keys.user, address);
      expect([address, result]).toEqual([address, failed(words)]);
      expect(result.message).not.toMatch(/\b(E[A-Z]{4,}|ERR_[A-Z_]+)\b/);
    }
  },
);

it.each([user, organization])('a service in trouble is asked once: $displayName', async (type) => {
  const key = 'ci_key_that_nobody_may_read';
  const service = await TestService.start(json({ message: `No more of ${key}` }, 503));
  const result = await test(type, key, service.baseUrl);

  expect(result).toEqual(failed(/^The service failed.*Try again later\.$/));
  expect(result.message).not.toContain(key);
  expect(service.received).toHaveLength(1);
  await TestService.stopAll();
});

it('a key that cannot be sent, a Redis URL that is none, and an address that is not allowed', async () => {
  const good = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.user };
  const domains = { allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' };

  expect(await testCredential(user, { ...good, apiKey: 'two words' })).toEqual(
    failed(/no usable API key.*without spaces/),
  );
  expect(await testCredential(user, { ...good, redisUrl: 'nowhere' })).toEqual(
    failed(/correct its Redis URL/),
  );
  expect(await testCredential(user, { ...good, ...domains })).toEqual(failed(/Domain not allowed/));
  expect(sandbox.report().requests).toBe(0);
});

it.each(['/', '///', '/v1', '/v1/', '  '])('an address that ends in "%s" works', async (end) => {
  for (const type of [user, organization]) {
    const { user: userKey, organization: organizationKey } = sandbox.keys;
    const key = type === user ? userKey : organizationKey;
    expect(await test(type, key, `${sandbox.baseUrl}${end}`)).toEqual(passed);
  }
});

it.each([user, organization])('a key that is throttled: $displayName', async (type) => {
  sandbox.addFault({ preset: 'rateLimit', when: 'every' });
  expect(await test(type, sandbox.keys.user)).toEqual(failed(/rate limit/i));
});

it.each([user, organization])('the key is in its header only: $displayName', async (type) => {
  await test(type, sandbox.keys.user);
  const [request] = sandbox.report().recent;
  expect(request).toMatchObject({ method: 'GET', key: 'user' });
  expect(request!.path).not.toContain(sandbox.keys.user);
});

it.each([user, organization])(
  'a web page at the address is no service: $displayName',
  async (type) => {
    sandbox.addFault({ preset: 'html200', when: 'every' });
    expect(await test(type, sandbox.keys.user)).toEqual(failed(/web page answered/));
  },
);

describe.each([user, organization])('a redirect: $displayName', (type) => {
  it.each([301, 302, 303, 307, 308])('%i is not followed, and fails the test', async (status) => {
    const other = await TestService.start(json({ technologies: [], fields: [] }));
    const sameHost = await TestService.start();
    const redirecting = (location: string): Answering => json({}, status, { location });
    sameHost.answer((request, response) => {
      const elsewhere = request.number === 1 ? `${other.baseUrl}/v1/x` : '/final/v1/x';
      redirecting(elsewhere)(request, response);
    });

    for (const attempt of ['another host', 'the same host']) {
      const result = await test(type, sandbox.keys.user, sameHost.baseUrl);
      expect([attempt, result]).toEqual([
        attempt,
        failed(/redirect, which is not followed.*Set the Base URL to the final address/),
      ]);
    }
    expect(sameHost.received).toHaveLength(2);
    expect(other.received).toHaveLength(0);
    await TestService.stopAll();
  });
});

it.each([user, organization])(
  'what the client refuses is not tested: $displayName',
  async (type) => {
    const service = await TestService.start(json({}));
    const { host } = new URL(service.baseUrl);
    for (const address of [`http://me@${host}`, `http://me:x@${host}/v1`, `http:/${host}`, host]) {
      expect(await test(type, sandbox.keys.user, address)).toMatchObject({ status: 'Error' });
    }
    expect(service.received).toEqual([]);
    await TestService.stopAll();
  },
);
