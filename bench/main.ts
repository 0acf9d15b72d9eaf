/**
 * Measures the lines of the table and prints it. Lines that mostly wait run at the same time; the
 * others run alone.
 */
import { parseArgs } from 'node:util';
import { lines } from './lines';
import { comparable, inTurns } from './lib/rounds';
import { asText, pageOf, tableOf, type Line, type Round, type Row } from './table';

const ROUNDS = 3;

const HELP = `npm run bench -- [options]

Measures how fast the nodes are and what they cost the machine, each figure beside something else
in the same run, and prints one table. Ours and the other take turns, three times: the ratio is the
median one, and behind it stand the least and the greatest. A line that misses its target, or has
nothing to compare with, is a failure. Needs about 20 minutes and redis-server.

  --only <names>   some parts only: ${lines.map(({ name }) => name).join(',')}
  --markdown       docs/guides/benchmarks.md
  --help           this text
`;

const EXIT_USAGE = 2;

function readArguments() {
  const { values } = parseArgs({
    options: {
      only: { type: 'string' },
      markdown: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const only = values.only?.split(',');
  const unknown = only?.find((name) => !lines.some((line) => line.name === name));
  if (unknown !== undefined) throw new Error(`There is no part "${unknown}".`);
  const chosen = lines.filter(({ name }) => only?.includes(name) ?? true);
  return { ...values, chosen };
}

/** Returns the rows of the chosen lines, in the table's order. A line that fails has no rows. */
async function measure(chosen: readonly Line[]): Promise<Row[]> {
  const { step } = await import('../scripts/lib/progress.mjs');
  const rows = new Map<Line, Row[]>();
  const run = async (line: Line): Promise<void> => {
    const { title, once } = line;
    const repeat = async (round: Round) => await inTurns(once === undefined ? ROUNDS : 1, round);
    try {
      const measured = await step(title, async () => await line.measure(repeat));
      measured.forEach(comparable);
      const names = measured.map(({ what }) => what);
      if (names.join() !== line.rows.join()) throw new Error(`Other rows: ${names.join(', ')}`);
      rows.set(line, once === undefined ? measured : measured.map((row) => ({ ...row, once })));
    } catch (error) {
      console.error(`${line.name}:`, error);
      process.exitCode = 1;
    }
  };
  await Promise.all(chosen.filter(({ waits }) => waits === true).map(run));
  for (const line of chosen.filter(({ waits }) => waits !== true)) await run(line);
  return chosen.flatMap((line) => rows.get(line) ?? []);
}

async function main(): Promise<void> {
  const { onEndAsked, stopAll } = await import('../scripts/lib/command.mjs');
  onEndAsked();
  let values: ReturnType<typeof readArguments>;
  try {
    values = readArguments();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nSee --help.\n`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  const rows = await measure(values.chosen);
  await stopAll();
  if (rows.some(({ met }) => !met)) process.exitCode = 1;
  const { grid, notes } = tableOf(rows);
  const text = ['', asText(grid), '', ...notes, ''].join('\n');
  process.stdout.write(values.markdown ? await pageOf(rows) : text);
}

void main();
