import fc from 'fast-check';

import { buildPath } from '../../../src/client/call';

it('builds a path from its segments', () => {
  expect(buildPath`/v1/partnerships/${'a.com'}/${'b.com'}/graph`).toBe(
    '/v1/partnerships/a.com/b.com/graph',
  );
  expect(buildPath`/v1/companies`).toBe('/v1/companies');
});

it.each(['', '.', '..'])('refuses the segment "%s"', (segment) => {
  expect(() => buildPath`/v1/companies/${segment}`).toThrow(TypeError);
  expect(() => buildPath`/v1/${'x'}/${segment}/graph`).toThrow(TypeError);
});

it('keeps any text within one segment of the path', () => {
  const attacks = ['../../admin', 'a?x=1#b', '%2e%2e', '\\..\\', '@evil.com', '\u{1f600}'];
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (segment) => {
      fc.pre(segment !== '.' && segment !== '..');
      const { origin, pathname, search, hash } = new URL(
        `https://api.example.com${buildPath`/v1/companies/${segment}/graph`}`,
      );
      expect([origin, search, hash]).toEqual(['https://api.example.com', '', '']);
      const [, v1, companies, got, graph, ...rest] = pathname.split('/');
      expect([v1, companies, graph, rest]).toEqual(['v1', 'companies', 'graph', []]);
      expect(decodeURIComponent(got!)).toBe(segment);
    }),
    { examples: attacks.map((attack) => [attack]) },
  );
});

it.each(['\ud800', 'a\udc00b', 'acme\ud83d.com'])(
  'refuses a segment that contains half of a surrogate pair',
  (segment) => {
    expect(() => buildPath`/v1/companies/${segment}`).toThrow(/contains half a character/);
    expect(() => buildPath`/v1/companies/${segment}`).not.toThrow(/URI malformed/);
  },
);
