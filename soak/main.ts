/**
 * Runs mixed traffic on a real n8n in queue mode for half an hour. Meanwhile, the service fails at
 * random, and a worker is repeatedly killed with SIGKILL. The Redis that shares the key's limit
 * loses its data and is killed too. Afterwards, requests, charges, side effects and rows must
 * balance exactly, and memory must be flat.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { soak } from './soak';

const HELP = `npm run soak -- [options]

Half an hour of mixed traffic on a real n8n in queue mode (main, two workers, Redis), while the local
service fails by chance, a worker is killed with -9 again and again, and the Redis that shares the
key's limit is emptied and killed. Afterwards everything has to balance. The minutes are real ones;
time is compressed by pace: the key may send ten times the usual 600 requests a minute, and refresh
jobs take seconds. Needs redis-server.

  --minutes <n>   how long the traffic lasts (default 30); the balance takes up to five more.
                  Memory is judged from ten minutes on.
  --seed <n>      the same seed, the same faults and accidents (default: by chance, printed)
  --help          this text

Exit codes: 0 it balances, 1 it does not, 2 wrong arguments.
`;

const EXIT_USAGE = 2;

function readArguments() {
  const { values } = parseArgs({
    options: {
      minutes: { type: 'string', default: '30' },
      seed: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const minutes = Number(values.minutes);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  if (!(minutes > 0)) throw new Error(`--minutes ${values.minutes} is not a number above 0.`);
  if (!Number.isInteger(seed)) throw new Error(`--seed ${String(values.seed)} is not a number.`);
  return { minutes, seed, help: values.help };
}

async function main(): Promise<void> {
  const { stopAll } = await import('../scripts/lib/command.mjs');
  const { onEndAsked } = await import('../scripts/lib/signals.mjs');
  onEndAsked((_signal, code) => void stopAll().then(() => process.exit(code)));
  let order: ReturnType<typeof readArguments>;
  try {
    order = readArguments();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\nSee --help.\n`);
    process.exitCode = EXIT_USAGE;
    return;
  }
  if (order.help) {
    process.stdout.write(HELP);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'company-intelligence-soak-'));
  const reports = join(folder, 'heap');
  mkdirSync(reports);
  try {
    const balanced = await soak({ ...order, folder, reports });
    process.exitCode = balanced ? 0 : 1;
  } finally {
    await stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

void main();
