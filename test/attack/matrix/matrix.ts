/** The matrix of one node: every variant of its operations combined with every fault. */
import { createHash } from 'node:crypto';
import { inspect } from 'node:util';

import { recordLogs } from '../../engine/harness/logging';
import { ON_ERROR } from '../../engine/shared/service';
import { FAULTS, type Fault } from '../faults';
import { judge } from '../judge/judge';
import type { Happened } from '../judge/record';
import { variantsOf, type Variant } from '../operations/variants';
import { Slots, type Slot } from '../service/slots';
import { runCell, type Cell } from './cell';

/** A cell whose settings the seed chose. */
type DrawnCell = Required<Cell>;

/** Seed that decides which cells a run takes. */
export const SEED = Number(process.env['ATTACK_SEED'] ?? 1);
/** Whether to run all cells, which takes hours. */
export const FULL = process.env['FULL'] === '1';
/** Runs only cells and cases whose name matches. To repeat a failure, use the start of its text. */
export const ONLY = new RegExp(process.env['ATTACK_ONLY'] ?? '');
/** Share of the faults for a variant that differs from another only in an option. */
const SHARE_WITH_OPTIONS = 1 / 4;
/** Share of the cells that run with more than one On Error setting. */
const SHARE_OF_SETTINGS = 1 / 8;
const CELLS_AT_ONCE = 24;

/** Lets the service respond as usual. */
export const NONE: Fault = FAULTS.find(({ name }) => name === 'none')!;

/** The result of each variant without a fault. */
export type UsualRuns = ReadonlyMap<Variant, Happened>;

/** Defines the test of one node; `folder` is its folder in `nodes/`. */
export function attack(folder: string): void {
  it(`${folder} keeps the invariants with injected faults (ATTACK_SEED=${SEED}${FULL ? ', FULL' : ''})`, async () => {
    const variants = await variantsOf(folder);
    const { failures, cells } = await runMatrix(variants);
    const all = variants.length * FAULTS.length * ON_ERROR.length;
    process.stdout.write(
      `Attack: ${folder}, ${cells} cells of ${all}, ATTACK_SEED=${SEED}, ${failures.length} failures\n`,
    );
    expect(failures.slice(0, 60)).toEqual([]);
  });
}

/** Returns a number from 0 to 1 that depends only on the seed and the words. */
function chance(...words: readonly string[]): number {
  const digest = createHash('sha256')
    .update([SEED, ...words].join('\n'))
    .digest();
  return digest.readUInt32BE() / 2 ** 32;
}

/**
 * Returns the cells of this run. Every operation meets every fault with one On Error setting, which
 * the seed chooses. The run also takes a share of all other cells.
 */
function cellsOf(variants: readonly Variant[], usual: UsualRuns): DrawnCell[] {
  return variants.flatMap((variant) =>
    FAULTS.filter(
      (fault) =>
        canMeet(usual.get(variant), fault) &&
        (FULL || variant.isBase || chance(variant.title, fault.name, 'met') < SHARE_WITH_OPTIONS),
    ).flatMap((fault) => {
      const turn = Math.floor(chance(variant.title, fault.name) * ON_ERROR.length);
      return ON_ERROR.filter(
        (onError, index) =>
          FULL || index === turn || chance(variant.title, fault.name, onError) < SHARE_OF_SETTINGS,
      ).map((onError): DrawnCell => {
        const drawn = (what: string) => chance(variant.title, fault.name, onError, what);
        return {
          ...{ variant, fault, onError },
          tries: drawn('tries') < 0.4 ? 2 : 1,
          mode: drawn('mode') < 0.2 ? 'trigger' : 'manual',
          traced: drawn('traced') < 0.1,
        };
      });
    }),
  );
}

/** An operation that sends no request can only notice a wrong Base URL. */
function canMeet(usual: Happened | undefined, { name, baseUrl }: Fault): boolean {
  return usual?.asked.length !== 0 || baseUrl !== undefined || name === 'none';
}

async function runMatrix(variants: readonly Variant[]) {
  const logs = recordLogs();
  const slots = await Slots.start(CELLS_AT_ONCE);
  const failures: string[] = [];
  try {
    const usual = await usualRuns(slots, variants);
    const cells = cellsOf(variants, usual).filter((cell) => ONLY.test(nameOf(cell)));
    const meetAll = async (some: readonly DrawnCell[]) =>
      await Promise.all(
        some.map(async (cell) =>
          slots.with(async (slot) => {
            failures.push(...(await attackOnce(cell, slot, slots, usual.get(cell.variant)!)));
          }),
        ),
      );
    await meetAll(cells.filter(({ fault }) => fault.hangs !== true));
    slots.hurry();
    await meetAll(cells.filter(({ fault }) => fault.hangs === true));
    const logged = inspect(logs(), { depth: 12, maxArrayLength: Infinity });
    const found = logged.indexOf('Kq7zVw');
    if (found !== -1) {
      failures.push(`A key was logged: ${logged.slice(Math.max(0, found - 200), found + 60)}`);
    }
    return { failures: failures.sort(), cells: cells.length };
  } finally {
    await slots.close();
  }
}

function nameOf({ variant, fault, onError, tries, mode }: DrawnCell): string {
  return [variant.title, fault.name, onError, `tries ${tries}`, mode].join(' | ');
}

async function attackOnce(cell: DrawnCell, slot: Slot, { stranger }: Slots, usual: Happened) {
  const { variant, fault, tries } = cell;
  const isEnough = [...variant.shown].some((one) => fault.enoughFor?.test(one));
  const anyAnswer = variant.anyAnswer || isEnough;
  const run = async () =>
    judge({ anyAnswer, tries, fault, usual, ...(await runCell(cell, slot, stranger)) });
  let complaints = await run();
  // A real hang happens again, but a delay on a busy machine does not.
  if (complaints.some((complaint) => complaint.startsWith('time:'))) complaints = await run();
  return complaints.map((complaint) => `${nameOf(cell)} | ${complaint}`);
}

/** Runs each variant without a fault, and throws if one has no result. */
export async function usualRuns(slots: Slots, variants: readonly Variant[]): Promise<UsualRuns> {
  const runs = await Promise.all(
    variants.map(async (variant) => {
      const cell: Cell = { variant, fault: NONE, onError: 'stopWorkflow', traced: true };
      const run = async () =>
        (await slots.with(async (slot) => runCell(cell, slot, slots.stranger))).happened;
      const failed = ({ stopped, items }: Happened) => stopped !== undefined || items.length === 0;
      let happened = await run();
      // Timeouts are short here, so a busy machine can miss one.
      if (failed(happened)) happened = await run();
      if (failed(happened)) {
        throw new Error(
          `${variant.title} has no usual result: ${JSON.stringify(happened.stopped)}. Do its values in test/attack/operations/values.ts fit?`,
        );
      }
      return [variant, happened] as const;
    }),
  );
  return new Map(runs);
}
