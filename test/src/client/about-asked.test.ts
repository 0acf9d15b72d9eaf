import fc from 'fast-check';

import { isAboutWhatWasAsked } from '../../../src/client/about-asked';

it.each([
  { error: 'not_found', message: 'acme.com is not tracked' },
  { message: 'Nothing is known of acme.com' },
  { detail: 'Company does not exist' },
  { error: 'unknown_company' },
  { error: { code: 'company.missing' } },
  { errors: [{ code: 'tech_key_not_found' }] },
  { title: 'Unknown vendor', status: 404 },
  'No such company',
])('the service speaks of what was asked for: %j', (body) => {
  expect(isAboutWhatWasAsked(JSON.stringify(body))).toBe(true);
});

it.each([
  {},
  [],
  null,
  404,
  { detail: 'Not Found' },
  { detail: 'Not found.' },
  { error: 'not_found' },
  { error: 'Not Found', message: 'The requested resource was not found', code: 404 },
  { error: 'not_found', message: 'There is no such endpoint.' },
  { message: 'no Route matched with those values' },
  { statusCode: 404, error: 'Not Found', message: 'Route GET:/x/v1/companies/acme.com not found' },
  { message: 'Cannot GET /v1/companies/acme.com' },
  { timestamp: '2026-01-01', status: 404, error: 'Not Found', path: '/v1/companies/acme.com' },
])('it may be a wrong address: %j', (body) => {
  expect(isAboutWhatWasAsked(JSON.stringify(body))).toBe(false);
});

it.each(['', '<html>No such company</html>', 'acme.com is not tracked', '{"error": "comp'])(
  'what is no JSON is not the answer of the service: %j',
  (text) => {
    expect(isAboutWhatWasAsked(text)).toBe(false);
  },
);

it('whatever arrives, it gives an answer', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json({ maxDepth: 8 })), (text) => {
      expect(typeof isAboutWhatWasAsked(text)).toBe('boolean');
    }),
  );
});
