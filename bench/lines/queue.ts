import { FairQueue } from '../../src/client/limiter/fair-queue';
import { cpuOf } from '../lib/cpu';
import type { Line } from '../table';

const ENTRIES = 50_000;
const TARGET = 3;

/** Fills the queue with one run's entries and hands them out. */
function drainQueue(): void {
  const queue = new FairQueue<number>(Infinity);
  for (let entry = 0; entry < ENTRIES; entry += 1) queue.add('run', entry, false);
  let left = ENTRIES;
  while (queue.next() !== undefined) left -= 1;
  if (left !== 0) throw new Error(`${String(left)} entries were not handed out.`);
}

function drainArray(): void {
  const entries: number[] = [];
  for (let entry = 0; entry < ENTRIES; entry += 1) entries.push(entry);
  while (entries.shift() !== undefined);
}

/** The queue of waiting requests. A search among the entries handed out would take minutes. */
export const queue: Line = {
  name: 'queue',
  title: 'Queue of waiting requests',
  measure: async ({ repeat }) => {
    drainQueue();
    drainArray();
    return await repeat(async () => {
      const ours = await cpuOf(drainQueue);
      const bare = await cpuOf(drainArray);
      return [
        {
          what: `${ENTRIES.toLocaleString('en-US')} waiting requests of one run, CPU time of the queue`,
          ours: `${ours.toFixed(2)} s`,
          against: `a bare array: ${bare.toFixed(2)} s`,
          ratio: ours / bare,
          target: `≤ ${String(TARGET)}`,
          met: ours <= TARGET * bare,
        },
      ];
    });
  },
};
