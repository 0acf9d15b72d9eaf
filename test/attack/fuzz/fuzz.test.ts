/**
 * Tests random items, parameters and responses: every row gets a result or a clear message,
 * whatever it contains.
 */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { ON_ERROR } from '../../engine/shared/service';
import type { Fault } from '../faults';
import { rewrite } from '../faults/fault';
import { judge } from '../judge/judge';
import { runCell, type Cell } from '../matrix/cell';
import { FULL, NONE, ONLY, SEED, usualRuns, type UsualRuns } from '../matrix/matrix';
import { FOLDERS, variantsOf, type Variant } from '../operations/variants';
import { Slots } from '../service/slots';
import { mutate, mutations, wild } from './wild';

/** Factor for the number of cases. */
const TIMES = FULL ? 10 : 1;
const CASES_AT_ONCE = 16;

interface FuzzCase {
  readonly variant: Variant;
  /** Replaces the usual items. */
  readonly items?: (usual: readonly IDataObject[]) => IDataObject[];
  readonly fault?: Fault;
  /** The mistake concerns all items, so an error need not name one. */
  readonly ofWholeRun?: true;
  /** Description of the random part, to debug a failure. */
  readonly what: string;
}

/** Rules that hold for any input. */
const OF_ANY_INPUT = ['time', 'rows', 'fields', 'words', 'secrecy'] as const;
/** Rules that hold for any response. */
const OF_ANY_ANSWER = [...OF_ANY_INPUT, 'effects', 'requests'] as const;

/** Variants that wait take seconds each, so only the matrix runs them. */
const WAITS = /refreshAndWait|waitForJob/;

let slots: Slots;
let usual: UsualRuns;
let variants: Variant[];

beforeAll(async () => {
  slots = await Slots.start(CASES_AT_ONCE);
  variants = (await Promise.all(FOLDERS.map(variantsOf))).flat();
  variants = variants.filter(({ title }) => !WAITS.test(title));
  usual = await usualRuns(slots, variants);
});
afterAll(async () => {
  await slots.close();
});

/**
 * Runs cases that combine a variant with a random value.
 *
 * @param count Number of cases without `FULL`.
 * @returns The violations. The number of the case and the seed repeat it.
 */
async function fuzz<T>(
  name: string,
  count: number,
  random: fc.Arbitrary<T>,
  make: (variant: Variant, value: T) => FuzzCase,
): Promise<string[]> {
  const cases = fc.sample(
    fc.record({
      variant: fc.constantFrom(...variants),
      value: random,
      onError: fc.constantFrom(...ON_ERROR),
    }),
    { seed: SEED, numRuns: count * TIMES },
  );
  const complaints: string[] = [];
  await Promise.all(
    cases.map(async ({ variant, value, onError }, number) => {
      const title = `${name} ${number}, seed ${SEED} | ${variant.title} | ${onError}`;
      if (!ONLY.test(title)) return;
      const one = make(variant, value);
      const tries = number % 5 === 0 ? 2 : 1;
      const traced = number % 10 === 0;
      const cell: Cell = { variant: one.variant, fault: one.fault ?? NONE, onError, tries, traced };
      const said = await slots.with(async (slot) => {
        const ran = await runCell(cell, slot, slots.stranger, one.items).catch(refusedByN8n);
        if (ran === undefined) return [];
        const fault = { fewerRows: true, paging: true } as const;
        const { anyAnswer } = variant;
        return judge(
          { ...ran, anyAnswer, tries, fault, usual: usual.get(variant)! },
          one.fault === undefined ? OF_ANY_INPUT : OF_ANY_ANSWER,
        );
      });
      for (const complaint of said) {
        if (one.ofWholeRun === true && complaint.includes('names no item')) continue;
        complaints.push(`${title} | ${complaint} | ${one.what.slice(0, 400)}`);
      }
    }),
  );
  process.stdout.write(
    `Fuzz: ${name}, ${cases.length} cases, ATTACK_SEED=${SEED}, ${complaints.length} failures\n`,
  );
  return complaints.sort();
}

/** Returns undefined if n8n itself refused the parameters, because then no run exists to check. */
function refusedByN8n(error: unknown): undefined {
  const [firstFrame = ''] =
    /^\s+at .+$/m.exec(error instanceof Error ? (error.stack ?? '') : '') ?? [];
  if (/node_modules\/n8n-(core|workflow)\//.test(firstFrame)) return;
  throw error;
}

/** Input fields that the parameters refer to by name. */
const FIELDS = 'company a b tech vendor text list job permission name number'.split(' ');

it('keeps the invariants when an item has random fields', async () => {
  const name = fc.constantFrom(...FIELDS, 'more', '__proto__', 'constructor');
  const random = fc.array(fc.tuple(name, wild), { minLength: 1, maxLength: 4 });
  const complaints = await fuzz('items', 2_000, random, (variant, changes) => ({
    variant,
    // Changes the second of three items; the results of the others must not change.
    items: (usual) =>
      usual.map((item, index) =>
        index === 1 ? Object.fromEntries([...Object.entries(item), ...changes]) : item,
      ),
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
      // A deep value is too deep for n8n to store as a parameter, but an expression can return it.
      const isExpression = asExpression || describeValue(value) === TOO_DEEP;
      return {
        variant: withParameter(variant, name, isExpression ? '={{ $json.wild }}' : value),
        items: (usual) => usual.map((item) => ({ ...item, wild: value })),
        ofWholeRun: true,
        what: `${name} ${asExpression ? 'evaluates to' : 'is'} ${describeValue(value)}`,
      };
    },
  );

  expect(complaints.slice(0, 200)).toEqual([]);
});

it('keeps the invariants when responses are mutated at random', async () => {
  const complaints = await fuzz('answers', 6_000, mutations, (variant, changes) => ({
    variant,
    fault: {
      name: 'a mutated answer',
      fewerRows: true,
      strike: rewrite((body) => mutate(body, changes)),
    },
    what: changes.map(({ kind, where }) => `${kind} at ${where.toFixed(2)}`).join(', '),
  }));

  expect(complaints.slice(0, 40)).toEqual([]);
});

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

const TOO_DEEP = 'something very deep';

function describeValue(value: unknown): string {
  try {
    return JSON.stringify(value).slice(0, 300);
  } catch {
    return TOO_DEEP;
  }
}
