import type { Accident } from './accidents';
import type { Line } from './balance';

/** Maximum number of complaints to print per line. The rest is only counted. */
const SHOWN = 10;

interface SoakReport {
  readonly seed: number;
  readonly lines: readonly Line[];
  /** Number of requests that faults hit, by kind. */
  readonly faults: ReadonlyMap<string, number>;
  readonly accidents: readonly Accident[];
}

/** Prints what happened and whether it balances. */
export function printReport({ seed, lines, faults, accidents }: SoakReport): void {
  const width = Math.max(...lines.map(({ what }) => what.length));
  console.log(`\nSoak with seed ${String(seed)}\n`);
  for (const { what, figure, complaints } of lines) {
    console.log(`${complaints.length === 0 ? '✓' : '✗'} ${what.padEnd(width)}  ${figure}`);
    for (const complaint of complaints.slice(0, SHOWN)) console.log(`    ${complaint}`);
    const more = complaints.length - SHOWN;
    if (more > 0) console.log(`    … and ${String(more)} more`);
  }
  console.log(`\nAccidents: ${tallied(accidents.map(({ what }) => [what, 1]))}`);
  const hits = [...faults];
  const total = hits.reduce((sum, [, hit]) => sum + hit, 0);
  console.log(`Faults: ${String(total)} requests hit (${tallied(hits)})`);
}

function tallied(counts: ReadonlyArray<readonly [string, number]>): string {
  const sums = new Map<string, number>();
  for (const [name, count] of counts) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums]
    .filter(([, sum]) => sum > 0)
    .sort(([, one], [, other]) => other - one)
    .map(([name, sum]) => `${name} ${String(sum)}`)
    .join(', ');
}
