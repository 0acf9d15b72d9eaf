import fc from 'fast-check';
import type { ICredentialTestFunctions } from 'n8n-workflow';

import { normalizeBaseUrl } from '../../src/client/settings';
import type { HttpRequest } from '../../src/client/call';
import type * as CredentialTest from '../../src/n8n/credential-test';

const sent: string[] = [];
let testUserKey: typeof CredentialTest.testUserKey;
beforeAll(() => {
  const transport = '../../src/client/exchange/transport';
  // The real Test button code, on a transport that only records the URL.
  jest.isolateModules(() => {
    jest.doMock(transport, () => ({
      ...jest.requireActual<object>(transport),
      exchange: async ({ url }: HttpRequest) => {
        sent.push(url);
        return await Promise.resolve({
          status: 200,
          headers: {},
          body: Buffer.from('{"registry_version":"1"}'),
        });
      },
    }));
    ({ testUserKey } = jest.requireActual<typeof CredentialTest>('../../src/n8n/credential-test'));
    jest.dontMock(transport);
  });
});

async function tested(baseUrl: string): Promise<string | undefined> {
  const data = { baseUrl, apiKey: 'ci_key' };
  const { status } = await testUserKey.call({} as ICredentialTestFunctions, {
    id: '1',
    name: 'Key',
    type: 'companyIntelligenceUserApi',
    data,
  });
  const url = sent.pop();
  expect(status).toBe(url === undefined ? 'Error' : 'OK');
  return url?.replace(/\/lists\/filter-fields$/, '/x');
}

function used(baseUrl: string): string | undefined {
  let base: string;
  try {
    base = normalizeBaseUrl(baseUrl);
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message.length).toBeLessThan(200);
    return undefined;
  }
  return new URL(`${base}/v1/x`).href;
}

it.each([
  ['  https://api.example.com/v1/  ', 'https://api.example.com/v1/x'],
  ['HTTPS://API.Example.COM//v1//', 'https://api.example.com/v1/x'],
  ['https://api.example.com/V1', 'https://api.example.com/V1/v1/x'],
  ['https://gateway.example.com/intelligence/v1/', 'https://gateway.example.com/intelligence/v1/x'],
  ['https://api.example.com/v1/v1', 'https://api.example.com/v1/v1/x'],
  ['https://api.example.com:443/base/', 'https://api.example.com/base/v1/x'],
  ['http://localhost:4010', 'http://localhost:4010/v1/x'],
  ['http://[::1]:4010/', 'http://[::1]:4010/v1/x'],
  ['https://api.example.com/?x=1#top', 'https://api.example.com/v1/x'],
  ['https://api.example.com?@other.example', 'https://api.example.com/v1/x'],
  ['https://api.example.com/@other', 'https://api.example.com/@other/v1/x'],
  ['https://gateway.example/my%20base', 'https://gateway.example/my%20base/v1/x'],
  ['https://v1/a:/v1', 'https://v1/a:/v1/x'],
  ['api.example.com:8443/v1/', 'https://api.example.com:8443/v1/x'],
  ['bücher.example', 'https://xn--bcher-kva.example/v1/x'],
])('sends requests for %j to %s from the client and the credential test', async (address, href) => {
  expect([await tested(address), used(address)]).toEqual([href, href]);
});

const REFUSED = [
  ...[
    '',
    '   ',
    'localhost',
    'localhost:4010',
    'http://',
    'https:///x',
    '//api.example.com',
    '/v1',
  ],
  ...['https:/api.example.com', 'https:api.example.com', 'https:\\\\api.example.com'],
  ...['https://api.example.com\\@other.example', 'http://host@other.example', '@other.example'],
  ...['http://user:secret@other.example', 'http://user:secret@', 'user:secret@other.example'],
  ...['ftp://api.example.com', 'file:///etc/passwd', 'javascript:alert(1)', 'data:text/plain,x'],
  ...['https://api .example.com', 'https://api.\texample.com', 'ht\ntps://api.example.com'],
  ...['https://api.example.com/a b', 'https://api.example.com/a\u0001'],
  ...['https://api.example.com/v1/.', 'https://api.example.com/v1/%2E./'],
  ...['https://api.example.com:99999', 'https://api.example.com:x', 'https://256.1.1.1'],
  ...['https://%61pi.example.com', 'https://[::1', 'https://[::1%25eth0]', 'https://a[b].example'],
  `https://api.example.com/${'x'.repeat(3000)}`,
  ...['@'.repeat(1_000_000), 'a.'.repeat(1_000_000)],
].map((address) => [address]);

it.each(REFUSED)('refuses %j in the client and in the credential test', async (address) => {
  expect([await tested(address), used(address)]).toEqual([undefined, undefined]);
});

it.each([
  ['service', /not a valid URL.*https:\/\/api\.example\.com/],
  ['ftp://api.example.com', /https:\/\//],
  ['https://user@api.example.com', /user name or password/],
  ['http://user:secret@', /^(?!.*secret)/],
  ['https://me:secret@[::1', /^(?!.*secret)/],
  ['x y:secret@host.example', /^(?!.*secret)/],
])('names the problem with %j in the client, and never a password', (address, message) => {
  expect(() => normalizeBaseUrl(address)).toThrow(message);
});

it('uses the same address or none in the client and the credential test for any pasted text', async () => {
  const pieces =
    'http https HTTP ftp : / // \\ @ . .. %2e % %40 ? # v1 a example.com ü 。 ／ ＠ [ ] ::1 127.0.0.1 :8080 :443 | " < ^ { }} = & 0x7f.1 xn--';
  const piece = fc.constantFrom(
    ...pieces.split(' '),
    ...[' ', '\t', '\n', '\0', '\u200b', '\ud800'],
  );
  const address = fc.oneof(
    fc
      .tuple(
        fc.constantFrom('', 'https://', 'https://api.example.com'),
        fc.array(piece, { maxLength: 8 }),
      )
      .map(([start, rest]) => start + rest.join('')),
    fc.webUrl({ withFragments: true, withQueryParameters: true }),
    fc.string({ unit: 'binary', maxLength: 20 }).map((text) => `https://${text}`),
  );
  await fc.assert(
    fc.asyncProperty(address, async (text) => {
      expect(await tested(text)).toBe(used(text));
    }),
    { numRuns: 5000 },
  );
});
