import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { format } from 'prettier';

/** One row of the table: a figure of this package and its baseline, measured in the same run. */
export interface Row {
  readonly what: string;
  readonly ours: string;
  /** The baseline and its figure. */
  readonly against: string;
  /** This package's figure divided by the baseline's. */
  readonly ratio: number;
  /** The lowest and highest ratio of several rounds. */
  readonly spread?: readonly [number, number];
  readonly target: string;
  readonly met: boolean;
  /** True if every round must meet the target, which applies to counts but not to times. */
  readonly always?: boolean;
  /** Conditions of the measurement, such as compressed time. */
  readonly note?: string;
  /** Known reason for missing the target. Shown only if the target was missed. */
  readonly reason?: string;
  /** Why there was only one round. */
  readonly once?: string;
}

/** Measures this package and then its baseline, and returns a row for each figure. */
export type Round = () => Promise<readonly Row[]>;

/** A part of the benchmark that can run separately. */
export interface Line {
  /** Name for `--only`. */
  readonly name: string;
  readonly title: string;
  /** `what` of its rows, as on the page. */
  readonly rows: readonly string[];
  /** True if the line mostly waits. Such lines run at the same time, before all others. */
  readonly waits?: boolean;
  /** Why the line is measured once instead of in three rounds. */
  readonly once?: string;
  /**
   * @param repeat Repeats rounds of this package and its baseline. A line calls it when its
   *   preparation is complete.
   */
  readonly measure: (repeat: (round: Round) => Promise<Row[]>) => Promise<Row[]>;
}

const HEADINGS = ['What', 'Ours', 'Against', 'Ratio', 'Target', 'Met'];

/** Cells of a table. The first row has the headings. */
type Grid = ReadonlyArray<readonly string[]>;

/** Formats a table for a terminal. */
export function asText(grid: Grid): string {
  const widths = grid[0]?.map((_heading, column) =>
    Math.max(...grid.map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => cell.padEnd(widths?.[column] ?? 0)).join('  ');
  return grid.map((cells) => line(cells).trimEnd()).join('\n');
}

/** Returns docs/guides/benchmarks.md. */
export async function pageOf(rows: readonly Row[]): Promise<string> {
  const { grid, notes } = tableOf(rows);
  const [, ...cells] = grid;
  const headings = ['What', 'This package', 'Baseline', 'Ratio', 'Target', 'Met'];
  const table = [headings, headings.map(() => '-'), ...cells];
  const git = ['log', '-1', '--format=%h of %cs'];
  const commit = execFileSync('git', git, { encoding: 'utf8', cwd: __dirname }).trim();
  const [cpu] = cpus();
  const machine = `${String(cpus().length)} cores (${cpu?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GB, Node ${process.versions.node}`;
  const page = `# Benchmarks

\`npm run bench\` measures each figure next to a baseline, in the same run. It takes about 20 minutes.
The baselines are n8n's HTTP Request node with batching for 10,000 leads and single lookups, n8n's request helper for 1,000 leads at once, an axios loop for rows, and for files a node that only fetches and parses the same pages. Rates are compared with the key's limit. A note says why a target was missed.
\`-- --only leads,rows\` runs parts. \`npm run --silent bench -- --markdown > docs/guides/benchmarks.md\` writes this page.

Measured on ${new Date().toISOString().slice(0, 10)}, commit ${commit}, on a machine with ${machine}.

${table.map((line) => `| ${line.join(' | ')} |`).join('\n')}

${notes.join('\n')}
`;
  return await format(page, { parser: 'markdown' });
}

/** Returns the common table and its notes. Rows with the same note share its number. */
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
  const miss = met ? undefined : (reason ?? 'Missed, for a reason that is not known yet.');
  return [note, miss, once].filter((one) => one !== undefined);
}
