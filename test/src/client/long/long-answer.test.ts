/** An answer read with its longest list apart is the answer that JSON.parse reads, however it arrives. */
import fc from 'fast-check';

import { InvalidResponseError } from '../../../../src/client/errors';
import { BodyBytes, Buffers } from '../../../../src/client/exchange/body-bytes';
import { longAnswerOf, type LongAnswer } from '../../../../src/client/long/long-answer';

const KEY = 'ci_user_0123456789abcdef';

/** Text in pieces that end anywhere, inside characters too. */
function arriving(text: string, cuts: readonly number[] = [], buffers = new Buffers()): BodyBytes {
  const bytes = Buffer.from(text);
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  const body = new BodyBytes(buffers);
  let from = 0;
  for (const end of ends) {
    body.add(bytes.subarray(from, end));
    from = end;
  }
  return body;
}

/** The answer, its list put back in its place. */
function putTogether({ json, list }: LongAnswer): unknown {
  if (list === undefined) return json;
  const restored = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const entries = value as unknown[];
      return entries.length === 1 && entries[0] === list.first
        ? [...list.entries]
        : entries.map(restored);
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, restored(one)]));
  };
  return restored(json);
}

function readAll(text: string, cuts?: readonly number[]): unknown {
  return putTogether(longAnswerOf(arriving(text, cuts), KEY));
}

function outcomeOf(read: () => unknown): unknown {
  try {
    return { value: read() };
  } catch (error) {
    return error instanceof InvalidResponseError || error instanceof SyntaxError
      ? 'broken'
      : { error };
  }
}

/** Keys without `__proto__`, which the comparison itself would lose. */
const name = fc.string({ unit: 'binary', maxLength: 8 }).filter((one) => one !== '__proto__');
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -1.5e-7, '', '"', '\\', '},{', ']', '[{"a":1}]'),
    fc.string({ unit: 'binary' }),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).any;
const row = fc.dictionary(name, value, { maxKeys: 5, noNullPrototype: true });
const filler = 'ü'.repeat(300);
/** Lists that are long enough to be read by themselves, mostly. */
const longList = fc
  .array(row, { minLength: 1, maxLength: 40 })
  .map((rows) => rows.map((one, index) => ({ index, filler, ...one })));
const envelope = fc.oneof(
  longList,
  fc.record({ data: longList, pagination: row }),
  fc.record({ before: value, result: fc.record({ members: longList }), after: value }),
  fc.record({ short: fc.array(row, { maxLength: 2 }), long: longList, other: longList }),
  fc.record({ groups: fc.array(longList, { maxLength: 2 }) }),
  fc.record({ mixed: fc.array(fc.oneof(row, value), { maxLength: 30 }), data: longList }),
  value,
);
const spaces = fc.constantFrom(undefined, 1, '\t', '\n\r ');
const cuts = fc.array(fc.nat(), { maxLength: 20 });

describe('an answer', () => {
  it('is what JSON.parse reads, whatever its shape and wherever its pieces end', () => {
    let apart = 0;
    fc.assert(
      fc.property(envelope, spaces, cuts, (json, space, at) => {
        const text = JSON.stringify(json, undefined, space);
        apart += longAnswerOf(arriving(text), KEY).list === undefined ? 0 : 1;
        expect(readAll(text, at)).toEqual(JSON.parse(text));
      }),
      { numRuns: 200 },
    );
    expect(apart).toBeGreaterThan(10);
  });

  it('can be read as a whole instead', () => {
    fc.assert(
      fc.property(envelope, cuts, (json, at) => {
        const text = JSON.stringify(json);
        expect(longAnswerOf(arriving(text, at), KEY).whole()).toEqual(JSON.parse(text));
      }),
    );
  });

  it('that lost, doubled or changed a byte is what JSON.parse makes of it, broken or not', () => {
    const change = fc.record({
      at: fc.nat(),
      removed: fc.nat({ max: 3 }),
      put: fc.constantFrom('', ',', '{', '}', '[', ']', '"', '\\', ':', ' ', '\u00a0', '1', 'x'),
    });
    let broken = 0;
    fc.assert(
      fc.property(
        fc.record({ data: longList, more: row }),
        change,
        (json, { at, removed, put }) => {
          const whole = JSON.stringify(json);
          const from = at % whole.length;
          // Half a character, which no bytes stand for, becomes a whole one.
          const text = Buffer.from(
            whole.slice(0, from) + put + whole.slice(from + removed),
          ).toString();
          const expected = outcomeOf(() => JSON.parse(text));
          broken += expected === 'broken' ? 1 : 0;
          expect(outcomeOf(() => readAll(text))).toEqual(expected);
        },
      ),
      { numRuns: 300 },
    );
    expect(broken).toBeGreaterThan(30);
  });

  it('that was cut anywhere is broken', () => {
    fc.assert(
      fc.property(fc.record({ data: longList }), fc.nat(), (json, at) => {
        const text = JSON.stringify(json);
        const cut = text.slice(0, 1 + (at % (text.length - 1)));
        expect(outcomeOf(() => readAll(cut))).toBe('broken');
      }),
      { numRuns: 100 },
    );
  });
});

