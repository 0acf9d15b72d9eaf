import { domainToASCII } from 'node:url';

import fc from 'fast-check';

import { isFreeMailHost } from '../../../src/input/host-kinds';
import { domainKey, withoutWww } from '../../../src/input/hosts';

it.each([
  ['acme.com', 'acme.com'],
  ['  ACME.com ', 'acme.com'],
  ['www.acme.com', 'acme.com'],
  ['WWW.Acme.COM', 'acme.com'],
  ['app.acme.com', 'app.acme.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['acme.com.', 'acme.com'],
  ['My_Shop.com', 'my_shop.com'],
  ['wwwacme.com', 'wwwacme.com'],
  ['a.www.acme.com', 'a.www.acme.com'],
  ['www.com', 'www.com'],
  ['not a domain', 'not a domain'],
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

it('recognizes hosts of free mail', () => {
  const free = ['gmail.com', 'outlook.com', 'yahoo.com', 'gmx.de', 'icloud.com', 'qq.com'];
  const others = ['stripe.com', 'google.com', 'microsoft.com', 'salesforce.com', 'mail.acme.com'];
  expect([...free, ...others, ''].filter(isFreeMailHost)).toEqual(free);
});
