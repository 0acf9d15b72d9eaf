/** Tests system errors of the connection: whether the request was sent, and what the error says. */
import nock from 'nock';

import { exchangeWhole } from '../../../../src/client/exchange/transport';
import { everythingOf, requestTo } from '../support/client';
import { mockTheNetwork } from '../support/mocked-network';

/** Simulates a system error of the connection, because real ones cannot be produced on demand. */
async function outcomeOf(code: string) {
  nock('http://service.test')
    .get('/')
    .replyWithError(Object.assign(new Error(`${code} 10.0.0.1:443`), { code }));
  return await exchangeWhole(requestTo('http://service.test/', { timeoutMs: 2_000 }));
}

mockTheNetwork();

/** Nothing was sent. */
const BEFORE = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];
/** The service can have processed the request. */
const AFTER = [
  ...['ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EPROTO', 'HPE_INVALID_CONSTANT', 'ENEW'],
  ...['Z_DATA_ERROR', 'ERR_SSL_WRONG_VERSION_NUMBER', ''],
];

const PLAIN_WORDS: unknown = expect.stringMatching(
  /^The service( at service\.test:80)?[a-z ]*: [a-z]+( [a-zA-Z]+)+$/,
);

// n8n replaces the messages of some system errors with its own.
it.each<[string, unknown]>([
  ...BEFORE.map((code) => [code, 'connection_failed'] as [string, string]),
  ...AFTER.map((code) => [code, 'no_answer'] as [string, string]),
])('maps "%s" to %s, in plain words without the address', async (system, code) => {
  const outcome = await outcomeOf(system);
  expect(outcome).toMatchObject({ code, message: PLAIN_WORDS });
  expect(everythingOf(outcome)).not.toMatch(/10\.0\.0\.1|EPROTO|HPE|Z_|ERR_|ENEW/);
});

it.each([
  ['CERT_HAS_EXPIRED', /expired/, /renew/],
  ['CERT_NOT_YET_VALID', /not valid yet/, /clock/],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', /not trusted/, /NODE_EXTRA_CA_CERTS/],
  ['SELF_SIGNED_CERT_IN_CHAIN', /not trusted/, /NODE_EXTRA_CA_CERTS/],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', /not trusted/, /full certificate chain/],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', /not trusted/, /full certificate chain/],
  ['CERT_REVOKED', /not trusted/, /NODE_EXTRA_CA_CERTS/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', /another host/, /Base URL .* use the host name/],
])('names the certificate problem and the fix for %s', async (code, reason, cure) => {
  expect(await outcomeOf(code)).toMatchObject({
    code: 'connection_failed',
    message: expect.stringMatching(reason),
    hint: expect.stringMatching(cure),
  });
});
