import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Settings of an n8n whose idle memory is read. */
export const COLLECTS = { NODE_OPTIONS: `--require ${join(__dirname, 'collect-on-signal.cjs')}` };

/** Resident memory of a process in MB, as Linux counts it. */
interface Memory {
  /** Without what n8n's start left behind; the peak begins anew there. */
  whenIdle(): Promise<number>;
  peak(): number;
}

/** Memory of the main process of the n8n that uses a folder; it was started with {@link COLLECTS}. */
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
      for (let time = 0; time < 3; time += 1) {
        process.kill(Number(pid), 'SIGUSR2');
        await sleep(3000);
      }
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      return read('VmRSS');
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
