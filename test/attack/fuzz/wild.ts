/** Random values that no user or service normally sends. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { DEEP } from '../faults/fault';

type Wild = IDataObject[string];

/** Text of every kind. fast-check's own strings include JavaScript names, such as `__proto__`. */
const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.domain(),
  fc.webUrl(),
  fc.emailAddress(),
  fc.constantFrom('', ' ', '0', '-1', '1e999', 'null', '..', '../..', '%', '%zz', '\u0000'),
  fc.constantFrom('__proto__', 'constructor', '={{ 1 }}', '<script>', "'; --", 'bücher.example'),
  fc.constantFrom('\ud800', 'x\udfff.com', 'ｅxample。com', 'a.co '.repeat(2_000)),
  fc.constantFrom('x'.repeat(300), `${'x'.repeat(100_000)}.com`),
);

/** Values so deep that `JSON.stringify` and other recursive functions can fail. */
const deep = fc.constantFrom(500, 20_000).chain((depth) =>
  fc.constantFrom(
    deepen(depth, (value) => [value]),
    deepen(depth, (a) => ({ a })),
  ),
);

function deepen(depth: number, wrap: (value: unknown) => unknown): Wild {
  let value: unknown = [];
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value as Wild;
}

/** Any value that JSON can hold. */
export const wild: fc.Arbitrary<Wild> = fc.oneof(
  { arbitrary: text, weight: 4 },
  {
    arbitrary: fc.constantFrom<Wild>(
      ...[null, true, false, 0, -1, 0.5, 1e308, Number.MAX_SAFE_INTEGER, [], {}, [[]]],
      ['a.com', 'b.com'],
      { value: 'a.com' },
      { __rl: true, mode: 'id', value: null },
    ),
    weight: 3,
  },
  { arbitrary: fc.jsonValue({ maxDepth: 4 }), weight: 3 },
  { arbitrary: deep, weight: 1 },
);

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly name: string;
}

/** Ways to change a value in a response. Each returns the new value, or undefined to remove it. */
const CHANGES = {
  drop: () => undefined,
  rename: (old, { holder, name }) => void Object.assign(holder, { [`${name}_x`]: old }),
  replace: (_old, _place, value) => value,
  wrap: (old) => ({ data: old }),
  empty: (old) => (Array.isArray(old) ? [] : {}),
  shorten: (old) => (Array.isArray(old) ? old.slice(1) : old),
  repeat: (old, { holder, name }) => {
    if (Array.isArray(holder)) holder.push(old, old);
    else holder[`${name}_again`] = old;
    return old;
  },
  nest: (old) => [[[[[old]]]]],
} satisfies Record<string, (old: unknown, place: Place, value: Wild) => unknown>;

const mutation = fc.record({
  kind: fc.constantFrom(
    'replace',
    'truncate',
    'garble',
    ...(Object.keys(CHANGES) as Array<keyof typeof CHANGES>),
  ),
  /** Position of the changed value, as a fraction of all values. */
  where: fc.double({ min: 0, max: 0.999, noNaN: true }),
  value: wild,
});

type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

export const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 });

/** Applies the changes to the text of a response, one after another. */
export function mutate(body: string, changes: readonly Mutation[]): string {
  return changes.reduce(mutateOnce, body);
}

function mutateOnce(text: string, { kind, where, value }: Mutation): string {
  const at = Math.floor(text.length * where);
  if (kind === 'truncate') return text.slice(0, at);
  if (kind === 'garble') {
    return `${text.slice(0, at)}${typeof value === 'string' ? value : '\u0001'}${text.slice(at + 1)}`;
  }
  let values = 0;
  try {
    JSON.parse(text, () => (values += 1));
    let left = Math.floor(values * where);
    const revive = function (this: Place['holder'], name: string, old: unknown): unknown {
      return left-- === 0 ? CHANGES[kind](old, { holder: this, name }, value) : old;
    };
    const changed: unknown = JSON.parse(text, revive);
    return changed === undefined ? '' : JSON.stringify(changed);
  } catch (error) {
    // A value that is too deep for JSON becomes a deep list. Text that is not JSON stays.
    return (error as Error).name === 'SyntaxError' ? text : `{"deep":${DEEP}}`;
  }
}
