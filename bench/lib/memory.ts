import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const IDLE_SECONDS = 8;

/** Resident memory of a process in MB, as Linux counts it. */
interface Memory {
  /** The least of several seconds; the peak begins anew there. */
  whenIdle(): Promise<number>;
  peak(): number;
}

/** Memory of the main process of the n8n that uses a folder. */
export function memoryOfN8n(userFolder: string): Memory {
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isN8n(name, userFolder));
  if (pid === undefined) throw new Error('There is no n8n process to be seen in /proc.');
  const read = (field: string): number => {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  };
  return {
    peak: () => read('VmHWM'),
    whenIdle: async () => {
      let least = Infinity;
      for (let second = 0; second < IDLE_SECONDS; second += 1) {
        await sleep(1000);
        least = Math.min(least, read('VmRSS'));
      }
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      return least;
    },
  };
}

function isN8n(pid: string, userFolder: string): boolean {
  try {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    const isStart = args[2] === 'start' && basename(args[1] ?? '').startsWith('n8n');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    return isStart && environment.includes(`N8N_USER_FOLDER=${userFolder}`);
  } catch {
    // It ended meanwhile, or belongs to somebody else.
    return false;
  }
}
