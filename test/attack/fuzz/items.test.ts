/**
 * Tests random items and parameters: every row gets
 * a result or a clear message, whatever it contains.
 */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../operations/variants';
import { fuzz, useFuzz } from './fuzz';
import { wild } from './wild';

useFuzz();

/** Input fields that the parameters refer to by name. */
const FIELDS = 'company a b tech vendor text list job permission name number'.split(' ');

it('keeps the invariants when an item has random fields', async () => {
  const random = fc.array(
    fc.tuple(fc.constantFrom(...FIELDS, 'more', '__proto__', 'constructor'), wild),
    {
      minLength: 1,
      maxLength: 4,
    },
  );
  const complaints = await fuzz('items', 2_000, random, (variant, changes) => ({
    variant,
    // Changes the second of three items; the results of the others must not change.
    items: (usual) => usual.map((item, index) => (index === 1 ? with_(item, changes) : item)),
    what: describeValue(changes),
  }));

  expect(complaints.slice(0, 200)).toEqual([]);
});

it('keeps the invariants when a parameter has a random value', async () => {
  const random = fc.record({
    which: fc.double({ min: 0, max: 0.999, noNaN: true }),
    value: wild,
    asExpression: fc.boolean(),
  });
  const complaints = await fuzz(
    'parameters',
    2_000,
    random,
    (variant, { which, value, asExpression }) => {
      const names = parametersOf(variant);
      const name = names[Math.floor(which * names.length)] ?? 'options';
      return {
        variant: withParameter(
          variant,
          name,
          asExpression || isDeep(value) ? '={{ $json.wild }}' : value,
        ),
        items: (usual) => usual.map((item) => ({ ...item, wild: value })),
        ofWholeRun: true,
        what: `${name} ${asExpression ? 'evaluates to' : 'is'} ${describeValue(value)}`,
      };
    },
  );

  expect(complaints.slice(0, 200)).toEqual([]);
});

function with_(
  item: IDataObject,
  changes: ReadonlyArray<readonly [string, IDataObject[string]]>,
): IDataObject {
  const copy = { ...item };
  for (const [name, value] of changes) {
    Object.defineProperty(copy, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  }
  return copy;
}

/** Returns the names of parameters; those of Options begin with `options.`. */
function parametersOf({ shown, entries }: Variant): string[] {
  const own = [...shown].filter((name) => !['resource', 'operation', 'options'].includes(name));
  return [...own, ...entries.map((name) => `options.${name}`)];
}

function withParameter(variant: Variant, name: string, value: unknown): Variant {
  const [first = '', second] = name.split('.');
  const { parameters } = variant;
  const changed = second === undefined ? value : { ...parameters.options, [second]: value };
  return { ...variant, parameters: { ...parameters, [first]: changed } as INodeParameters };
}

/**
 * Returns whether a value is too deep for n8n to store
 * as a parameter. An expression can still return it.
 */
function isDeep(value: unknown): boolean {
  return describeValue(value) === TOO_DEEP;
}

const TOO_DEEP = 'something very deep';

function describeValue(value: unknown): string {
  try {
    return JSON.stringify(value).slice(0, 300);
  } catch {
    return TOO_DEEP;
  }
}
