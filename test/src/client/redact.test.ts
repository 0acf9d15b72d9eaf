import fc from 'fast-check';

import { redact, redactBytes } from '../../../src/client/redact';

const KEY = 'ci_user_5up3r+s3cr3t';

it('removes the key wherever it is in a JSON value, and nothing else', () => {
  const text = fc.oneof(
    fc.string(),
    fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before}${KEY}${after}`),
  );
  const { value } = fc.letrec((tie) => {
    const simple = fc.oneof(text, fc.integer(), fc.constant(null));
    const record = fc.dictionary(text, tie('value'), { noNullPrototype: true });
    return { value: fc.oneof({ maxDepth: 4 }, simple, fc.array(tie('value')), record) };
  });
  fc.assert(
    fc.property(value, (json) => {
      const before = JSON.stringify(json);
      const after = JSON.stringify(redact(json, KEY));
      expect(JSON.parse(after)).toEqual(JSON.parse(before.replaceAll(KEY, '[API key]')));
      // `redact` must not change its input.
      expect(JSON.stringify(json)).toBe(before);
    }),
  );
});

it.each([
  ['escaped in a URL', 'path?key=a%2Fb%26c!', 'a/b&c', 'path?key=[API key]!'],
  ['escaped in JSON', '{"key":"a\\"b"}', 'a"b', '{"key":"[API key]"}'],
  ['with half of a surrogate pair', 'x a\ud800b x', 'a\ud800b', 'x [API key] x'],
  ['but not if it is empty', 'unchanged', '', 'unchanged'],
])('redacts the key %s', (_how, text, key, redacted) => {
  expect(redact(text, key)).toBe(redacted);
});

it('redacts the other fields of a value that is nested 50,000 levels deep', () => {
  const depth = 50_000;
  const nested: unknown = JSON.parse(`${'['.repeat(depth)}"${KEY}"${']'.repeat(depth)}`);
  expect(redact({ nested, message: KEY }, KEY).message).toBe('[API key]');
});

describe('a file', () => {
  it('is redacted, and keeps every other byte', () => {
    const part = fc.oneof(
      fc.record({ bytes: fc.uint8Array({ maxLength: 90 }), isSecret: fc.constant(false) }),
      fc
        .constantFrom(KEY, encodeURIComponent(KEY))
        .map((key) => ({ bytes: Buffer.from(key), isSecret: true })),
    );
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const given = Buffer.concat(parts.map(({ bytes }) => bytes));
        const redacted = parts.map(({ bytes, isSecret }) =>
          isSecret ? Buffer.from('[API key]') : bytes,
        );
        expect(redactBytes(given, KEY)).toEqual(Buffer.concat(redacted));
      }),
    );
  });

  it('is the same buffer without the key, and when the key is so short that a name can contain it', () => {
    const bytes = Buffer.from('acme,acme.com');
    expect(redactBytes(bytes, KEY)).toBe(bytes);
    expect(redactBytes(bytes, 'acme')).toBe(bytes);
  });
});
