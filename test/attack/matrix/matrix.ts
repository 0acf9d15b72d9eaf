/** The matrix of one node: every variant of its operations against every fault. */
import { createHash } from 'node:crypto';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { recordLogs } from '../../engine/harness/logging';
import { ON_ERROR } from '../../engine/shared/service';
import { FAULTS, type Fault } from '../faults';
import { judge } from '../judge/judge';
import type { Happened } from '../judge/record';
import { variantsOf, type Variant } from '../operations/variants';
import { Slots, type Slot } from '../service/slots';
import { runCell, type Cell, type OnError } from './cell';

/** The number that decides which cells a run takes; the same number, the same cells. */
export const SEED = Number(process.env['ATTACK_SEED'] ?? 1);
const REPORT = process.env['ATTACK_REPORT'];
const FULL = process.env['FULL'] === '1';
/** `npm test` runs a share, which every commit draws anew; CI runs the rest after it. */
export const USUAL = process.env['ATTACK_EXTENT'] === 'usual';
/** Only cells and cases whose name matches, to look at one again: a failure begins with its name. */
export const ONLY = new RegExp(process.env['ATTACK_ONLY'] ?? '');
/** The share of faults that an operation meets with its usual options. */
const SHARE_OF_FAULTS = USUAL ? 1 / 4 : 1;
/** The share of faults that a variant meets which only differs in an option from another. */
const SHARE_WITH_OPTIONS = USUAL ? 1 / 64 : 1 / 4;
/** The share of cells that are run with further On Error settings than the one whose turn it is. */
const SHARE_OF_SETTINGS = USUAL ? 1 / 128 : 1 / 8;
const CELLS_AT_ONCE = 24;

/** What comes of each variant when nothing goes wrong. */
export type UsualRuns = ReadonlyMap<Variant, Happened>;

/** Makes the tests of one node; `folder` as in `nodes/`. */
export function attack(folder: string): void {
  describe(`${folder} with injected faults (ATTACK_SEED=${String(SEED)}${FULL ? ', FULL' : ''})`, () => {
    let failures: string[] = [];
    beforeAll(async () => {
      const variants = await variantsOf(folder);
      const result = await runMatrix(variants);
      ({ failures } = result);
      const figures = {
        variants: variants.length,
        faults: FAULTS.length,
        settings: ON_ERROR.length,
        all: variants.length * FAULTS.length * ON_ERROR.length,
        cells: result.cells,
        failures: failures.length,
      };
      // Those of all files are added up at the end.
      const file = join(process.env['ENGINE_TEST_FOLDER'] ?? '.', `matrix-${folder}.json`);
      writeFileSync(file, JSON.stringify(figures));
    });

    it('keeps the invariants in every tested combination', () => {
      expect(failures.slice(0, 60)).toEqual([]);
    });
  });
}

/** A number between 0 and 1 that only depends on the words. */
function chance(...words: readonly string[]): number {
  const digest = createHash('sha256')
    .update([String(SEED), ...words].join('\n'))
    .digest();
  return digest.readUInt32BE() / 2 ** 32;
}

/**
 * The cells of this run: every operation meets every fault (in `npm test` a quarter of them) with one of
 * the settings, which changes from run to run; of all other cells, some. With `FULL=1` all.
 */
function cellsOf(variants: readonly Variant[], usual: UsualRuns): Cell[] {
  return variants.flatMap((variant) =>
    FAULTS.filter(
      (fault) =>
        canMeet(usual.get(variant), fault) &&
        (FULL ||
          chance(variant.title, fault.name, 'met') <
            (variant.isBase ? SHARE_OF_FAULTS : SHARE_WITH_OPTIONS)),
    ).flatMap((fault) => {
      const turn = Math.floor(chance(variant.title, fault.name) * ON_ERROR.length);
      return ON_ERROR.filter(
        (onError, index) =>
          FULL || index === turn || chance(variant.title, fault.name, onError) < SHARE_OF_SETTINGS,
      ).map((onError) => cellOf(variant, fault, onError));
    }),
  );
}

/** What sends nothing gets no answer, so that of all faults only a wrong address can be felt. */
function canMeet(usual: Happened | undefined, { name, baseUrl }: Fault): boolean {
  return usual?.asked.length !== 0 || baseUrl !== undefined || name === 'none';
}

function cellOf(variant: Variant, fault: Fault, onError: OnError): Cell {
  const words = [variant.title, fault.name, onError];
  return {
    variant,
    fault,
    onError,
    tries: chance(...words, 'tries') < 0.4 ? 2 : 1,
    mode: chance(...words, 'mode') < 0.2 ? 'trigger' : 'manual',
    traced: chance(...words, 'traced') < 0.1,
  };
}

async function runMatrix(variants: readonly Variant[]) {
  const logs = recordLogs();
  const slots = await Slots.start(CELLS_AT_ONCE);
  const failures: string[] = [];
  try {
    const usual = await usualRuns(slots, variants);
    const cells = cellsOf(variants, usual).filter((cell) => ONLY.test(nameOf(cell)));
    await Promise.all(
      cells.map(async (cell) =>
        slots.with(async (slot) => {
          const found = await attackOnce(cell, slot, slots, usual);
          failures.push(...found);
          if (REPORT !== undefined && found.length > 0) {
            appendFileSync(REPORT, `${found.join('\n')}\n`);
          }
        }),
      ),
    );
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

function nameOf({ variant, fault, onError, tries, mode }: Cell): string {
  return [variant.title, fault.name, onError, `tries ${String(tries)}`, mode].join(' | ');
}

async function attackOnce(
  cell: Cell,
  slot: Slot,
  slots: Slots,
  usual: UsualRuns,
): Promise<string[]> {
  const { variant, fault, tries } = cell;
  const name = nameOf(cell);
  const expected = usual.get(variant);
  if (expected === undefined) throw new Error(`${name}: there is no usual run.`);
  const run = async () => {
    const { happened, key, given } = await runCell(cell, slot, slots.stranger);
    const { enoughFor } = fault;
    const isEnough =
      enoughFor !== undefined && [...variant.shown].some((one) => enoughFor.test(one));
    const anyAnswer = variant.anyAnswer || isEnough;
    return judge({ anyAnswer, given, key, tries, fault, happened, usual: expected });
  };
  let complaints = await run();
  // What hangs, hangs again; a machine that was busy for a moment does not.
  if (complaints.some((complaint) => complaint.startsWith('time:'))) complaints = await run();
  return complaints.map((complaint) => `${name} | ${complaint}`);
}

/** How each variant fares without a fault, which has to be well. */
export async function usualRuns(slots: Slots, variants: readonly Variant[]): Promise<UsualRuns> {
  const none: Fault = FAULTS.find(({ name }) => name === 'none')!;
  const runs = await Promise.all(
    variants.map(async (variant) => {
      const cell: Cell = {
        variant,
        fault: none,
        onError: 'stopWorkflow',
        tries: 1,
        mode: 'manual',
        traced: true,
      };
      const run = async () =>
        (await slots.with(async (slot) => runCell(cell, slot, slots.stranger))).happened;
      const failed = ({ stopped, items }: Happened) => stopped !== undefined || items.length === 0;
      let happened = await run();
      // Timeouts are short here, and a machine that was busy for a moment may have missed one.
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
