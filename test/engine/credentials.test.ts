/** The Test button of both credential types, run as n8n runs it, against the local service. */
import type { ICredentialType, IExecuteFunctions } from 'n8n-workflow';

import { CompanyIntelligenceOrganizationApi } from '../../credentials/CompanyIntelligenceOrganizationApi.credentials';
import { CompanyIntelligenceUserApi } from '../../credentials/CompanyIntelligenceUserApi.credentials';
import { openRun } from '../../src/n8n/open-run';
import { deserted, json, TestService } from '../src/client/support/service';
import { testCredential } from './harness';
import { useSandbox } from './shared/service';

const sandbox = useSandbox({ companies: 50 });

afterEach(() => {
  // A credential test must never cost credits, whatever its result is.
  expect(sandbox.report().charged).toBe(0);
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

it.each([
  ['a user key', user, 'user'],
  ['a user key without credits', user, 'empty'],
  ['an organization key', organization, 'organization'],
] as const)('accepts %s in its credential with one request', async (_what, type, key) => {
  expect(await test(type, sandbox.keys[key])).toEqual(passed);
  expect(sandbox.report()).toMatchObject({ requests: 1, byStatus: { 200: 1 } });
});

it('names the right credential type when a user credential has an organization key', async () => {
  expect(await test(user, sandbox.keys.organization)).toEqual(
    failed(/organization key.*"Company Intelligence Organization API"/),
  );
});

it.each([
  [{ apiKey: 'two words' }, /no usable API key.*without spaces/],
  [{ requestsPerMinute: 0.5 }, /"Requests per Minute".*0\.5/],
  [{ redisUrl: 'nowhere' }, /correct its Redis URL/],
  [{ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' }, /Domain not allowed/],
])('rejects the fields %j without a request', async (fields, message) => {
  const good = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.user };

  expect(await testCredential(user, { ...good, ...fields })).toEqual(failed(message));
  expect(sandbox.report().requests).toBe(0);
});

describe.each([user, organization])('$displayName', (type) => {
  it('says what is wrong with the key or the Base URL', async () => {
    expect(await test(type, 'ci_wrong')).toEqual(failed(/rejected the API key.*Check the API key/));
    expect(await test(type, sandbox.keys.user, `${sandbox.baseUrl}/elsewhere`)).toEqual(
      failed(/was not found at this Base URL/),
    );
    sandbox.addFault({ preset: 'html200', when: 'every' });
    expect(await test(type, sandbox.keys.user)).toEqual(
      failed(/is an HTML page, not JSON\. Check the Base URL/),
    );
  });

  it('explains connection failures without error codes', async () => {
    const { host, port } = new URL(sandbox.baseUrl);
    const said: Array<[address: string, words: RegExp]> = [
      [`https://${host}`, /no TLS connection.*plain HTTP needs http:\/\/ instead of https/],
      // A URL without a scheme is treated as https.
      [host, /no TLS connection.*plain HTTP needs http:\/\/ instead of https/],
      [`localhost:${port}`, /Base URL must start with https:\/\/ \(or http:\/\/\)/],
      [
        await deserted(),
        /^The service at \S+:\d+ could not be reached: it refused the connection\. Check/,
      ],
      ['https://nobody.invalid', /host name could not be resolved\. Check the Base URL/],
    ];
    for (const [address, words] of said) {
      const result = await test(type, sandbox.keys.user, address);
      expect([address, result]).toEqual([address, failed(words)]);
      expect(result.message).not.toMatch(/\b(E[A-Z]{4,}|ERR_[A-Z_]+)\b/);
    }
  });

  it('sends one request to a failing service and does not show the key', async () => {
    const key = 'ci_key_that_nobody_may_read';
    const service = await TestService.start(json({ message: `No more of ${key}` }, 503));
    const result = await test(type, key, service.baseUrl);

    expect(result).toEqual(failed(/^The service returned a server error.*Try again later\.$/));
    expect(result.message).not.toContain(key);
    expect(service.received.map(({ url }) => url.includes(key))).toEqual([false]);
  });
});

it.each<[string, (item: number) => string, number, number]>([
  ['the same key for all items', () => 'k', 100_000, 12],
  ['another key for the last item', (item) => `k${String(item === 9 ? 1 : 0)}`, 10, 10],
  ['one item', (item) => `k${String(item)}`, 1, 1],
])(
  'opens a run with %s, or says that the credential differs',
  async (_what, keyOf, items, read) => {
    const getCredentials = jest.fn(
      async (_type: string, item?: number) =>
        await Promise.resolve({ baseUrl: sandbox.baseUrl, apiKey: keyOf(item ?? 0) }),
    );
    const context = {
      getCredentials,
      getInputData: () => Array.from<number>({ length: items }),
      getNode: () => ({ name: 'Node', parameters: {} }),
      getNodeParameter: () => 'userKey',
      getExecutionCancelSignal: () => undefined,
      getTimezone: () => 'UTC',
      continueOnFail: () => true,
    } as unknown as IExecuteFunctions;
    const outcome = await openRun(context, {}).catch((error: unknown) => String(error));
    const isRefused = keyOf(0) !== keyOf(items - 1);
    expect(typeof outcome === 'string' ? outcome : '').toMatch(
      isRefused ? /differs between the items/ : /^$/,
    );
    expect(getCredentials).toHaveBeenCalledTimes(read);
  },
);