const rows = (count: number, change: object = {}) =>
  Array.from({ length: count }, (_unused, index) => ({ index, filler, ...change }));

it('a list of objects that is long stays packed, and can be gone through again and again', () => {
  const { json, list } = longAnswerOf(
    arriving(JSON.stringify({ data: rows(500), total: 500 })),
    KEY,
  );

  expect(json).toEqual({ data: rows(1), total: 500 });
  expect(list?.entries).toHaveLength(500);
  expect([...(list?.entries ?? [])]).toEqual(rows(500));
  expect([...(list?.entries ?? [])]).toEqual(rows(500));
});

it.each([
  ['short', { data: rows(3) }],
  ['of anything but objects', { data: [...rows(100), 1] }],
  ['of lists', { data: [rows(100)] }],
  ['empty', { data: [] }],
])('a list that is %s is read with the rest', (_what, json) => {
  expect(longAnswerOf(arriving(JSON.stringify(json)), KEY)).toMatchObject({
    json,
    list: undefined,
  });
});

it('the mark that some begin UTF-8 with is left out', () => {
  expect(readAll(`\uFEFF${JSON.stringify({ data: rows(100) })}`)).toEqual({ data: rows(100) });
  expect(readAll('\uFEFF{"a":1}')).toEqual({ a: 1 });
});

it('an answer without a byte is nothing', () => {
  expect(readAll('')).toBeUndefined();
});

it('the key comes out of nothing, wherever it stands', () => {
  const data = rows(100).map((one, index) => ({ ...one, note: index % 9 === 0 ? `<${KEY}>` : '' }));
  const text = JSON.stringify({ said: KEY, data, [KEY]: 1 });

  expect(JSON.stringify(readAll(text))).toBe(text.replaceAll(KEY, '[API key]'));
  expect(JSON.stringify(longAnswerOf(arriving(text), KEY).whole())).not.toContain(KEY);
});

describe('nested too deeply', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  const answer = (inRow: number, beside: number) => {
    const data = JSON.stringify(rows(100)).slice(0, -1);
    return `{"data":${data},{"deep":${nested(inRow)}}],"beside":${nested(beside)}}`;
  };
  const parsed = (text: string) => JSON.parse(text) as unknown;

  // Around a row's field stand the answer, the list and the row.
  it('200 levels are read', () => {
    expect(readAll(answer(197, 199))).toEqual(parsed(answer(197, 199)));
  });

  it.each([answer(198, 1), answer(1, 200), answer(100_000, 1)])('201 are refused', (text) => {
    expect(() => readAll(text)).toThrow(/nested more than 200 levels deep/);
  });
});

describe('the memory of a body', () => {
  it('is used for the next one, once it was given back', () => {
    const buffers = new Buffers();
    const first = longAnswerOf(arriving(JSON.stringify(rows(1000)), [], buffers), KEY);
    first.list?.entries.release();
    const second = longAnswerOf(arriving(JSON.stringify(rows(900)), [], buffers), KEY);

    expect([...(second.list?.entries ?? [])]).toEqual(rows(900));
    expect(() => [...(first.list?.entries ?? [])]).toThrow(RangeError);
  });

  it('is not given back twice', () => {
    const buffers = new Buffers();
    const { list } = longAnswerOf(arriving(JSON.stringify(rows(1000)), [], buffers), KEY);
    list?.entries.release();
    list?.entries.release();

    expect(buffers.take()).not.toBe(buffers.take());
  });
});
