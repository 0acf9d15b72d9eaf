import fc from 'fast-check';

import { path } from '../../../src/client/call';

it('builds a path from its segments', () => {
  expect(path`/v1/partnerships/${'a.com'}/${'b.com'}/graph`).toBe(
    '/v1/partnerships/a.com/b.com/graph',
  );
  expect(path`/v1/companies`).toBe('/v1/companies');
});

it.each(['', '.', '..'])('refuses the segment "%s"', (segment) => {
  expect(() => path`/v1/companies/${segment}`).toThrow(TypeError);
  expect(() => path`/v1/${'x'}/${segment}/graph`).toThrow(TypeError);
});

it('whatever a segment holds, it stays one segment of the same path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (segment) => {
      fc.pre(segment !== '.' && segment !== '..');
      const { origin, pathname, search, hash } = new URL(
        `https://api.example.com${path`/v1/companies/${segment}/graph`}`,
      );
      expect([origin, search, hash]).toEqual(['https://api.example.com', '', '']);
      const [, v1, companies, got, graph, ...rest] = pathname.split('/');
      expect([v1, companies, graph, rest]).toEqual(['v1', 'companies', 'graph', []]);
      expect(decodeURIComponent(got!)).toBe(segment);
    }),
  );
});

it.each(['../../admin', 'a/b', 'a?x=1', 'a#b', '%2e%2e', '\\..\\', 'a b', '@evil.com'])(
  'cannot be led elsewhere by %s',
  (segment) => {
    const url = new URL(`https://api.example.com${path`/v1/companies/${segment}`}`);
    expect(url.host).toBe('api.example.com');
    expect(url.pathname.split('/')).toHaveLength(4);
    expect(url.pathname).toMatch(/^\/v1\/companies\//);
    expect(url.search + url.hash).toBe('');
  },
);

it.each(['\ud800', 'a\udc00b', 'acme\ud83d.com'])(
  'refuses half a character in words, without a word of URIs',
  (segment) => {
    expect(() => path`/v1/companies/${segment}`).toThrow(/holds half a character/);
    expect(() => path`/v1/companies/${segment}`).not.toThrow(/URI malformed/);
  },
);

it('takes whole characters of two halves', () => {
  expect(path`/v1/companies/${'\u{1f600}'}`).toBe('/v1/companies/%F0%9F%98%80');
});
