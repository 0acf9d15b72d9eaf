import type { Round } from './lib/rounds';

/** One line of the table: a figure of ours beside what it is measured against, in the same run. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  /** What it is compared with, and its figure. */
  readonly against: string;
  /** Ours divided by the other. */
  readonly ratio: number;
  /** The least and the greatest ratio of several rounds. */
  readonly spread?: readonly [number, number];
  readonly target: string;
  readonly met: boolean;
  /** True when it has to be met in each round: a count, not a time. */
  readonly always?: boolean;
  /** Conditions, compressed time. */
  readonly note?: string;
  /** The reason that was found for a miss; shown only when the target was missed. */
  readonly reason?: string;
  /** Why there was one round only. */
  readonly once?: string;
}

/** A part of the benchmark that can be run by itself. */
export interface Line {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** True when it is mostly waiting: such lines run at the same time, before all others. */
  readonly waits?: boolean;
  /** Why it is measured once and not in three rounds. */
  readonly once?: string;
  readonly measure: (tools: Tools) => Promise<Row[]>;
}

/** What a line measures with. */
export interface Tools {
  /** Takes ours and its peer in turns; a line calls it once it has prepared everything. */
  readonly repeat: (round: Round) => Promise<Row[]>;
  /** Shows a table of the line's own below the common one, and keeps a plot of it. */
  readonly append: (grid: Grid, plot: string) => void;
}

const HEADINGS = ['What', 'Ours', 'Against', 'Ratio', 'Target', 'Met'];

/** Cells of a table, the headings first. */
export type Grid = ReadonlyArray<readonly string[]>;

/** A table for a terminal. */
export function asText(grid: Grid): string {
  const widths = grid[0]?.map((_heading, column) =>
    Math.max(...grid.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ');
  return grid.map((cells) => line(cells).trimEnd()).join('\n');
}

/** A list for docs/guides/benchmarks.md, where so many columns would be too wide. */
export function asMarkdown(grid: Grid): string {
  const [[, ...headings] = [], ...body] = grid;
  return body
    .map(([what = '', ...cells]) => {
      const figures = cells.map((cell, place) => `${headings[place] ?? ''}: ${cell}`);
      return `- **${what}** · ${figures.join(' · ')}`;
    })
    .join('\n');
}

/** The common table, and its notes; lines with the same note share its number. */
export function tableOf(rows: readonly Row[]): { grid: Grid; notes: string[] } {
  const notes = [...new Set(rows.flatMap(notesOf))];
  const body = rows.map((row) => {
    const { what, ours, against, target, met } = row;
    const numbers = notesOf(row).map((note) => notes.indexOf(note) + 1);
    const references = numbers.length === 0 ? '' : ` (${numbers.join(', ')})`;
    return [`${what}${references}`, ours, against, ratioOf(row), target, met ? 'yes' : 'no'];
  });
  return {
    grid: [HEADINGS, ...body],
    notes: notes.map((note, index) => `${String(index + 1)}. ${note}`),
  };
}

function ratioOf({ ratio, spread }: Row): string {
  const [middle, ...range] = [ratio, ...(spread ?? [])].map((one) =>
    one >= 0.1 ? one.toFixed(2) : one.toPrecision(1),
  );
  return new Set(range).size > 1 ? `${middle ?? ''} (${range.join(' to ')})` : (middle ?? '');
}

function notesOf({ note, reason, met, once }: Row): string[] {
  return [met ? note : (reason ?? note), once].filter((one) => one !== undefined);
}
