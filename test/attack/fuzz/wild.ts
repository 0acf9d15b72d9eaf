/** Random values that no user or service normally sends. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

type Wild = IDataObject[string];

/**
 * Text of every kind: with lone surrogates, control characters or JavaScript names, or very long.
 */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.domain(),
  fc.webUrl(),
  fc.emailAddress(),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e999',
    'null',
    '..',
    '../..',
    '%',
    '%zz',
    '\ud800',
    'x\udfff.com',
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '={{ 1 }}',
    '<script>',
    "'; --",
    'a.co '.repeat(2_000),
    'x'.repeat(300),
    `${'x'.repeat(100_000)}.com`,
    '\u0000',
    'ｅxample。com',
    'bücher.example',
  ),
);

/** Puts a value into itself so often that `JSON.stringify` and other recursive functions fail. */
function deepen(depth: number, wrap: (value: Wild) => Wild, innermost: Wild): Wild {
  let value = innermost;
  for (let level = 0; level < depth; level++) value = wrap(value);
  return value;
}

/** Any value that JSON can hold. */
export const wild: fc.Arbitrary<Wild> = fc.oneof(
  { arbitrary: text, weight: 4 },
  {
    arbitrary: fc.constantFrom<Wild>(
      null,
      true,
      false,
      0,
      -1,
      0.5,
      1e308,
      Number.MAX_SAFE_INTEGER,
      [],
      {},
      [[]],
      ['a.com', 'b.com'],
      { value: 'a.com' },
      { __rl: true, mode: 'id', value: null },
    ),
    weight: 3,
  },
  { arbitrary: fc.jsonValue({ maxDepth: 4 }), weight: 3 },
  {
    arbitrary: fc.constantFrom(500, 20_000).chain((depth) =>
      fc.constantFrom(
        deepen(depth, (value) => [value] as Wild, []),
        deepen(depth, (a) => ({ a }), {}),
      ),
    ),
    weight: 1,
  },
);

const KINDS = {
  drop: ({ holder, fields, name }) => {
    if (Array.isArray(holder)) holder.splice(Number(name), 1);
    else Reflect.deleteProperty(fields, name);
  },
  rename: ({ fields, name, old }) => {
    Reflect.deleteProperty(fields, name);
    fields[`${name}_x`] = old;
  },
  replace: ({ fields, name }, value) => (fields[name] = value),
  wrap: ({ fields, name, old }) => (fields[name] = { data: old }),
  empty: ({ fields, name, old }) => (fields[name] = Array.isArray(old) ? [] : {}),
  repeat: ({ holder, fields, name, old }) => {
    if (Array.isArray(holder)) holder.push(old, old);
    else fields[`${name}_again`] = old;
  },
  nest: ({ fields, name, old }) => (fields[name] = [[[[[old]]]]]),
} satisfies Record<string, (place: Place & Found, value: Wild) => unknown>;

export interface Mutation {
  readonly kind: keyof typeof KINDS | 'truncate' | 'garble';
  /** Position of the changed value, as a fraction of all values. */
  readonly where: number;
  readonly value: Wild;
}

const names = 'drop rename replace replace replace wrap empty repeat nest truncate garble'.split(
  ' ',
);

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom(...(names as Array<Mutation['kind']>)),
    where: fc.double({ min: 0, max: 0.999, noNaN: true }),
    value: wild,
  }),
  { minLength: 1, maxLength: 4 },
);

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly name: string;
}

interface Found {
  readonly fields: Record<string, unknown>;
  readonly old: unknown;
}

/** Returns every value inside another, outermost first. */
function placesIn(root: unknown): Place[] {
  const places: Place[] = [];
  const walk = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 8) return;
    for (const name of Object.keys(value)) {
      places.push({ holder: value as Place['holder'], name });
      walk((value as Record<string, unknown>)[name], depth + 1);
    }
  };
  walk(root, 0);
  return places;
}

/** Applies the changes to the text of a response, one after another. */
export function mutate(body: string, changes: readonly Mutation[]): string {
  return changes.reduce(mutateOnce, body);
}

function mutateOnce(text: string, { kind, where, value }: Mutation): string {
  if (kind === 'truncate') return text.slice(0, Math.floor(text.length * where));
  if (kind === 'garble') {
    const at = Math.floor(text.length * where);
    return `${text.slice(0, at)}${typeof value === 'string' ? value : '\u0001'}${text.slice(at + 1)}`;
  }
  let root: { value: unknown };
  try {
    root = { value: JSON.parse(text) as unknown };
  } catch {
    return text;
  }
  const places = [
    { holder: root as Record<string, unknown>, name: 'value' },
    ...placesIn(root.value),
  ];
  const place = places[Math.floor(places.length * where)];
  if (place === undefined) return text;
  const fields = place.holder as Record<string, unknown>;
  KINDS[kind]({ ...place, fields, old: fields[place.name] }, value);
  return stringify(root.value);
}

/** Returns the value as JSON. A value that is too deep for `JSON.stringify` becomes a deep list. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return `{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  }
}
