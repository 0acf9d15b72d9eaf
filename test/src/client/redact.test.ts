import fc from 'fast-check';

import { redact, redactStream } from '../../../src/client/redact';

const KEY = 'ci_user_5up3r+s3cr3t';

it('without a key there is nothing to take out', () => {
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
      // What was given stays as it is.
      expect(JSON.stringify(json)).toBe(before);
    }),
  );
});

describe('a body that is read as it arrives', () => {
  /** What comes of bytes that arrive in pieces, cut at these places. */
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

  it('loses the key wherever it is cut, and no other byte', async () => {
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

  it('keeps what may be the name of a company', async () => {
    expect(String(await streamed(Buffer.from('acme,acme.com'), [2], 'acme'))).toBe('acme,acme.com');
  });
});

it('nesting without end breaks nothing', () => {
  const depth = 50_000;
  const nested: unknown = JSON.parse(`${'['.repeat(depth)}"${KEY}"${']'.repeat(depth)}`);
  expect(() => redact({ nested, message: KEY }, KEY)).not.toThrow();
  expect(redact({ nested, message: KEY }, KEY).message).toBe('[API key]');
});

it.each([
  ['in a URL', 'a%2Fb%26c'],
  ['in HTML', 'a/b&amp;c'],
  ['in HTML by number', 'a/b&#38;c'],
])('finds the key spelled as it is %s', (_where, spelled) => {
  expect(redact(`path?key=${spelled}!`, 'a/b&c')).toBe('path?key=[API key]!');
});

describe('finds the key in other codes', () => {
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
        // What is left of the code beside it is not enough to read more than its first or last letter.
        const left = shown.length - 'x=[API key].'.length;
        expect(left).toBeLessThanOrEqual(2 * (before.length + after.length) + 8);
      },
    );

  it.each(['base64', 'base64url', 'hex'] as const)('%s, wherever it begins', (encoding) => {
    fc.assert(decodes(encoding));
  });

  it('in hex in capitals', () => {
    expect(redact(Buffer.from(KEY).toString('hex').toUpperCase(), KEY)).toBe('[API key]');
  });

  it('but not codes so short that any word may hold them', () => {
    const text = 'YWJj 616263 and other words';
    expect(redact(text, 'abc')).toBe(text);
  });

  it('redacts a key that contains half of a surrogate pair', () => {
    expect(redact('x a\ud800b x', 'a\ud800b')).toBe('x [API key] x');
  });
});
