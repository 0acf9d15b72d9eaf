import fc from 'fast-check';

import { normalizeBaseUrl, RATE_LIMITS } from '../../../src/client/settings';

it.each([
  ['https://api.example.com', 'https://api.example.com'],
  ['  https://api.example.com/  ', 'https://api.example.com'],
  ['https://api.example.com///', 'https://api.example.com'],
  ['https://api.example.com/v1', 'https://api.example.com'],
  ['https://api.example.com/v1/', 'https://api.example.com'],
  ['HTTPS://API.Example.COM/v1', 'https://api.example.com'],
  ['https://api.example.com:443', 'https://api.example.com'],
  ['http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010'],
  ['https://gateway.example.com/intelligence/v1/', 'https://gateway.example.com/intelligence'],
  ['https://gateway.example.com/intelligence', 'https://gateway.example.com/intelligence'],
  ['https://api.example.com/v10', 'https://api.example.com/v10'],
  ['https://api.example.com/?x=1#top', 'https://api.example.com'],
  // People paste addresses without their beginning; the key must not travel in the clear then.
  ['api.example.com', 'https://api.example.com'],
  ['api.example.com:8443/v1/', 'https://api.example.com:8443'],
])('%s becomes %s', (text, expected) => {
  expect(normalizeBaseUrl(text)).toBe(expected);
});

it.each([
  ['', /not a URL/],
  ['service', /not a URL.*https:\/\/api\.example\.com/],
  ['ftp://api.example.com', /https:\/\//],
  ['file:///etc/passwd', /https:\/\//],
  ['javascript:alert(1)', /https:\/\//],
  ['https://user:secret@api.example.com', /user name or password/],
  ['https://user@api.example.com', /user name or password/],
])('refuses %p', (text, message) => {
  expect(() => normalizeBaseUrl(text)).toThrow(TypeError);
  expect(() => normalizeBaseUrl(text)).toThrow(message);
});

it('does not repeat a password', () => {
  expect(() => normalizeBaseUrl('https://user:secret@api.example.com')).not.toThrow(/secret/);
});

it('what comes out never ends in a slash and is left alone the second time', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      // Refused: a path that says one thing and means another.
      fc.pre(!/\/\.{1,2}(?:[/?#]|$)/.test(text));
      const once = normalizeBaseUrl(text);
      expect(once.endsWith('/')).toBe(false);
      expect(new URL(`${once}/v1/companies`).pathname).toMatch(/\/v1\/companies$/);
      fc.pre(!once.endsWith('/v1'));
      expect(normalizeBaseUrl(once)).toBe(once);
    }),
    { numRuns: 40 },
  );
});

it("knows the interface's limits", () => {
  expect(RATE_LIMITS).toEqual({ requestsPerMinute: 600, requestsPerDay: 100_000 });
});
