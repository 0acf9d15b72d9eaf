import fc from 'fast-check';

import { normalizePath } from '../../../src/service/any-request';
import { InputError } from '../../../src/input/inputs';

const BASE = 'https://api.service.test/sub';

function requested(text: string): URL | undefined {
  try {
    return new URL(`${BASE}${normalizePath(text)}`);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

function expectInside(text: string): void {
  const url = requested(text);
  if (url === undefined) return;
  expect(url.origin).toBe('https://api.service.test');
  expect(url.pathname.startsWith('/sub/v1/')).toBe(true);
  expect(url.pathname.length).toBeGreaterThan('/sub/v1/'.length);
  expect([url.search, url.hash, url.username]).toEqual(['', '', '']);
  // A server that decodes the path a second time must stay below `/v1/` too.
  const decoded = new URL(decodeURI(url.pathname), 'https://x.test').pathname;
  expect(decoded.startsWith('/sub/v1/')).toBe(true);
}

const SIGNS =
  '.. . / // \\ %2e %2E%2e %2f %5c %25 ? # @ : http: evil.test v1 lists %00 % ; ü \u2025 \uff0e';
const sign = fc.constantFrom(...SIGNS.split(' '), ' ', '\n', '\t');

const traversal = fc.array(sign, { maxLength: 10 }).map((all) => all.join(''));

it.each([
  ['any text', fc.string({ unit: 'binary', maxLength: 60 }), {}],
  ['signs of path traversal', traversal, { numRuns: 5_000 }],
])('turns %s into a path below /v1/ of the base URL, or refuses it', (_what, text, settings) => {
  fc.assert(fc.property(text, expectInside), settings);
});

it('keeps ordinary paths unchanged, with or without a leading /v1/', () => {
  const segment = fc.stringMatching(/^[a-z0-9_~-]{1,12}$/).filter((text) => text !== 'v1');
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 6 }), (segments) => {
      const path = segments.join('/');
      for (const text of [path, `/${path}`, `v1/${path}`, `/v1/${path}`, ` ${path} `]) {
        expect(normalizePath(text)).toBe(`/v1/${path}`);
      }
    }),
  );
});

it('does not encode an encoded segment again', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), (text) => {
      const encoded = encodeURIComponent(text);
      fc.pre(requested(`lists/${encoded}/x`) !== undefined);
      expect(normalizePath(`lists/${encoded}/x`)).toBe(`/v1/lists/${encoded}/x`);
    }),
  );
});
