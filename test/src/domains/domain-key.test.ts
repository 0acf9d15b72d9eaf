import { domainKey, withoutWww } from '../../../src/domains/domain-key';

it.each([
  ['acme.com', 'acme.com'],
  ['  ACME.com ', 'acme.com'],
  ['www.acme.com', 'acme.com'],
  ['WWW.Acme.COM', 'acme.com'],
  ['app.acme.com', 'app.acme.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de'],
  ['wwwacme.com', 'wwwacme.com'],
  ['www.com', 'www.com'],
  ['not a domain', 'not a domain'],
  ['', ''],
])('%p and %p are the same', (domain, key) => {
  expect(domainKey(domain)).toBe(key);
});

it('only a leading www. goes, and not when it is the name', () => {
  expect(withoutWww('www.acme.com')).toBe('acme.com');
  expect(withoutWww('a.www.acme.com')).toBe('a.www.acme.com');
  expect(withoutWww('www.com')).toBe('www.com');
});

it('of a text that is much too long for a domain is that text', () => {
  const text = `${String.fromCodePoint(...Array.from({ length: 20_000 }, (_unused, n) => 0x4e00 + n))}.com`;
  expect(domainKey(` WWW.${text} `)).toBe(text);
});
