/** The matrix of one node: every variant of its operations against every fault. */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';

import { recordLogs } from '../../engine/harness/logging';
import { ON_ERROR } from '../../engine/shared/service';
import { FAULTS, type Fault } from '../faults';
import { judge } from '../judge/judge';
import type { Happened } from '../judge/record';
import { knownFinding } from '../known';
import { variantsOf, type Variant } from '../operations/variants';
import { Slots, type Slot } from '../service/slots';
import { runCell, type Cell, type OnError } from './cell';

/** The number that decides which cells a run takes; the same number, the same cells. */
export const SEED = Number(process.env['ATTACK_SEED'] ?? 1);
const FULL = process.env['FULL'] === '1';
/** One cell in so many of those that are not taken every time. */
const SHARE = 4;
const CELLS_AT_ONCE = 24;

/** What one test file did; the figures of all files are added up at the end. */
interface Figures {
  readonly variants: number;
  readonly faults: number;
  readonly cells: number;
  readonly left: number;
  readonly failures: number;
}

/** Makes the tests of one node; `folder` as in `nodes/`. */
export function attack(folder: string): void {
  describe(`${folder}, attacked (ATTACK_SEED=${String(SEED)}${FULL ? ', FULL' : ''})`, () => {
    let failures: string[] = [];
    let variants: Variant[] = [];
    beforeAll(async () => {
      variants = await variantsOf(folder);
      const result = await runMatrix(variants);
      ({ failures } = result);
      const figures: Figures = {
        variants: variants.length,
        faults: FAULTS.length,
        cells: result.cells,
        left: result.left,
        failures: failures.length,
      };
      const file = join(process.env['ENGINE_TEST_FOLDER'] ?? '.', `matrix-${folder}.json`);
      writeFileSync(file, JSON.stringify(figures));
    });

    it('holds in every cell', () => {
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

/** The cells of this run. Every variant meets every fault; not each time with every setting. */
function cellsOf(variants: readonly Variant[]): Cell[] {
  return variants.flatMap((variant) =>
    FAULTS.flatMap((fault) => {
      const turn = Math.floor(chance(variant.title, fault.name) * ON_ERROR.length);
      return ON_ERROR.filter(
        (onError, index) =>
          FULL || index === turn || chance(variant.title, fault.name, onError) * SHARE < 1,
      ).map((onError) => cellOf(variant, fault, onError));
    }),
  );
}

function cellOf(variant: Variant, fault: Fault, onError: OnError): Cell {
  const words = [variant.title, fault.name, onError];
  return {
    variant,
    fault,
    onError,
    tries: chance(...words, 'tries') < 0.4 ? 2 : 1,
    mode: chance(...words, 'mode') < 0.2 ? 'trigger' : 'manual',
  };
}

async function runMatrix(variants: readonly Variant[]) {
  const logs = recordLogs();
  const slots = await Slots.start(CELLS_AT_ONCE);
  const failures: string[] = [];
  const left: Cell[] = [];
  const cells: Cell[] = [];
  try {
    const usual = await usualRuns(slots, variants);
    for (const cell of cellsOf(variants)) {
      (knownFinding(cell)?.dangerous === true ? left : cells).push(cell);
    }
    await Promise.all(
      cells.map(async (cell) =>
        slots.with(async (slot) => {
          failures.push(...(await attackOnce(cell, slot, slots, usual)));
        }),
      ),
    );
    if (inspect(logs(), { depth: 12, maxArrayLength: Infinity }).includes('Kq7zVw')) {
      failures.push('A key was logged.');
    }
  } finally {
    await slots.close();
  }
  return { failures: failures.sort(), cells: cells.length, left: left.length };
}

async function attackOnce(
  cell: Cell,
  slot: Slot,
  slots: Slots,
  usual: ReadonlyMap<Variant, Happened>,
): Promise<string[]> {
  const { variant, fault, onError, tries, mode } = cell;
  const name = [variant.title, fault.name, onError, `tries ${String(tries)}`, mode].join(' | ');
  const expected = usual.get(variant);
  if (expected === undefined) throw new Error(`${name}: there is no usual run.`);
  const { happened, key, given } = await runCell(cell, slot, slots.stranger);
  const complaints = judge({ given, key, tries, fault, happened, usual: expected });
  return complaints
    .filter((complaint) => knownFinding(cell, complaint) === undefined)
    .map((complaint) => `${name} | ${complaint}`);
}

/** How each variant fares without a fault, which has to be well. */
async function usualRuns(
  slots: Slots,
  variants: readonly Variant[],
): Promise<Map<Variant, Happened>> {
  const none: Fault = FAULTS.find(({ name }) => name === 'none')!;
  const runs = await Promise.all(
    variants.map(async (variant) => {
      const cell: Cell = {
        variant,
        fault: none,
        onError: 'stopWorkflow',
        tries: 1,
        mode: 'manual',
      };
      const { happened } = await slots.with(async (slot) => runCell(cell, slot, slots.stranger));
      if (happened.stopped !== undefined || happened.items.length === 0) {
        throw new Error(
          `${variant.title} has no usual result: ${JSON.stringify(happened.stopped)}. Do its values in test/attack/operations/values.ts fit?`,
        );
      }
      return [variant, happened] as const;
    }),
  );
  return new Map(runs);
}
