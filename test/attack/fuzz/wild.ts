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

function deepList(depth: number): Wild {
  let value: Wild = [];
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

function deepObject(depth: number): Wild {
  let value: Wild = {};
  for (let level = 0; level < depth; level++) value = { a: value };
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
    // Depths at which `JSON.stringify` and other recursive functions fail.
    arbitrary: fc
      .constantFrom(500, 20_000)
      .chain((depth) => fc.constantFrom(deepList, deepObject).map((make) => make(depth))),
    weight: 1,
  },
);

export interface Mutation {
  readonly kind:
    'drop' | 'rename' | 'replace' | 'wrap' | 'empty' | 'repeat' | 'nest' | 'truncate' | 'garble';
  /** Position of the changed value, as a fraction of all values. */
  readonly where: number;
  readonly value: Wild;
}

export const mutations: fc.Arbitrary<Mutation[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Array<Mutation['kind']>>(
      'drop',
      'rename',
      'replace',
      'replace',
      'replace',
      'wrap',
      'empty',
      'repeat',
      'nest',
      'truncate',
      'garble',
    ),
    where: fc.double({ min: 0, max: 0.999, noNaN: true }),
    value: wild,
  }),
  { minLength: 1, maxLength: 4 },
);

interface Place {
  readonly holder: Record<string, unknown> | unknown[];
  readonly name: string;
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
  let text = body;
  for (const change of changes) text = mutateOnce(text, change);
  return text;
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
  change(place, kind, value);
  return stringify(root.value);
}

function change({ holder, name }: Place, kind: Mutation['kind'], value: Wild): void {
  const fields = holder as Record<string, unknown>;
  const old = fields[name];
  const list = Array.isArray(holder) ? holder : undefined;
  switch (kind) {
    case 'drop':
      if (list === undefined) Reflect.deleteProperty(fields, name);
      else list.splice(Number(name), 1);
      break;
    case 'rename':
      Reflect.deleteProperty(fields, name);
      fields[`${name}_x`] = old;
      break;
    case 'wrap':
      fields[name] = { data: old };
      break;
    case 'empty':
      fields[name] = Array.isArray(old) ? [] : {};
      break;
    case 'repeat':
      if (list === undefined) fields[`${name}_again`] = old;
      else list.push(old, old);
      break;
    case 'nest':
      fields[name] = [[[[[old]]]]];
      break;
    default:
      fields[name] = value;
  }
}

/** Returns the value as JSON. A value that is too deep for `JSON.stringify` becomes a deep list. */
function stringify(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return `{"deep":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
  }
}
