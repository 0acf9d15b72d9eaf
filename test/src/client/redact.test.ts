import fc from 'fast-check';

import { redact, redactStream } from '../../../src/client/redact';

const KEY = 'ci_user_5up3r+s3cr3t';

it('changes nothing when the key is empty', () => {
  expect(redact({ text: 'unchanged' }, '')).toEqual({ text: 'unchanged' });
});

it('removes the key wherever it is in a JSON value, and nothing else', () => {
  const text = fc.oneof(
    fc.string(),
    fc.tuple(fc.string(), fc.string()).map(([before, after]) => `${before}${KEY}${after}`),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      text,
      fc.integer(),
      fc.constant(null),
      fc.array(tie('value')),
      fc.dictionary(text, tie('value'), { noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(value, (json) => {
      const before = JSON.stringify(json);
      const after = JSON.stringify(redact(json, KEY));
      expect(after).not.toContain(KEY);
      expect(JSON.parse(after)).toEqual(JSON.parse(before.replaceAll(KEY, '[API key]')));
      // `redact` must not change its input.
      expect(JSON.stringify(json)).toBe(before);
    }),
  );
});

describe('a streamed body', () => {
  /** Redacts bytes that arrive in chunks, split at these places. */
  async function streamed(bytes: Buffer, cuts: readonly number[], key = KEY): Promise<Buffer> {
    const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
    async function* pieces(): AsyncGenerator<Uint8Array> {
      let from = 0;
      for (const to of places.sort((one, other) => one - other)) {
        yield await Promise.resolve(bytes.subarray(from, to));
        from = to;
      }
    }
    const all: Uint8Array[] = [];
    for await (const piece of redactStream(pieces(), key)) all.push(piece);
    return Buffer.concat(all);
  }

  it('is redacted wherever it is split into chunks, and keeps every other byte', async () => {
    const spelled = [KEY, encodeURIComponent(KEY), Buffer.from(KEY).toString('hex')];
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 90 }).map((bytes) => ({ bytes: Buffer.from(bytes) })),
      fc.constantFrom(...spelled).map((secret) => ({ secret })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part), fc.array(fc.nat(2_000)), async (parts, cuts) => {
        const bytesOf = (hidden: boolean): Buffer =>
          Buffer.concat(
            parts.map((one) =>
              'bytes' in one ? one.bytes : Buffer.from(hidden ? '[API key]' : one.secret),
            ),
          );
        expect(await streamed(bytesOf(false), cuts)).toEqual(bytesOf(true));
      }),
    );
  });

  it('is unchanged when the key is so short that a company name can contain it', async () => {
    expect(String(await streamed(Buffer.from('acme,acme.com'), [2], 'acme'))).toBe('acme,acme.com');
  });
});

it('redacts the other fields of a value that is nested 50,000 levels deep', () => {
  const depth = 50_000;
  const nested: unknown = JSON.parse(`${'['.repeat(depth)}"${KEY}"${']'.repeat(depth)}`);
  expect(() => redact({ nested, message: KEY }, KEY)).not.toThrow();
  expect(redact({ nested, message: KEY }, KEY).message).toBe('[API key]');
});

it.each([
  ['in a URL', 'a%2Fb%26c'],
  ['in HTML', 'a/b&amp;c'],
  ['in HTML by character code', 'a/b&#38;c'],
])('finds the key when it is escaped %s', (_where, spelled) => {
  expect(redact(`path?key=${spelled}!`, 'a/b&c')).toBe('path?key=[API key]!');
});

describe('the key in other forms', () => {
  const decodes = (encoding: 'base64' | 'base64url' | 'hex') =>
    fc.property(
      fc.uint8Array({ maxLength: 9 }),
      fc.uint8Array({ maxLength: 9 }),
      fc.string({
        unit: fc.constantFrom('a', 'Z', '0', '9', '_', '-', '+', '/', '~'),
        minLength: 12,
        maxLength: 40,
      }),
      (before, after, key) => {
        const code = Buffer.concat([before, Buffer.from(key), after]).toString(encoding);
        const shown = redact({ seen: `x=${code}.` }, key).seen;
        expect(shown).toContain('[API key]');
        // The rest of the code next to the key reveals at most the first or last letter of the key.
        const left = shown.length - 'x=[API key].'.length;
        expect(left).toBeLessThanOrEqual(2 * (before.length + after.length) + 8);
      },
    );

  it.each(['base64', 'base64url', 'hex'] as const)(
    'is redacted in %s at any offset',
    (encoding) => {
      fc.assert(decodes(encoding));
    },
  );

  it('is redacted in uppercase hex', () => {
    expect(redact(Buffer.from(KEY).toString('hex').toUpperCase(), KEY)).toBe('[API key]');
  });

  it('is kept when it is encoded and so short that any word can contain it', () => {
    const text = 'YWJj 616263 and other words';
    expect(redact(text, 'abc')).toBe(text);
  });

  it('is redacted when it contains half of a surrogate pair', () => {
    expect(redact('x a\ud800b x', 'a\ud800b')).toBe('x [API key] x');
  });
});
