import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Cost, Order } from '../lib/growth-process';
import { startManyCompanies } from '../lib/many-companies';
import { plot } from '../lib/plot';
import { inProcess } from '../lib/processes';
import type { Line, Row } from '../table';

const SIZES = [10, 100, 1_000, 10_000, 100_000, 1_000_000];
const TARGET = 1.25;

/** The baseline, the cost of n8n's own items, comes first. */
const WORKS = {
  items: 'n8n without our nodes',
  enrich: 'Enrich Companies',
  file: 'List to CSV file',
  poll: 'List trigger poll',
} as const;

/** Costs of a work at each size. */
interface Growth {
  readonly name: string;
  readonly costs: readonly Cost[];
}

/** Costs of ten up to a million rows, with a separate process for each work. */
export const growth: Line = {
  name: 'growth',
  title: 'Growth from 10 to 1,000,000 rows',
  once: 'Measured once, because a million rows of each take minutes.',
  measure: async ({ append }) => {
    const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-bench-'));
    const service = await startManyCompanies();
    const all: Growth[] = [];
    try {
      for (const [work, name] of Object.entries(WORKS)) {
        const order = { work: work as Order['work'], sizes: SIZES, baseUrl: service.baseUrl };
        all.push({ name, costs: await costsOf(folder, order) });
      }
    } finally {
      service.close();
      rmSync(folder, { recursive: true, force: true });
    }
    append(
      [
        ['Size', ...Object.values(WORKS)],
        ...SIZES.map((size, place) => [
          `${count(size)} rows`,
          ...all.map(({ costs }) => (costs[place] === undefined ? '' : cellOf(costs[place]))),
        ]),
      ],
      plot(SIZES, [
        { title: 'Seconds, by rows', series: seriesOf(all, (cost) => cost.milliseconds / 1000) },
        {
          title: 'MB above idle, by rows',
          series: seriesOf(all, (cost) => Math.round(cost.memoryMb)),
        },
      ]),
    );
    return all.slice(1).map(rowOf);
  },
};

/** Measures the costs with n8n's engine, which keeps binary data in files. */
async function costsOf(folder: string, order: Order): Promise<Cost[]> {
  const env = {
    N8N_USER_FOLDER: folder,
    N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
    N8N_LOG_LEVEL: 'silent',
  };
  const path = join(__dirname, '../lib/growth-process.ts');
  return await inProcess(path, order, env, ['--expose-gc']);
}

const count = (many: number): string => many.toLocaleString('en-US');

function duration(ms: number): string {
  return ms < 1000 ? `${ms.toFixed(ms < 10 ? 1 : 0)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function cellOf({ milliseconds, cpuMs, memoryMb, requests }: Cost): string {
  const sent = requests === 0 ? '' : `, ${count(requests)} request${requests === 1 ? '' : 's'}`;
  return `${duration(milliseconds)}, CPU ${duration(cpuMs)}, ${memoryMb.toFixed(0)} MB${sent}`;
}

function seriesOf(all: readonly Growth[], figure: (cost: Cost) => number) {
  return all.map(({ name, costs }) => ({ name, values: costs.map(figure) }));
}

/**
 * Compares the CPU time per row for a million rows with that for a tenth. Linear growth keeps it
 * equal.
 */
function rowOf({ name, costs }: Growth): Row {
  const [fewer = NaN, many = NaN] = SIZES.slice(-2);
  const [before, last] = costs.slice(-2).map(({ cpuMs }) => cpuMs);
  const [each, eachOfFewer] = [(last ?? NaN) / many, (before ?? NaN) / fewer];
  return {
    what: `${name}, ${count(many)} rows: CPU time of a row`,
    ours: `${(each * 1000).toFixed(1)} µs`,
    against: `among ${count(fewer)}: ${(eachOfFewer * 1000).toFixed(1)} µs`,
    ratio: each / eachOfFewer,
    target: `≤ ${String(TARGET)}`,
    met: each <= TARGET * eachOfFewer,
    note: "n8n's engine in a process of its own, without its database.",
    reason: 'While what is kept in memory grows, V8 looks through it again and again.',
  };
}
