import { domainToASCII } from 'node:url';

import fc from 'fast-check';

import { domainKey, withoutWww } from '../../../src/input/hosts';

it.each([
  ['  ACME.com ', 'acme.com'],
  ['www.acme.com', 'acme.com'],
  ['app.acme.com', 'app.acme.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['acme.com.', 'acme.com'],
  ['My_Shop.com', 'my_shop.com'],
  ['a.www.acme.com', 'a.www.acme.com'],
  ['www.com', 'www.com'],
  ['', ''],
])('converts %p to the key %p', (domain, key) => {
  expect(domainKey(domain)).toBe(key);
});

it('uses a text that is much too long for a domain as its own key', () => {
  const text = `${String.fromCodePoint(...Array.from({ length: 20_000 }, (_unused, n) => 0x4e00 + n))}.com`;
  expect(domainKey(` WWW.${text} `)).toBe(text);
});

it('uses the ASCII form of any host as its key', () => {
  const label = fc.stringMatching(/^[a-z0-9_-]{1,8}$|^xn--[a-z0-9-]{1,8}$|^[äß工а]{1,3}$/);
  const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  fc.assert(
    fc.property(host, (name) => {
      expect(domainKey(name)).toBe(domainToASCII(withoutWww(name)) || withoutWww(name));
    }),
    { numRuns: 2_000 },
  );
});
