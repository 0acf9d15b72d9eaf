/** One line of the table: a figure of ours beside what it is measured against, in the same run. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  /** What it is compared with, and its figure. */
  readonly against: string;
  /** Ours divided by the other. */
  readonly ratio: number;
  readonly target: string;
  readonly met: boolean;
  /** Conditions, compressed time. */
  readonly note?: string;
  /** The reason that was found for a miss; shown only when the target was missed. */
  readonly reason?: string;
}

/** A part of the benchmark that can be run by itself. */
export interface Line {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  /** True when it is mostly waiting: such lines run at the same time, before all others. */
  readonly waits?: boolean;
  readonly measure: () => Promise<Row[]>;
}

const HEADINGS = ['What', 'Ours', 'Against', 'Ratio', 'Target', 'Met'];
const RATIO = 3;

/** The table for a terminal. */
export function asText(rows: readonly Row[]): string {
  const { table, notes } = cellsOf(rows);
  const widths = HEADINGS.map((_heading, column) =>
    Math.max(...table.map((cells) => cells[column]?.length ?? 0)),
  );
  const lines = table.map((cells) =>
    cells
      .map((cell, column) => pad(cell, column, widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return [...lines, '', ...notes.map((note, index) => `${String(index + 1)}. ${note}`)].join('\n');
}

function pad(cell: string, column: number, width: number): string {
  return column === RATIO ? cell.padStart(width) : cell.padEnd(width);
}

/** The table for docs/guides/benchmarks.md. */
export function asMarkdown(rows: readonly Row[]): string {
  const { table, notes } = cellsOf(rows);
  const [headings = [], ...body] = table.map((cells) => `| ${cells.join(' | ')} |`);
  const rule = `| ${HEADINGS.map((_heading, column) => (column === RATIO ? '---:' : '---')).join(' | ')} |`;
  return [
    headings,
    rule,
    ...body,
    '',
    ...notes.map((note, index) => `${String(index + 1)}. ${note}`),
  ].join('\n');
}

/** Lines with the same note share its number. */
function cellsOf(rows: readonly Row[]): { table: string[][]; notes: string[] } {
  const notes = [...new Set(rows.flatMap((row) => noteOf(row) ?? []))];
  const body = rows.map((row) => {
    const { what, ours, against, ratio, target, met } = row;
    const note = noteOf(row);
    const reference = note === undefined ? '' : ` (${String(notes.indexOf(note) + 1)})`;
    const shown = ratio >= 0.1 ? ratio.toFixed(2) : ratio.toPrecision(1);
    return [`${what}${reference}`, ours, against, shown, target, met ? 'yes' : 'no'];
  });
  return { table: [HEADINGS, ...body], notes };
}

function noteOf({ note, reason, met }: Row): string | undefined {
  return met ? note : (reason ?? note);
}

/** The middle one of several rounds. */
export function median<T>(rounds: readonly T[], figureOf: (round: T) => number): T {
  const sorted = [...rounds].sort((one, other) => figureOf(one) - figureOf(other));
  const middle = sorted[Math.floor(sorted.length / 2)];
  if (middle === undefined) throw new Error('There was no round to take the median of.');
  return middle;
}
