/** Runs random cases through the nodes, and checks the results with the judge's rules. */
import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { ON_ERROR } from '../../engine/shared/service';
import type { Fault } from '../faults';
import { judge } from '../judge/judge';
import { runCell, type Cell } from '../matrix/cell';
import { NONE, ONLY, SEED, USUAL, usualRuns, type UsualRuns } from '../matrix/matrix';
import { FOLDERS, variantsOf, type Variant } from '../operations/variants';
import { Slots } from '../service/slots';

/** Factor for the number of cases: 10 with `FULL=1`, an eighth in `npm test`. */
const TIMES = process.env['FULL'] === '1' ? 10 : USUAL ? 1 / 8 : 1;
const CASES_AT_ONCE = 16;

export interface FuzzCase {
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

export function useFuzz(): void {
  beforeAll(async () => {
    slots = await Slots.start(CASES_AT_ONCE);
    variants = (await Promise.all(FOLDERS.map(variantsOf))).flat();
    variants = variants.filter(({ title }) => !WAITS.test(title));
    usual = await usualRuns(slots, variants);
  });
  afterAll(async () => {
    await slots.close();
  });
}

/**
 * Runs cases that combine a variant with a random value.
 *
 * @param count Number of cases when all tests run.
 * @returns The violations. The number of the case and the seed repeat it.
 */
export async function fuzz<T>(
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
    { seed: SEED, numRuns: Math.ceil(count * TIMES) },
  );
  const complaints: string[] = [];
  await Promise.all(
    cases.map(async ({ variant, value, onError }, number) => {
      const title = `${name} ${String(number)}, seed ${String(SEED)} | ${variant.title} | ${onError}`;
      if (!ONLY.test(title)) return;
      const one = make(variant, value);
      const tries = number % 5 === 0 ? 2 : 1;
      const traced = number % 10 === 0;
      const cell: Cell = { variant: one.variant, fault: one.fault ?? NONE, onError, tries, traced };
      const said = await slots.with(async (slot) => {
        const ran = await runCell(cell, slot, slots.stranger, one.items).catch(refusedByN8n);
        if (ran === undefined) return [];
        const { happened, key, given } = ran;
        const record = {
          anyAnswer: variant.anyAnswer,
          given,
          key,
          tries,
          fault: { fewerRows: true, paging: true } as const,
          happened,
          usual: usual.get(variant)!,
        };
        return judge(record, one.fault === undefined ? OF_ANY_INPUT : OF_ANY_ANSWER);
      });
      for (const complaint of said) {
        if (one.ofWholeRun === true && complaint.includes('names no item')) continue;
        complaints.push(`${title} | ${complaint} | ${one.what.slice(0, 400)}`);
      }
    }),
  );
  process.stdout.write(
    `Fuzz: ${name}, ${String(cases.length)} cases, ATTACK_SEED=${String(SEED)}, ${String(complaints.length)} failures\n`,
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
