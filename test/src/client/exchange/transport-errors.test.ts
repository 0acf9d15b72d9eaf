import nock from 'nock';

import { exchange } from '../../../../src/client/exchange/transport';

/** System errors cannot be had at will; here they are raised in place of the connection. */
async function outcomeOf(code: string) {
  nock('http://service.test')
    .get('/')
    .replyWithError(Object.assign(new Error(`${code} 10.0.0.1:443`), { code }));
  return await exchange({
    method: 'GET',
    url: 'http://service.test/',
    headers: { 'X-API-Key': 'ci_key' },
    body: undefined,
    timeoutMs: 2_000,
    freshConnection: false,
    signal: undefined,
  });
}

beforeAll(() => {
  nock.disableNetConnect();
});

afterAll(() => {
  nock.cleanAll();
  nock.restore();
});

it.each([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])('%s comes before anything is sent', async (code) => {
  expect(await outcomeOf(code)).toMatchObject({ kind: 'no-answer', maybeProcessed: false });
});

it.each(['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EPROTO', 'HPE_INVALID_CONSTANT', 'ENEW'])(
  '%s may come after the request was processed',
  async (code) => {
    expect(await outcomeOf(code)).toMatchObject({ kind: 'no-answer', maybeProcessed: true });
  },
);

it.each(['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'ETIMEDOUT'])(
  'the reason is in words; n8n puts its own in place of %s',
  async (code) => {
    const outcome = await outcomeOf(code);
    expect(outcome).toMatchObject({ reason: expect.stringMatching(/^[a-z]+( [a-zA-Z]+)+$/) });
  },
);
