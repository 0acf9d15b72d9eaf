/** Tests the input checks that run before a request (API spec: Size and pagination bounds). */
import fc from 'fast-check';

import {
  createInvalidTechKeyError,
  parseDomain,
  parseFlagDescription,
  parseIdentifier,
  InputError,
  parseListId,
  parseTechnologyQuery,
  parseTechKey,
} from '../../../src/input/inputs';
import { attempt } from './support';

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.anything({ withNullPrototype: true }),
);

it('returns a value to send, or an error with a hint, for any input', () => {
  fc.assert(
    fc.property(anything, (value) => {
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
    }),
  );
});

describe('the ID of a list', () => {
  it.each([
    [' lst_1 ', 'lst_1'],
    [7, '7'],
    ['a/b', 'a/b'],
  ])('is parsed from %j', (value, id) => {
    expect(parseListId(value)).toBe(id);
  });

  it.each([undefined, null, '', '  '])('is missing if it is %j', (value) => {
    expect(() => parseListId(value)).toThrow('No list is chosen');
  });

  it.each(['.', '..', { list_id: 'lst_1' }, ['lst_1']])('cannot be %j', (value) => {
    expect(() => parseListId(value)).toThrow(/is not the id of a list/);
  });
});

describe('the identifier of a company', () => {
  it('is never a text that could change the path', () => {
    fc.assert(
      fc.property(anything, (value) => {
        const result = attempt(() => parseIdentifier(value, 'Company', 'keep'));
        if (!(result instanceof InputError)) expect(result).not.toMatch(/[/\\?#%\p{Cc}]|^[.\s]*$/u);
      }),
    );
  });

  const slugs = "AT&T|o'reilly|a+b|~acme|acme, inc|Acme Corp|acme-2.0|Acme Inc.|yahoo!|(acme)|東京";
  it.each([...slugs.split('|'), 'x'.repeat(253)])(
    'can be the slug %j, which only the service can judge',
    (slug) => {
      expect(parseIdentifier(slug, 'Company', 'strip')).toBe(slug);
    },
  );

  const noNames = ['', ' ', 'n/a', '--', '10.0.0.1', 'x'.repeat(254)];
  const otherPaths = ['/', 'a/b', 'a\\b', 'a\u0000b', 'a\nb', '?', '<b>', 'a%20b'];
  it.each([...noNames, ...otherPaths])('cannot be %j', (value) => {
    expect(() => parseIdentifier(value, 'Company', 'strip')).toThrow(InputError);
  });

  it.each([
    ['my_shop.acme.com', 'acme.com'],
    ['acme-inc_2', 'acme-inc_2'],
    ['müller', 'müller'],
    [123, '123'],
    ['https://www.acme.com/x', 'acme.com'],
    ['jo@acme.com', 'acme.com'],
    ['cloud.google.com', 'google.com'],
    // No list refuses what a person types.
    ['yahoo.com', 'yahoo.com'],
    ['test.com', 'test.com'],
    ['https://github.com/pricing', 'github.com'],
  ])('is parsed from %j as %s', (value, expected) => {
    expect(parseIdentifier(value, 'Company', 'strip')).toBe(expected);
  });
});

it.each(['hubspot', 'google-analytics', '3d', '-', 7])('accepts the tech key %j', (value) => {
  expect(parseTechKey(value)).toBe(String(value));
});

it('suggests the keys it is given for a text that is no tech key', () => {
  expect(() => parseTechKey('Google Analytics')).toThrow('is not a tech key');
  expect(createInvalidTechKeyError('Hub Spot', ['hubspot']).message).toBe(
    '"Hub Spot" is not a tech key. Did you mean "hubspot"?',
  );
});

it('accepts a search of 1 to 200 characters', () => {
  expect(parseTechnologyQuery('x')).toBe('x');
  expect(parseTechnologyQuery('x'.repeat(200))).toHaveLength(200);
  expect(() => parseTechnologyQuery('x'.repeat(201))).toThrow('201 characters');
  expect(() => parseTechnologyQuery(' ')).toThrow('empty');
});

it.each([
  ['https://www.Google.com/x', 'www.google.com'],
  ['google.com', 'google.com'],
  ['app.google.com', 'app.google.com'],
])('parses %s as the exact domain %s', (text, domain) => {
  expect(parseDomain(text, 'Vendor Domain', 'exact')).toBe(domain);
});
