import fc from 'fast-check';

import { buildPath, toHttpRequest } from '../../../src/client/call';
import { readCall, settingsFor } from './support/client';

it.each<readonly [string, RegExp]>([
  ['', /^"" cannot be part/],
  ['.', /^"." cannot be part/],
  ['..', /^".." cannot be part/],
  ...['\ud800', 'a\udc00b', 'acme\ud83d.com'].map(
    (half) => [half, /contains half a character/] as const,
  ),
])('refuses the segment %j', (segment, message) => {
  expect(() => buildPath`/v1/companies/${segment}`).toThrow(message);
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

it.each([
  [undefined, 'application/json', 32],
  ['text/csv', 'text/csv', 256],
])('accepts for the file type %s the type %s and up to %d MB', (fileType, accept, megabytes) => {
  const settings = settingsFor({ baseUrl: 'https://api.example.com' });
  const call = readCall(fileType === undefined ? {} : { fileType });
  expect(toHttpRequest(settings, call)).toMatchObject({
    headers: { Accept: accept },
    maxBytes: megabytes * 2 ** 20,
  });
});
