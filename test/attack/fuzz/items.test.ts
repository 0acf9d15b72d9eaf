/** Items and parameters as nobody expects them: a good message for each row, whatever is in it. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Variant } from '../operations/variants';
import { fuzz, useFuzz } from './fuzz';
import { wild } from './wild';

useFuzz();

/** What is in the fields that the parameters ask for, by their names. */
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
    // The second of three: what the others are given must not suffer.
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

/** Names of parameters, those of Options with `options.` before them. */
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

/** n8n itself cannot store such a parameter; an expression can lead to one. */
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
