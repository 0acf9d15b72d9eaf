import fc from 'fast-check';

import {
  parseDomain,
  parseDomainSet,
  parseFlagDescription,
  parseIdentifier,
  InputError,
  parseListId,
  parseTechnologyQuery,
  parseTechKey,
} from '../../../src/input/inputs';
import { attempt } from './support';

it('returns a value to send, or an error with a hint, for any input', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(fc.oneof(text, fc.anything({ withNullPrototype: true })), (value) => {
      const parsers = [
        () => parseIdentifier(value, 'Company', 'strip'),
        () => parseDomain(value, 'Domain', 'keep'),
        () => parseTechKey(value),
        () => parseListId(value),
        () => parseTechnologyQuery(value),
        () => parseFlagDescription(value) ?? 'none',
      ];
      for (const result of parsers.map(attempt<string>)) {
        if (result instanceof InputError) {
          expect(result.message).not.toBe('');
          expect(result.hint).toMatch(/\.$/);
        } else expect(result).not.toBe('');
      }
      // A company is never a text that could change the path.
      const company = attempt(() => parseIdentifier(value, 'Company', 'keep'));
      if (!(company instanceof InputError)) expect(company).not.toMatch(/[/\\?#%\p{Cc}]|^[.\s]*$/u);
    }),
  );
});

it('parses the ID of a list', () => {
  expect([' lst_1 ', 7, 'a/b'].map(parseListId)).toEqual(['lst_1', '7', 'a/b']);
  for (const none of [undefined, null, '', '  ']) {
    expect(() => parseListId(none)).toThrow('No list is chosen');
  }
  for (const other of ['.', '..', { list_id: 'lst_1' }, ['lst_1']]) {
    expect(() => parseListId(other)).toThrow(/is not the id of a list/);
  }
});

describe('the identifier of a company', () => {
  it('can be any other slug, which only the service can judge', () => {
    const few = "AT&T|o'reilly|a+b|~acme|acme, inc|Acme Corp|acme-2.0|Acme Inc.|yahoo!|(acme)|東京";
    const slugs = [...few.split('|'), 'acme-inc_2', 'müller', 'x'.repeat(253)];
    expect(slugs.map((slug) => parseIdentifier(slug, 'Company', 'strip'))).toEqual(slugs);
  });

  const noNames = [...'| |a.com, b.com|a.com;jo@b.com|n/a|--|10.0.0.1'.split('|'), 'x'.repeat(254)];
  const otherPaths = ['/', 'a/b', 'a\\b', 'a\u0000b', 'a\nb', '?', '<b>', 'a%20b'];
  it.each([...noNames, ...otherPaths])('cannot be %j', (value) => {
    expect(() => parseIdentifier(value, 'Company', 'strip')).toThrow(InputError);
  });

  it.each([
    ['my_shop.acme.com', 'acme.com'],
    [123, '123'],
    ['https://www.acme.com/x', 'acme.com'],
    ['jo@acme.com', 'acme.com'],
    ['cloud.google.com', 'google.com'],
    // No list refuses a host that a person types, nor a platform's own pages.
    ['yahoo.com', 'yahoo.com'],
    ['test.com', 'test.com'],
    ['https://github.com/pricing', 'github.com'],
    ['linkedin.com', 'linkedin.com'],
    ['https://www.linkedin.com/', 'linkedin.com'],
    ['acme.zendesk.com', 'zendesk.com'],
    ['https://acme.zendesk.com/hc', 'zendesk.com'],
    ['https://acme.etsy.com/', 'etsy.com'],
    ['linkedin.com/company/acme, acme.com', 'acme.com'],
    ['jo@gmail.com', 'gmail.com'],
    ['www.acme.com, jo@acme.com', 'acme.com'],
    ['bit.ly', 'bit.ly'],
  ])('is parsed from %j as %s', (value, expected) => {
    expect(parseIdentifier(value, 'Company', 'strip')).toBe(expected);
  });
});

it.each([
  ['https://www.linkedin.com/company/acme', 'linkedin.com', 'LinkedIn'],
  ['de.linkedin.com/in/jo', 'linkedin.com', 'LinkedIn'],
  [
    'https://www.linkedin.com/login?session_redirect=https%3A%2F%2Fwww.linkedin.com%2Fcompany%2F1',
    'linkedin.com',
    'LinkedIn',
  ],
  ['https://www.facebook.com/#!/acme', 'facebook.com', 'Facebook'],
  ['https://github.com/acme', 'github.com', 'GitHub'],
  ['https://www.etsy.com/shop/acme', 'etsy.com', 'Etsy'],
  ['t.me/acme', 't.me', 'Telegram'],
  ['https://linktr.ee/acme', 'linktr.ee', 'Linktree'],
  ['bit.ly/3xYz', 'bit.ly', 'Bitly'],
  ['https://www.google.de/maps/place/acme', 'google.de', 'Google'],
])(
  'refuses %s typed as one company, but not as a domain to remove or a vendor',
  (page, host, brand) => {
    const message = `at ${host}: enter the company's own website, or ${host} for ${brand}`;
    for (const subdomains of ['strip', 'keep'] as const) {
      expect(() => parseIdentifier(page, 'Company', subdomains)).toThrow(message);
      expect(parseDomain(page, 'Domain', subdomains)).toContain(host);
    }
  },
);

it('parses a tech key', () => {
  const keys = ['hubspot', 'google-analytics', '3d', '-', 7];
  expect(keys.map(parseTechKey)).toEqual(keys.map(String));
  expect(() => parseTechKey('Google Analytics')).toThrow(
    '"Google Analytics" is not a tech key. Did you mean "google-analytics"?',
  );
  expect(() => parseTechKey('../vendors')).toThrow(/is not a tech key$/);
});

it('accepts a search of 1 to 200 characters', () => {
  expect(parseTechnologyQuery('x')).toBe('x');
  expect(() => parseTechnologyQuery(' ')).toThrow('empty');
});

it.each([
  ['search', parseTechnologyQuery, 200],
  ['description', parseFlagDescription, 2_000],
])('counts an emoji in a %s as one character', (_what, parse, most) => {
  for (const sign of ['x', '😀']) {
    expect(parse(sign.repeat(most))).toBe(sign.repeat(most));
    const excess = `${String(most + 1)} characters`;
    expect(() => parse(sign.repeat(most + 1))).toThrow(excess);
  }
});

it('omits a blank description', () => {
  const blank = ['', '   ', '\n', null, undefined];
  expect(blank.map((text) => parseFlagDescription(text))).toEqual(blank.map(() => undefined));
});

it('parses the domains of an option, also with a dot at the end', () => {
  expect(parseDomainSet('GitHub.com., acme.zendesk.com.\nmüller.de', 'x')).toEqual(
    new Set(['github.com', 'acme.zendesk.com', 'xn--mller-kva.de']),
  );
});

it('parses an exact domain with its subdomain, but without www.', () => {
  const texts = ['https://www.Google.com/x', 'google.com', 'app.google.com'];
  const domains = texts.map((text) => parseDomain(text, 'Vendor Domain', 'keep'));
  expect(domains).toEqual(['google.com', 'google.com', 'app.google.com']);
});
